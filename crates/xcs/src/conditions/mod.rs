//! Conditions as genomes: covering, crossover, mutation and comparison.
//!
//! If the parents match the current input, so does every child. A child therefore belongs to the
//! current match set, and a duplicate of it, if there is one, is found there.

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
    /// A condition outside the population.
    type Condition: Clone + Default;

    /// Creates a condition that matches an input (covering).
    fn cover(&self, input: &[u32], stream: &mut Stream, one: &mut Self::Condition);
    /// Copies the condition of a slot.
    fn load(&self, slot: usize, one: &mut Self::Condition);
    /// Stores a condition in a slot, which may be one past the last.
    fn store(&mut self, slot: usize, one: &Self::Condition);
    /// Exchanges parts of two conditions (crossover).
    fn cross(
        &self,
        how: Crossover,
        one: &mut Self::Condition,
        other: &mut Self::Condition,
        stream: &mut Stream,
    );
    /// Changes each part with some probability (mutation).
    fn mutate(&self, one: &mut Self::Condition, input: &[u32], rate: f64, stream: &mut Stream);
    /// Restricts each open column to the input with some probability.
    fn specify(&self, one: &mut Self::Condition, input: &[u32], rate: f64, stream: &mut Stream);
    /// Creates a condition from tests that are sorted by column.
    fn load_tests(&self, tests: &[Test], one: &mut Self::Condition);
    /// Whether the condition of a slot is at least as general as another.
    fn contains(&self, slot: usize, one: &Self::Condition) -> bool;
    /// The same for two slots.
    fn contains_slot(&self, slot: usize, other: usize) -> bool;
    /// Whether the condition of a slot equals another.
    fn equals(&self, slot: usize, one: &Self::Condition) -> bool;
    /// Returns a hash of a condition.
    fn digest(&self, one: &Self::Condition) -> u64;
    /// Returns the number of tested columns of a slot; fewer is more general.
    fn specificity(&self, slot: usize) -> usize;
    /// Returns the tests of a condition, stored in `buffer` if it does not consist of tests.
    fn tests<'a>(&self, one: &'a Self::Condition, buffer: &'a mut Vec<Test>) -> &'a [Test];
    /// Returns the list of tests of a slot, if conditions are stored as such lists.
    fn list(&self, slot: usize) -> Option<&TestList>;
    /// Returns the number of slots.
    fn slots(&self) -> usize;
    /// Checks conditions from a checkpoint. Returns a description of the first problem.
    fn find_problem(&self, columns: usize) -> Option<&'static str>;
}

/// Mixes a word into a hash.
#[inline]
pub(crate) fn fold(digest: u64, word: u64) -> u64 {
    let mixed = (digest ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 29)
}

/// Draws the two points of a two-point crossover.
pub(crate) fn crossover_range(places: usize, stream: &mut Stream) -> (usize, usize) {
    let (one, other) = (stream.index(places + 1), stream.index(places + 1));
    (one.min(other), one.max(other))
}
