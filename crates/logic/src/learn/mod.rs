//! Learning class expressions from positive and negative individuals.
//!
//! A [`Lab`] is the bench that every method works at: the knowledge base, a reasoner to which the training examples were
//! put, a [`Board`] of the best answers, and when to stop. A method is a [`Search`] that offers programs to the board.

mod board;
mod cuts;
mod error;
mod instant;
mod lab;
mod length;
mod options;
mod search;
mod task;

pub use board::{Answer, Board, Lead, Score};
pub use cuts::{Cut, MOST_CUTS};
pub use error::LearnError;
pub use instant::{Instant, InstantState};
pub use lab::{Allowed, Lab};
pub use crate::Semantics;
pub use options::{Method, Operators, Options};
pub use search::{Pace, Search};
pub use task::Task;
