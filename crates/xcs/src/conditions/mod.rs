//! Conditions as genomes: how they are made to match an input, crossed, mutated and compared.
//!
//! Whatever an operator makes matches the input at hand, as long as the parents do. So a rule that is bred belongs to the match
//! set it was bred in, and if the population has the very same rule already, it is found there and nowhere else.

mod intervals;
mod ternary;

pub(crate) use intervals::Intervals;
pub(crate) use ternary::Ternary;

#[cfg(test)]
mod tests;

use crate::params::Crossover;
use pellucid_learn::rng::Stream;
use pellucid_matching::{Test, TestList};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The conditions of a population, slot by slot, and the operators on them.
pub(crate) trait Conditions: Clone + Serialize + DeserializeOwned {
    /// A condition that hangs nowhere yet.
    type One: Clone + Default;

    /// One that matches an input.
    fn cover(&self, input: &[u32], stream: &mut Stream, one: &mut Self::One);
    /// Takes a copy out of a slot.
    fn take(&self, slot: usize, one: &mut Self::One);
    /// Writes one into a slot, which may be one past the last.
    fn put(&mut self, slot: usize, one: &Self::One);
    /// Exchanges parts of two.
    fn cross(
        &self,
        how: Crossover,
        one: &mut Self::One,
        other: &mut Self::One,
        stream: &mut Stream,
    );
    /// Changes parts, each with some probability.
    fn mutate(&self, one: &mut Self::One, input: &[u32], rate: f64, stream: &mut Stream);
    /// Closes open columns around an input, each with some probability.
    fn specify(&self, one: &mut Self::One, input: &[u32], rate: f64, stream: &mut Stream);
    /// The condition that is made of some tests, sorted by column.
    fn of_tests(&self, tests: &[Test], one: &mut Self::One);
    /// Whether a slot's condition matches whatever another matches.
    fn contains(&self, slot: usize, one: &Self::One) -> bool;
    /// The same between slots.
    fn contains_slot(&self, slot: usize, other: usize) -> bool;
    /// Whether they are the same.
    fn same(&self, slot: usize, one: &Self::One) -> bool;
    /// A number that is the same for the same condition.
    fn digest(&self, one: &Self::One) -> u64;
    /// How much a slot's condition asks: fewer is more general.
    fn asks(&self, slot: usize) -> usize;
    /// The tests of a condition, written into some room where it is not made of them.
    fn tests<'a>(&self, one: &'a Self::One, room: &'a mut Vec<Test>) -> &'a [Test];
    /// The list of tests that a slot has, where its condition is kept as one.
    fn list(&self, slot: usize) -> Option<&TestList>;
    /// How many slots there are.
    fn slots(&self) -> usize;
    /// What would be wrong with conditions from a file, for inputs of so many columns.
    fn misfit(&self, columns: usize) -> Option<&'static str>;
}

/// Folds a word into a digest.
#[inline]
pub(crate) fn fold(digest: u64, word: u64) -> u64 {
    let mixed = (digest ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 29)
}

/// Where a stretch of a row begins and ends, for crossover at two points.
pub(crate) fn stretch(places: usize, stream: &mut Stream) -> (usize, usize) {
    let (one, other) = (stream.index(places + 1), stream.index(places + 1));
    (one.min(other), one.max(other))
}
