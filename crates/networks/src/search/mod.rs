//! Looking for better networks without a slope: by breeding, or with a distribution that moves.
//!
//! A metric such as lift counts rows; it has no slope to follow. So networks are changed at random, in ways that respect what
//! they are made of (a node with its links is a unit), and those that rank better live on. The operators are those of
//! D. Montana and L. Davis, "Training feedforward neural networks using genetic algorithms" (1989).

mod breed;
mod matching;
pub(crate) mod operators;
mod population;
mod snes;

#[cfg(test)]
mod tests;

pub(crate) use breed::{Breeder, Child, Operator, PaperBreeder};
pub(crate) use matching::{Responses, layer_answers, width_of};
pub(crate) use population::{DistinctNetworks, Population, bits, rank_rate, draw_rank};
pub(crate) use snes::Snes;

/// A number with fewer digits.
#[expect(clippy::cast_possible_truncation, reason = "genes have to_f32 precision")]
pub(crate) fn to_f32(number: f64) -> f32 {
    number as f32
}
