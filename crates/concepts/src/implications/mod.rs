//! What follows from what: the fewest implications that say all that holds in a context.
//!
//! Picture a table of animals. Whatever gives milk has hair, in every line of it: *milk → hair*. A table of any size has
//! far too many such truths to read, most of them echoes of others. The **canonical base** (Duquenne and Guigues 1986) keeps
//! the fewest from which all others follow: one for each *pseudo-intent*, a set of attributes that is not closed but
//! holds the closure of every smaller pseudo-intent in it.
//!
//! [`base`] finds it, [`CanonicalBase::closure`] draws conclusions from it, [`text`] writes it. [`spec`] is Ganter's algorithm
//! one plain step at a time; what is fast is in a file of its own, and gives the same.
//!
//! ```
//! use pellucid_concepts::implications::{BaseOptions, base};
//! use pellucid_data::Relation;
//!
//! // 0 milk, 1 hair, 2 eggs: a cow, a bee, a hen.
//! let relation = Relation::new(3, [[0, 1].as_slice(), &[1, 2], &[2]])?;
//! let base = base(&relation, &BaseOptions::default());
//! let told: Vec<_> = base.implications.iter().map(|i| (i.premise[0], i.conclusion[0], i.support)).collect();
//! assert_eq!(told, [(0b001, 0b010, 1)]); // milk → hair, seen in one line
//! # Ok::<(), pellucid_data::RelationError>(())
//! ```

mod canonical;
mod node;
pub mod spec;
pub mod text;

use pellucid_bits::words::{contains, count, insert, is_subset};
use pellucid_close::Stop;
use pellucid_data::Relation;
use std::cmp::Ordering;
use std::fmt;
use std::sync::atomic::AtomicU64;

/// Whatever has all of the premise has all of the conclusion too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implication {
    /// The attributes that are asked for, as [`words`](pellucid_bits::words).
    pub premise: Box<[u64]>,
    /// The attributes that follow, without those of the premise.
    pub conclusion: Box<[u64]>,
    /// How many objects have all of the premise (and so all of the conclusion).
    pub support: u64,
}

impl Implication {
    /// By the premise's size, and then in lectic order: of two sets the smaller is the one without the first attribute in
    /// which they differ.
    #[must_use]
    pub fn order(&self, other: &Implication) -> Ordering {
        count(&self.premise)
            .cmp(&count(&other.premise))
            .then_with(|| lectic(&self.premise, &other.premise))
    }

    /// Whether no object of a relation has all of the premise and not all of the conclusion.
    #[must_use]
    pub fn holds(&self, relation: &Relation) -> bool {
        relation.rows().all(|row| {
            let mut set = vec![0; self.premise.len()];
            row.iter().for_each(|&a| insert(&mut set, a as usize));
            !is_subset(&self.premise, &set) || is_subset(&self.conclusion, &set)
        })
    }
}

/// The lectic order of two sets.
pub(crate) fn lectic(a: &[u64], b: &[u64]) -> Ordering {
    let differs = a.iter().zip(b).position(|(a, b)| a != b);
    differs.map_or(Ordering::Equal, |word| {
        let first = word * 64 + (a[word] ^ b[word]).trailing_zeros() as usize;
        if contains(b, first) { Ordering::Less } else { Ordering::Greater }
    })
}

/// What is asked of the search for a base.
#[derive(Clone, Copy, Default)]
pub struct BaseOptions<'a> {
    /// The fewest objects that have an implication's premise. With 1, what no object has says nothing; the base then is
    /// complete for all sets of attributes that so many objects have.
    pub min_support: u64,
    /// How many implications at most; those that are listed then belong to the base, whichever came first.
    pub most: Option<u64>,
    /// Asked now and then: whether to stop.
    pub stop: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// Where the number of implications so far is kept up to date for whoever watches.
    pub progress: Option<&'a AtomicU64>,
}

impl fmt::Debug for BaseOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BaseOptions")
            .field("min_support", &self.min_support)
            .field("most", &self.most)
            .finish_non_exhaustive()
    }
}

/// Implications from which others follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanonicalBase {
    /// In their [order](Implication::order).
    pub implications: Vec<Implication>,
    /// Whether these are all.
    pub stop: Stop,
}

impl CanonicalBase {
    /// All attributes that follow from some.
    #[must_use]
    pub fn closure(&self, attributes: &[u64]) -> Vec<u64> {
        let mut closed = attributes.to_vec();
        let mut waiting: Vec<&Implication> = self.implications.iter().collect();
        loop {
            let before = waiting.len();
            waiting.retain(|implication| {
                let fires = is_subset(&implication.premise, &closed);
                if fires {
                    unite(&mut closed, &implication.conclusion);
                }
                !fires
            });
            if waiting.len() == before {
                return closed;
            }
        }
    }

    /// Whether all implications hold in a relation.
    #[must_use]
    pub fn holds(&self, relation: &Relation) -> bool {
        self.first_broken(relation).is_none()
    }

    /// The first implication that does not hold in a relation, by its place.
    #[must_use]
    pub fn first_broken(&self, relation: &Relation) -> Option<usize> {
        self.implications.iter().position(|implication| !implication.holds(relation))
    }
}

/// Puts all members of a set into another.
pub(crate) fn unite(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}

/// The canonical base of a relation.
#[must_use]
pub fn base(relation: &Relation, options: &BaseOptions<'_>) -> CanonicalBase {
    canonical::base(relation, options)
}
