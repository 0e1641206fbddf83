//! The concept at which a walk ends because little is left below it.

use super::extent::Extent;
use super::level::Level;
use super::slots::Slots;

/// A concept and the candidates below it.
pub(super) struct ConceptNode<'a> {
    /// The level of the candidate that produced the concept.
    pub(super) level: &'a Level,
    pub(super) tried: usize,
    pub(super) extent: &'a Extent,
    /// The remaining candidates.
    pub(super) below: &'a Level,
    pub(super) slots: &'a Slots,
}
