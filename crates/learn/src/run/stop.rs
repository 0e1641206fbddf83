//! The reason why a run ended.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The reason why a run ended. Every run ends for one of these reasons, or with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The target is reached, such as a required training accuracy.
    Solved,
    /// All steps are done.
    Steps,
    /// The time limit is reached.
    Time,
    /// The score did not improve for the allowed number of steps.
    Stalled,
    /// A limit on candidates or results is reached, such as the maximum number of concepts.
    Cap,
    /// The run was interrupted.
    Interrupted,
    // Checkpoints store reasons by index: add new ones at the end.
    /// There is nothing left to do, and the run had no target.
    Finished,
    /// A step failed with an error.
    Failed,
}

impl StopReason {
    /// Returns whether the run was stopped from outside, so that continuing it is useful.
    #[must_use]
    pub fn is_pause(self) -> bool {
        matches!(self, StopReason::Time | StopReason::Interrupted)
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            StopReason::Solved => "reached the target on the training data",
            StopReason::Steps => "completed all steps",
            StopReason::Time => "reached the time limit",
            StopReason::Stalled => "no further improvement",
            StopReason::Cap => "reached the candidate limit",
            StopReason::Interrupted => "interrupted",
            StopReason::Finished => "finished",
            StopReason::Failed => "failed",
        })
    }
}
