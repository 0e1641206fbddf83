//! The run as a value: what was planned, what was seen on the way, why it ended.
//!
//! A learner implements [`Stepper`] and leaves the loop to the [`Driver`], which brings time
//! limits, interrupts, stalls, records, checkpoints and resuming. Whoever wants to watch is an
//! [`Observer`] of the same [`Record`]s: a progress bar, a log of JSON lines, a callback, the
//! report.

mod control;
mod driver;
mod observer;
mod record;
mod stop;

pub use control::{Clock, Control, HandClock};
pub use driver::{Driver, RunError, Step, Stepper};
pub use observer::{JsonLines, Keep, Observer, Observers, Silent};
pub use record::{Figures, History, Record};
pub use stop::StopReason;

use crate::fingerprint::Fingerprint;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;

/// What a run is going to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The learner, such as `rules`.
    pub learner: Cow<'static, str>,
    /// The parameters, as they stand in the model file.
    pub params: Value,
    /// A digest of the data and of every parameter that changes the result; a checkpoint with
    /// another digest is refused. Leave the number of steps out of it and a finished run can be
    /// continued with more of them.
    pub fingerprint: Fingerprint,
    /// How many steps at most.
    pub steps: Option<u64>,
    /// After how many steps without a better score the run counts as stalled.
    pub patience: Option<u64>,
    /// What the run counts as evaluated, in words: `hypotheses tried` if nothing else is said.
    #[serde(default = "hypotheses_tried")]
    pub counts: Cow<'static, str>,
    /// Where a resumed run begins; set by the driver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumed: Option<Resumed>,
}

/// What most learners count.
fn hypotheses_tried() -> Cow<'static, str> {
    "hypotheses tried".into()
}

impl Plan {
    /// A plan without limits.
    #[must_use]
    pub fn new(learner: &'static str, params: Value, fingerprint: Fingerprint) -> Self {
        let learner = learner.into();
        let counts = hypotheses_tried();
        Self { learner, params, fingerprint, steps: None, patience: None, counts, resumed: None }
    }

    /// Says in words what is counted, where that is not hypotheses: `examples shown`.
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

/// Where a resumed run begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resumed {
    /// How many steps were done before.
    pub step: u64,
    /// How long they took.
    pub seconds: f64,
    /// How many hypotheses were evaluated.
    pub evaluated: u64,
    /// The records of that time; not repeated in JSON.
    #[serde(skip)]
    pub history: History,
}

/// How a run ended, with its totals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSummary {
    /// Why it ended.
    pub stop: StopReason,
    /// How many steps were done.
    pub step: u64,
    /// How many hypotheses were evaluated.
    pub evaluated: u64,
    /// How long it took, the time before a resume included.
    pub seconds: f64,
    /// The best score of any step, for learners that have one.
    pub best: Option<f64>,
}

/// A whole run: the plan, the records, and how it ended. A report reads it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// What was planned.
    pub plan: Plan,
    /// What was seen, thinned out evenly if the run was long, and always the last step.
    pub records: Vec<Record>,
    /// What a person should know.
    pub warnings: Vec<String>,
    /// What was chosen on the way, such as how work is done from now on.
    #[serde(default)]
    pub remarks: Vec<String>,
    /// How it ended.
    pub summary: RunSummary,
}
