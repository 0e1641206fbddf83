//! Gradient-free search for better networks: a genetic algorithm or evolution strategies.
//!
//! A metric such as lift counts rows and has no gradient. Networks are therefore changed at random,
//! in ways that respect their structure (a node with its links is a unit), and better ones survive.
//! The operators are those of D. Montana and L. Davis, "Training feedforward neural networks using
//! genetic algorithms" (1989).

mod breed;
mod matching;
pub(crate) mod operators;
mod population;
mod snes;

#[cfg(test)]
mod tests;

pub(crate) use breed::{Breeder, Child, Operator, PaperBreeder};
pub(crate) use matching::{Responses, layer_outputs, width_of};
pub(crate) use population::{DistinctNetworks, Population, bits, draw_rank, rank_rate};
pub(crate) use snes::Snes;

/// Rounds to single precision.
#[expect(clippy::cast_possible_truncation, reason = "genes have single precision")]
pub(crate) fn to_f32(number: f64) -> f32 {
    number as f32
}
