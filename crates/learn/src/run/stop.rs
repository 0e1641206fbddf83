//! Why a run ended.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a run ended. Every run ends for one of these reasons, or with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// What was asked for is reached, such as a hypothesis that is right about as many training examples as it had to be.
    Solved,
    /// All steps that were asked for are done.
    Steps,
    /// The time limit is reached.
    Time,
    /// Nothing got better for as many steps as was allowed.
    Stalled,
    /// A limit on size was reached, such as the most concepts to list.
    Cap,
    /// Someone asked to stop.
    Interrupted,
    // Checkpoints know reasons by their place: new ones go to the end.
    /// Everything was done that there was to do; nobody had asked for a result that could be reached.
    Finished,
    /// A step failed; the error says why.
    Failed,
}

impl StopReason {
    /// Whether going on from here is of use: the run was cut short from outside.
    #[must_use]
    pub fn is_pause(self) -> bool {
        matches!(self, StopReason::Time | StopReason::Interrupted)
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            StopReason::Solved => "the target is reached on the training data",
            StopReason::Steps => "all steps done",
            StopReason::Time => "time limit reached",
            StopReason::Stalled => "no improvement any more",
            StopReason::Cap => "as many as were allowed",
            StopReason::Interrupted => "interrupted",
            StopReason::Finished => "finished",
            StopReason::Failed => "failed",
        })
    }
}
