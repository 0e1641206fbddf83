//! Learning class expressions from positive and negative individuals.
//!
//! A [`Lab`] is the bench that every method works at: the knowledge base, a reasoner to which the training examples were
//! put, a [`Board`] of the best answers, and when to stop. A method is a [`Search`] that offers programs to the board.

mod board;
mod cuts;
mod error;
mod evolve;
mod identity;
mod instant;
mod lab;
mod length;
mod options;
#[cfg(test)]
mod random_world;
mod refine;
mod search;
mod task;
mod trial;

pub use board::{Answer, Board, Score};
pub use cuts::{Cut, MOST_CUTS};
pub use error::LearnError;
pub use evolve::{Evolve, EvolveState};
pub use instant::{Instant, InstantState};
pub use lab::{Allowed, Lab};
pub use options::{Method, Operators, Options, Semantics};
pub use refine::{Refine, RefineState};
pub use search::{Pace, Search};
pub use task::Task;
