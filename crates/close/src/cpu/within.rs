//! Where the walk ends: a concept below which little is left.

use super::extent::Extent;
use super::level::Level;
use super::slots::Slots;

/// A concept and what is left below it.
pub(super) struct Within<'a> {
    /// The level where a candidate made the concept.
    pub(super) level: &'a Level,
    pub(super) tried: usize,
    pub(super) extent: &'a Extent,
    /// The candidates that are left.
    pub(super) below: &'a Level,
    pub(super) slots: &'a Slots,
}
