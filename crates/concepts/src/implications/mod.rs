//! The implications of a context, as a minimal list.
//!
//! An implication *milk → hair* is valid if every object with the premise also has the conclusion.
//! A context has too many valid implications to read. The **stem base** or canonical base (Duquenne
//! and Guigues 1986) is the smallest list from which all others follow. It has one implication for
//! each *pseudo-intent*: a set of attributes that is not closed but contains the closure of every
//! smaller pseudo-intent in it.
//!
//! [`base`] computes it, [`CanonicalBase::closure`] applies it, [`text`] writes it. [`spec`] is
//! Ganter's algorithm, written for clarity; the fast implementation gives the same result.
//!
//! ```
//! use pellucid_concepts::implications::{BaseOptions, base};
//! use pellucid_data::Relation;
//!
//! // 0 milk, 1 hair, 2 eggs. Rows: cow, bee, hen.
//! let relation = Relation::new(3, [[0, 1].as_slice(), &[1, 2], &[2]])?;
//! let base = base(&relation, &BaseOptions::default());
//! let found: Vec<_> =
//!     base.implications.iter().map(|i| (i.premise[0], i.conclusion[0], i.support)).collect();
//! assert_eq!(found, [(0b001, 0b010, 1)]); // milk → hair, supported by one object
//! # Ok::<(), pellucid_data::RelationError>(())
//! ```

mod canonical;
mod node;
pub mod spec;
pub mod text;

use pellucid_bits::words::{contains, count, insert, is_subset};
use pellucid_close::SearchStop;
use pellucid_data::Relation;
use std::cmp::Ordering;
use std::fmt;
use std::sync::atomic::AtomicU64;

/// An implication: every object that has the premise has the conclusion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implication {
    /// The attributes of the premise, as [`words`](pellucid_bits::words).
    pub premise: Box<[u64]>,
    /// The attributes of the conclusion, without those of the premise.
    pub conclusion: Box<[u64]>,
    /// The number of objects that have the premise (and so the conclusion).
    pub support: u64,
}

impl Implication {
    /// Compares by the size of the premise, then in lectic order: the smaller of two sets is the
    /// one without the first attribute in which they differ.
    #[must_use]
    pub fn order(&self, other: &Implication) -> Ordering {
        count(&self.premise)
            .cmp(&count(&other.premise))
            .then_with(|| lectic(&self.premise, &other.premise))
    }

    /// Whether the implication is valid in a relation.
    #[must_use]
    pub fn is_valid_in(&self, relation: &Relation) -> bool {
        relation.rows().all(|row| {
            let mut set = vec![0; self.premise.len()];
            row.iter().for_each(|&a| insert(&mut set, a as usize));
            !is_subset(&self.premise, &set) || is_subset(&self.conclusion, &set)
        })
    }
}

/// Compares two sets in lectic order.
pub(crate) fn lectic(a: &[u64], b: &[u64]) -> Ordering {
    let differs = a.iter().zip(b).position(|(a, b)| a != b);
    differs.map_or(Ordering::Equal, |word| {
        let first = word * 64 + (a[word] ^ b[word]).trailing_zeros() as usize;
        if contains(b, first) { Ordering::Less } else { Ordering::Greater }
    })
}

/// The options of the search for a stem base.
#[derive(Clone, Copy, Default)]
pub struct BaseOptions<'a> {
    /// The minimum support of an implication. With 1, premises that no object has are omitted. The
    /// list is then complete for all sets of attributes with this support.
    pub min_support: u64,
    /// The maximum number of implications. The ones listed belong to the base, in the order found.
    pub most: Option<u64>,
    /// Called repeatedly; the search stops when it returns true.
    pub stop: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// Updated with the number of implications found so far.
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

/// A list of implications, usually the stem base of a context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanonicalBase {
    /// The implications in their [order](Implication::order).
    pub implications: Vec<Implication>,
    /// Whether the list is complete.
    pub stop: SearchStop,
}

impl CanonicalBase {
    /// Returns all attributes that follow from some attributes.
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

    /// Whether all implications are valid in a relation.
    #[must_use]
    pub fn is_valid_in(&self, relation: &Relation) -> bool {
        self.first_violated(relation).is_none()
    }

    /// Returns the index of the first implication that is not valid in a relation.
    #[must_use]
    pub fn first_violated(&self, relation: &Relation) -> Option<usize> {
        self.implications.iter().position(|implication| !implication.is_valid_in(relation))
    }
}

/// Adds all members of a set to another.
pub(crate) fn unite(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}

/// Computes the stem base of a relation.
#[must_use]
pub fn base(relation: &Relation, options: &BaseOptions<'_>) -> CanonicalBase {
    canonical::base(relation, options)
}
