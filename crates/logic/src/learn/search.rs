use super::{LogicError, SearchContext};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A search method that works in steps and can be paused and resumed between them.
///
/// A step offers candidates to the leaderboard of the context, calls [`SearchContext::should_stop`]
/// between batches and returns early if the run should stop. The state contains everything that
/// later steps depend on, with programs as text; random numbers come from
/// [`Streams`](pellucid_learn::rng::Streams) by step number.
pub trait SearchMethod: Sized {
    /// The state for resuming.
    type State: Clone + Serialize + DeserializeOwned;

    /// Prepares the search.
    ///
    /// # Errors
    /// If evaluation fails.
    fn new(context: &mut SearchContext) -> Result<Self, LogicError>;

    /// Resumes from a state, which may come from a damaged or forged file.
    ///
    /// # Errors
    /// If the state is invalid.
    fn restore(context: &mut SearchContext, state: Self::State) -> Result<Self, LogicError>;

    /// Performs a step of about a tenth of a second.
    ///
    /// # Errors
    /// If evaluation fails.
    fn step(&mut self, context: &mut SearchContext) -> Result<StepOutcome, LogicError>;

    /// The state after the last complete step.
    fn state(&self, context: &SearchContext) -> Self::State;
}

/// The outcome of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepOutcome {
    /// There is more to do.
    More,
    /// There is nothing left to try, or a solution was found.
    Done,
    /// The step was interrupted. The state is unchanged, and the step will be repeated.
    CutShort,
}
