//! The genome of a rule: a sequence of comparisons, each with a link to the next.
//!
//! A derivation of the [grammar](crate::grammar) is a list of lists, so it is stored as a sequence of
//! [`Gene`]s. Their [`Link`]s encode the tree. `a > 1 and b <= 2 or c > 3` is
//!
//! ```text
//! (a > 1, And) (b <= 2, Or) (c > 3, End)
//! ```
//!
//! Non-terminals are found by position: at every gene begins a *conjunction* (from there to the end
//! of its conjunction) and a *comparison*; at the first gene of each conjunction begins an
//! *antecedent* (from there to the end). Mutation may turn an AND into an OR and vice versa, as the
//! paper allows; lists then nest to the right.

mod express;
mod population;

pub use express::{expr, write};
pub use population::Population;

use crate::grammar::COMPARISON_SIZE;
use pellucid_cover::Literal;
use serde::{Deserialize, Serialize};

/// The link between a comparison and the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Link {
    /// AND, in the same conjunction.
    And,
    /// OR, in the same conjunction: an AND that was flipped.
    FlippedAnd,
    /// OR, and the next conjunction.
    Or,
    /// AND, and the next conjunction: an OR that was flipped.
    FlippedOr,
    /// The end of the rule.
    End,
}

impl Link {
    /// Returns the other operator; the end stays the end.
    #[must_use]
    pub fn flipped(self) -> Link {
        match self {
            Link::And => Link::FlippedAnd,
            Link::FlippedAnd => Link::And,
            Link::Or => Link::FlippedOr,
            Link::FlippedOr => Link::Or,
            Link::End => Link::End,
        }
    }

    /// Returns whether the conjunction continues.
    #[must_use]
    pub fn is_inside(self) -> bool {
        matches!(self, Link::And | Link::FlippedAnd)
    }
}

/// A comparison and its link to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "StoredGene", into = "StoredGene")]
pub struct Gene {
    /// The comparison.
    pub literal: Literal,
    /// The link to the next comparison.
    pub link: Link,
}

/// A gene in a checkpoint.
#[derive(Serialize, Deserialize)]
struct StoredGene(u32, u32, bool, Link);

impl From<Gene> for StoredGene {
    fn from(gene: Gene) -> StoredGene {
        let Gene { literal, link } = gene;
        StoredGene(literal.column(), literal.rank(), literal.is_opposite(), link)
    }
}

impl From<StoredGene> for Gene {
    fn from(StoredGene(column, rank, opposite, link): StoredGene) -> Gene {
        // A forged number would panic in the engine. The largest valid one is in no table, so it is
        // rejected later.
        let sound = |number: u32| number.min(u32::MAX >> 1);
        Gene { literal: Literal::new(sound(column), sound(rank), opposite), link }
    }
}

/// Returns the size of a rule: the number of its non-terminals.
#[must_use]
pub fn size(genes: &[Gene]) -> usize {
    COMPARISON_SIZE * genes.len() + genes.iter().filter(|gene| !gene.link.is_inside()).count()
}

/// Returns whether genes form a rule: one end, and it is last.
#[must_use]
pub fn is_whole(genes: &[Gene]) -> bool {
    genes.iter().position(|gene| gene.link == Link::End).is_some_and(|end| end + 1 == genes.len())
}

/// Returns the end of a gene's conjunction: the index after its last gene.
#[must_use]
pub fn conjunction_end(genes: &[Gene], gene: usize) -> usize {
    genes[gene..]
        .iter()
        .position(|gene| !gene.link.is_inside())
        .map_or(genes.len(), |last| gene + last + 1)
}
