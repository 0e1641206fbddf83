//! Learning class expressions from positive and negative individuals.
//!
//! A [`SearchContext`] is what every method works with: the knowledge base, a reasoner to which the training examples were
//! put, a [`Leaderboard`] of the best answers, and when to stop. A method is a [`Search`] that offers programs to the
//! leaderboard; a [`MethodSequence`] runs those that were asked for under a driver.
//!
//! [`LogicLearner`] is the way in, [`LogicModel`] what comes out, [`AppliedLogic`] what it says of [`Individuals`].

mod apply;
mod context;
mod cuts;
mod error;
mod evolve;
mod identity;
mod individuals;
mod instant;
mod leaderboard;
mod learner;
mod length;
mod model;
mod options;
mod prune;
#[cfg(test)]
mod random_world;
mod refine;
mod role_way;
mod search;
mod sequence;
mod task;
#[cfg(test)]
mod tests;
mod trial;

pub use crate::Semantics;
pub use apply::AppliedLogic;
pub use context::{Allowed, SearchContext};
pub use cuts::{Cut, MOST_CUTS};
pub use error::LogicError;
pub use evolve::{Evolve, EvolveState};
pub use individuals::Individuals;
pub use instant::{Instant, InstantState};
pub use leaderboard::{Answer, Lead, Leaderboard, Score};
pub use learner::Logic;
pub use model::{Answers, Baseline, FoundExpression, LEARNER, LogicModel, ModelProblem};
pub use options::{LogicLearner, Method, Operators, Options};
pub use refine::{Refine, RefineState};
pub use search::{Pace, Search};
pub use sequence::{MethodSequence, SequenceState};
pub use task::Task;
