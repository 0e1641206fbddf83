use super::{LogicError, SearchContext};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A way of looking for answers, in steps between which it can be put down and taken up again.
///
/// A step offers whatever it finds to the context's leaderboard, asks [`SearchContext::should_stop`] between its batches and returns early when
/// told to. Everything that a later step depends on belongs to the state, programs as text; random draws come from
/// [`Streams`](pellucid_learn::rng::Streams) by the number of the step.
pub trait Search: Sized {
    /// What must be kept to go on later.
    type State: Clone + Serialize + DeserializeOwned;

    /// Prepares the search.
    ///
    /// # Errors
    /// When evaluation fails.
    fn new(context: &mut SearchContext) -> Result<Self, LogicError>;

    /// Goes on from a state, which may come from a damaged or forged file.
    ///
    /// # Errors
    /// When the state makes no sense.
    fn restore(context: &mut SearchContext, state: Self::State) -> Result<Self, LogicError>;

    /// Takes a step of a tenth of a second or so.
    ///
    /// # Errors
    /// When evaluation fails.
    fn step(&mut self, context: &mut SearchContext) -> Result<Pace, LogicError>;

    /// The state after the last whole step.
    fn state(&self, context: &SearchContext) -> Self::State;
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// There is more to do.
    More,
    /// There is nothing left to try, or what was asked for is reached.
    Done,
    /// It was cut short: the state is still that of before the step, and the step is to be taken again.
    CutShort,
}
