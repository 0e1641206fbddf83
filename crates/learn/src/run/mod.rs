//! Runs: the plan, the records and the result of training.
//!
//! A learner implements [`Stepper`] and leaves the loop to the [`Driver`], which handles time
//! limits, interrupts, stalls, records, checkpoints and resuming. An [`Observer`] receives the
//! [`Record`]s: a progress bar, a log of JSON lines, a callback or a report.

mod control;
mod driver;
mod observer;
mod record;
mod stop;

pub use control::{Clock, Control, ManualClock};
pub use driver::{Driver, RunError, Step, Stepper};
pub use observer::{JsonLines, Observer, Observers, RunRecorder, Silent};
pub use record::{Figures, History, Record};
pub use stop::StopReason;

use crate::fingerprint::Fingerprint;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;

/// The plan of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The learner, such as `rules`.
    pub learner: Cow<'static, str>,
    /// The parameters, as in the model file.
    pub params: Value,
    /// A digest of the data and of every parameter that changes the result; a checkpoint with
    /// another digest is rejected. If the number of steps is not part of it, a finished run can be
    /// continued with more steps.
    pub fingerprint: Fingerprint,
    /// The maximum number of steps.
    pub steps: Option<u64>,
    /// The number of steps without a better score after which the run is stalled.
    pub patience: Option<u64>,
    /// What `evaluated` counts, in words; `candidates evaluated` by default.
    #[serde(default = "candidates_evaluated")]
    pub counts: Cow<'static, str>,
    /// The starting point of a resumed run; set by the driver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumed: Option<ResumeProgress>,
}

/// Returns what most learners count.
fn candidates_evaluated() -> Cow<'static, str> {
    "candidates evaluated".into()
}

impl Plan {
    /// Returns a plan without limits.
    #[must_use]
    pub fn new(learner: &'static str, params: Value, fingerprint: Fingerprint) -> Self {
        let learner = learner.into();
        let counts = candidates_evaluated();
        Self { learner, params, fingerprint, steps: None, patience: None, counts, resumed: None }
    }

    /// Sets what `evaluated` counts, in words, such as `examples shown`.
    #[must_use]
    pub fn counts(mut self, what: &'static str) -> Self {
        self.counts = what.into();
        self
    }

    /// Limits the number of steps.
    #[must_use]
    pub fn steps(mut self, most: u64) -> Self {
        self.steps = Some(most);
        self
    }

    /// Ends the run after this many steps without a better score.
    #[must_use]
    pub fn patience(mut self, steps: u64) -> Self {
        self.patience = Some(steps);
        self
    }
}

/// The starting point of a resumed run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResumeProgress {
    /// The number of steps before the resume.
    pub step: u64,
    /// Their duration.
    pub seconds: f64,
    /// The number of candidates evaluated.
    pub evaluated: u64,
    /// The records before the resume; not repeated in JSON.
    #[serde(skip)]
    pub history: History,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSummary {
    /// The reason why it ended.
    pub stop: StopReason,
    /// The number of steps.
    pub step: u64,
    /// The number of candidates evaluated.
    pub evaluated: u64,
    /// The duration, including the time before a resume.
    pub seconds: f64,
    /// The best score of any step, for learners that have one.
    pub best: Option<f64>,
}

/// A complete run: the plan, the records and the result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The plan.
    pub plan: Plan,
    /// The records, thinned out evenly if the run was long; the last step is always included.
    pub records: Vec<Record>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
    /// Choices made during the run, such as a change of strategy.
    #[serde(default)]
    pub remarks: Vec<String>,
    /// The result.
    pub summary: RunSummary,
}
