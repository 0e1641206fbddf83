//! Rules.
#![forbid(unsafe_code)]

pub mod apply;
pub mod breed;
pub mod conform;
pub mod cut;
pub mod default;
pub mod evolve;
pub mod explain;
pub mod export;
pub mod g3pmi;
pub mod genome;
pub mod grammar;
pub mod learn;
pub mod model;
pub mod params;
pub mod pareto;
mod short;
pub mod summary;
pub mod train;
pub mod validate;
mod vote;
