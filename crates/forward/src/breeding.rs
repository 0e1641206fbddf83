//! Breeding of whole generations on a device.
//!
//! A GPU needs less time for a generation of a small population than it takes to return the result
//! and start the next one. For the one breeding scheme that is described here, a device may
//! therefore breed many generations in a row. The result is identical to breeding on the host with
//! the same random streams.

use crate::{Ranks, Shape};

/// A population to be bred for some generations.
///
/// The child at index 0 is the unchanged best parent. Every other child has its own random stream:
/// xoshiro256++ from the key of the family and the labels generation and index, as in the streams
/// of learners. Drawn in this order are: the rank of a parent (see
/// [`rank_rate`](BreedingPlan::rank_rate)), and whether it is mutated. For a mutation follow the node
/// and, for each of its genes, the size and the sign of the change. For a crossover follow the rank
/// of another parent and one bit for each gene, 64 of them per word.
#[derive(Clone, Copy, Debug)]
pub struct BreedingPlan<'a> {
    /// The inputs whose rows are scored.
    pub inputs: usize,
    /// The shape of the networks.
    pub shape: &'a Shape,
    /// The size of the top. Networks with more positives in the top are better. Rows that tie at
    /// its end count only if all of them fit.
    pub wanted: usize,
    /// The genes of the parents, best first.
    pub parents: &'a [f32],
    /// The key of the family of random streams.
    pub key: [u64; 2],
    /// The rate of the exponential distribution of ranks; ranks out of range are drawn again.
    pub rank_rate: f64,
    /// The generations to breed, in order.
    pub generations: &'a [GenerationSettings],
}

/// The mutation settings of a generation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GenerationSettings {
    /// The number of the generation.
    pub number: u64,
    /// The probability that a child is mutated; otherwise it has two parents.
    pub mutated: f64,
    /// The mean absolute change of mutated genes.
    pub mean: f64,
}

/// A bred generation, by index and not by rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Bred {
    /// The genes of all networks, concatenated.
    pub genes: Vec<f32>,
    /// The rank statistics of each network.
    pub ranks: Vec<Ranks>,
}
