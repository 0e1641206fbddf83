//! Learning class expressions from positive and negative examples.
//!
//! A [`SearchContext`] is shared by all methods: the knowledge base, a reasoner with the training
//! examples, a [`Leaderboard`] of the best expressions, and the stopping criteria. A method
//! implements [`SearchMethod`] and offers programs to the leaderboard; a [`MethodSequence`] runs
//! the selected methods under a driver.
//!
//! [`LogicLearner`] is the entry point, [`LogicModel`] the result, and [`AppliedLogic`] its
//! predictions for [`Individuals`].

mod allowed;
mod apply;
mod context;
mod coordinates;
mod cuts;
mod detours;
mod directed_role;
mod error;
mod evaluation;
mod evolve;
mod identity;
mod individuals;
mod instant;
mod leaderboard;
mod learner;
mod length;
mod model;
mod options;
#[cfg(test)]
mod random_world;
mod readable;
mod refine;
mod search;
mod sequence;
mod shortest;
mod task;
#[cfg(test)]
mod tests;

pub use crate::Semantics;
pub use allowed::AllowedNames;
pub use apply::AppliedLogic;
pub use context::SearchContext;
pub use cuts::{Cut, MAX_CUTS};
pub use error::LogicError;
pub use evolve::{Evolve, EvolveState};
pub use individuals::Individuals;
pub use instant::{Instant, InstantState};
pub use leaderboard::{ExpressionScore, Leaderboard, PreferredExpression, RankedExpression};
pub use learner::Logic;
pub use model::{
    Baseline, LEARNER, LearnedExpression, LearnedExpressions, LogicModel, LogicModelError,
};
pub use options::{LogicLearner, Method, Operators, Options};
pub use refine::{Refine, RefineState};
pub use search::{SearchMethod, StepOutcome};
pub use sequence::{HeldOut, MethodSequence, SequenceState};
pub use shortest::Minimality;
pub use task::LearningTask;
