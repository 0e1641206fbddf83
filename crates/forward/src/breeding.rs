//! Generations that a device makes by itself.
//!
//! A generation of a small population takes a GPU less time than it takes a processor to hear of it and to
//! make the next. Where children are made in the one way that is told here, a device may make them itself,
//! many generations in a row. What it gives is what would have come of ranking children that are made
//! elsewhere: the same draws by the same streams.

use crate::{Ranks, Shape};

/// A population that is to be bred for some generations.
///
/// The child at place 0 is the best parent as it is. Each other child has a random stream of its own:
/// xoshiro256++ by the family's key and the labels generation and place, as the streams of learners are. By
/// it are drawn, in this order: the rank of a parent (see [`rank_rate`](Breeding::rank_rate)), whether it is
/// mutated, and then either the node that is mutated and for each of its genes how far and to which side it
/// moves, or the rank of another parent and a coin for each gene, 64 of them to a word.
#[derive(Clone, Copy, Debug)]
pub struct Breeding<'a> {
    /// Which rows count: all of these inputs.
    pub inputs: usize,
    /// The networks' shape.
    pub shape: &'a Shape,
    /// So many of the best rows are looked at. Networks with more positives among them are better; of rows
    /// that tie at their end none counts, unless all do.
    pub wanted: usize,
    /// The genes of the parents, the best first.
    pub parents: &'a [f32],
    /// The key of the family of streams.
    pub key: [u64; 2],
    /// Ranks are drawn by an exponential distribution of this rate, again where there is no such rank.
    pub rank_rate: f64,
    /// The generations, one after the other.
    pub generations: &'a [Generation],
}

/// How the children of a generation are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Generation {
    /// Its number.
    pub number: u64,
    /// How likely a child is mutated; else it has two parents.
    pub mutated: f64,
    /// The mean of how far genes are moved.
    pub mean: f64,
}

/// A generation that was made: networks by place, not by rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Bred {
    /// The genes of all, one network after the other.
    pub genes: Vec<f32>,
    /// What the scores of each say.
    pub ranks: Vec<Ranks>,
}
