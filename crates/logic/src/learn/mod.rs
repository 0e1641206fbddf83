//! Learning class expressions from positive and negative individuals.
//!
//! A [`Lab`] is the bench that every method works at: the knowledge base, a reasoner to which the training examples were
//! put, a [`Board`] of the best answers, and when to stop. A method is a [`Search`] that offers programs to the board.
//!
//! [`train`] runs the methods that were asked for under a driver, [`Model`] is what comes out, [`Applied`] what it says of
//! individuals, and [`cross_validate`] how far it can be relied on.

mod apply;
mod board;
mod cross_validate;
mod cuts;
mod error;
mod evolve;
mod identity;
mod instant;
mod lab;
mod learner;
mod length;
mod model;
mod options;
#[cfg(test)]
mod random_world;
mod refine;
mod search;
mod task;
#[cfg(test)]
mod tests;
mod train;
mod trial;

pub use crate::Semantics;
pub use apply::{Applied, Prediction};
pub use board::{Answer, Board, Lead, Score};
pub use cross_validate::cross_validate;
pub use cuts::{Cut, MOST_CUTS};
pub use error::LearnError;
pub use evolve::{Evolve, EvolveState};
pub use instant::{Instant, InstantState};
pub use lab::{Allowed, Lab};
pub use learner::{Learner, LearnerState};
pub use model::{Answers, Baseline, LEARNER, Model, ModelProblem, SavedAnswer};
pub use options::{Method, Operators, Options};
pub use refine::{Refine, RefineState};
pub use search::{Pace, Search};
pub use task::Task;
pub use train::{Learned, RunError, train};
