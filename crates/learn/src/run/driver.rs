//! The one loop of all learners.

use super::{
    Control, Figures, History, Observer, Plan, Record, Resumed, Run, RunSummary, StopReason,
};
use crate::checkpoint::{Cadence, Checkpoint, CheckpointError, MAX_BYTES, is_checkpoint};
use crate::model::StoredModel;
use crate::params::ParamError;
use pellucid_device::DeviceError;
use pellucid_files::{Held, remove_leftovers};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// What a learner tells after a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// How many hypotheses were evaluated in this step.
    pub evaluated: u64,
    /// The best score so far or in this step, larger is better; what decides whether the run has
    /// stalled.
    pub score: Option<f64>,
    /// Numbers for the record.
    pub values: Figures,
    /// Why the learner is done, if it is: [`StopReason::Solved`] only where what was asked for is reached,
    /// [`StopReason::Finished`] where there is nothing left to do, [`StopReason::Cap`] at a limit. A learner that was asked
    /// to stop within a step and goes back to where the step began gives the [pause](StopReason::is_pause) and nothing
    /// evaluated; such a step does not count.
    pub stop: Option<StopReason>,
}

/// A learner that works in steps, such as generations, and can be taken up again after any of them.
///
/// Everything that a later step depends on belongs to the state. Random draws come from
/// [`Streams`](crate::rng::Streams) by the number of the step, or the stream is part of the state.
pub trait Stepper {
    /// What must be kept to go on later.
    type State: Serialize + DeserializeOwned;
    /// What can go wrong in a step.
    type Error: std::error::Error + 'static;

    /// What is going to be done.
    fn plan(&self) -> Plan;

    /// Takes one step.
    ///
    /// # Errors
    /// Whatever ends the run.
    fn step(&mut self) -> Result<Step, Self::Error>;

    /// The state after the last step.
    fn state(&self) -> &Self::State;

    /// Goes back to a state that was kept. It fits the plan's fingerprint, but may come from a
    /// damaged or forged file: check what the learner relies on.
    ///
    /// # Errors
    /// When the state makes no sense.
    fn restore(&mut self, state: Self::State) -> Result<(), Self::Error>;

    /// What was chosen in the last step, if that changes how the work is done; told once.
    fn remark(&mut self) -> Option<String> {
        None
    }

    /// Whether a run that was restored is still done for the reason it once gave: a limit may have been raised since.
    fn is_still_done(&self, reason: StopReason) -> bool {
        let _ = reason;
        true
    }
}

/// Why a run ended without a result.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E: std::error::Error + 'static> {
    /// The learner failed, or cannot use the data.
    #[error(transparent)]
    Learner(E),
    /// The checkpoint to resume from cannot be used, or none can be written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A parameter is not allowed.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// There is nothing to run on.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// Steps a learner until something says stop.
///
/// ```
/// use pellucid_learn::fingerprint::Fingerprint;
/// use pellucid_learn::run::{Control, Driver, Plan, Silent, Step, Stepper, StopReason};
/// use std::convert::Infallible;
///
/// /// Looks for a divisor of 91, one candidate a step.
/// struct Search(u64);
///
/// impl Stepper for Search {
///     type State = u64;
///     type Error = Infallible;
///
///     fn plan(&self) -> Plan {
///         let made_with = Fingerprint::new().with_number(91);
///         Plan::new("search", serde_json::json!({ "number": 91 }), made_with).steps(50)
///     }
///     fn step(&mut self) -> Result<Step, Infallible> {
///         self.0 += 1;
///         let stop = (self.0 > 1 && 91 % self.0 == 0).then_some(StopReason::Solved);
///         Ok(Step { evaluated: 1, stop, ..Step::default() })
///     }
///     fn state(&self) -> &u64 {
///         &self.0
///     }
///     fn restore(&mut self, state: u64) -> Result<(), Infallible> {
///         self.0 = state;
///         Ok(())
///     }
/// }
///
/// let mut search = Search(0);
/// let run = Driver::new(&Control::new()).run(&mut search, &mut Silent)?;
/// assert_eq!((search.0, run.summary.stop, run.summary.step), (7, StopReason::Solved, 7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Driver {
    control: Control,
    checkpoint: Option<(PathBuf, Cadence)>,
    resume: bool,
    all_or_nothing: bool,
    earlier: Option<Arc<StoredModel>>,
}

/// What the driver itself must remember, kept beside the learner's state.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Progress {
    evaluated: u64,
    best: Option<f64>,
    /// The step of the last better score.
    best_at: u64,
    /// Set once the learner said that it is done.
    done: Option<StopReason>,
    history: History,
}

/// What a checkpoint holds: `S` is a state when read and a reference to one when written.
#[derive(Serialize, Deserialize)]
struct Saved<P, S> {
    progress: P,
    learner: S,
}

impl Driver {
    /// A driver that stops when the control says so, and keeps no checkpoint.
    #[must_use]
    pub fn new(control: &Control) -> Self {
        let control = control.clone();
        Self { control, checkpoint: None, resume: false, all_or_nothing: false, earlier: None }
    }

    /// Keeps a checkpoint at `path`, written before the first step, whenever it is due, and at the
    /// end.
    ///
    /// A file that is there already is an error, because it would be lost, unless the run resumes
    /// from it.
    #[must_use]
    pub fn checkpoint(mut self, path: impl Into<PathBuf>, cadence: Cadence) -> Self {
        self.checkpoint = Some((path.into(), cadence));
        self
    }

    /// Goes on from the checkpoint; if there is none yet, starts at the beginning with a warning,
    /// so that the same command can be given again after any interruption.
    #[must_use]
    pub fn resume(mut self, resume: bool) -> Self {
        self.resume = resume;
        self
    }

    /// Goes on from what an earlier model knew, for learners that can.
    #[must_use]
    pub fn earlier(mut self, model: StoredModel) -> Self {
        self.earlier = Some(Arc::new(model));
        self
    }

    /// The earlier model to go on from, if there is one.
    #[must_use]
    pub fn goes_on_from(&self) -> Option<&StoredModel> {
        self.earlier.as_deref()
    }

    /// Nothing less than the end of the run is of use, as in a fold of a cross-validation: when it is told to stop, a
    /// learner may leave the step it is in and what it has so far.
    #[must_use]
    pub fn all_or_nothing(mut self) -> Self {
        self.all_or_nothing = true;
        self
    }

    /// Why a learner should leave the step it is in: only where half a run is of no use, see
    /// [`Driver::all_or_nothing`].
    #[must_use]
    pub fn should_abandon(&self) -> Option<StopReason> {
        if self.all_or_nothing { self.control.should_stop() } else { None }
    }

    /// What may stop the run from outside, for learners that ask within a step too.
    #[must_use]
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// Runs the learner until it is done or something says stop. The learner then holds the result.
    ///
    /// Whoever observes hears of the end of every run that began, also of one that failed.
    ///
    /// A checkpoint that cannot be written on the way is a warning, not the end: the work goes on,
    /// and it is tried again when the next one is due.
    ///
    /// # Errors
    /// When the learner fails, the checkpoint to resume from cannot be used, or the first one
    /// cannot be written.
    pub fn run<S: Stepper>(
        &self,
        stepper: &mut S,
        observer: &mut dyn Observer,
    ) -> Result<Run, RunError<S::Error>> {
        let mut lap = Lap::begin(self, stepper)?;
        observer.started(&lap.plan);
        if self.resume && lap.plan.resumed.is_none() {
            let missing = match &self.checkpoint {
                Some((path, _)) => format!("no checkpoint at {} yet", path.display()),
                None => "no checkpoint was named to resume from".to_owned(),
            };
            lap.warn(observer, format!("{missing}: starting at the beginning"));
        }
        let stop = loop {
            if let Some(stop) = lap.stop_reason() {
                break stop;
            }
            match stepper.step() {
                Ok(Step { evaluated: 0, stop: Some(stop), .. }) if stop.is_pause() => break stop,
                Ok(step) => {
                    observer.record(&lap.take_in(step));
                    if let Some(remark) = stepper.remark() {
                        observer.remarked(&remark);
                        lap.remarks.push(remark);
                    }
                }
                Err(error) => {
                    // No checkpoint is written: the state may be that of half a step.
                    observer.stopped(&lap.end(StopReason::Failed).summary);
                    return Err(RunError::Learner(error));
                }
            }
            lap.save_if_due(stepper, observer);
        };
        lap.save_at_end(stepper, observer);
        let run = lap.end(stop);
        observer.stopped(&run.summary);
        Ok(run)
    }
}

/// One call of [`Driver::run`]: the part of a run between a start or resume and a stop.
struct Lap<'a> {
    driver: &'a Driver,
    plan: Plan,
    progress: Progress,
    step: u64,
    /// What the clock showed at the beginning, and the seconds of the laps before.
    began: Duration,
    earlier: f64,
    /// Step and time of the last checkpoint.
    saved: (u64, Duration),
    warnings: Vec<String>,
    remarks: Vec<String>,
    /// The checkpoint, which nobody else may write meanwhile.
    held: Option<Held>,
}

impl<'a> Lap<'a> {
    fn begin<S: Stepper>(driver: &'a Driver, stepper: &mut S) -> Result<Self, RunError<S::Error>> {
        let (plan, began) = (stepper.plan(), driver.control.now());
        let (progress, warnings) = (Progress::default(), Vec::new());
        let mut lap = Self {
            driver,
            plan,
            progress,
            step: 0,
            began,
            earlier: 0.0,
            saved: (0, began),
            warnings,
            remarks: Vec::new(),
            held: None,
        };
        lap.plan.resumed = None;
        let Some((path, _)) = &driver.checkpoint else { return Ok(lap) };
        remove_leftovers(path);
        let exists = path.try_exists().unwrap_or(true);
        if exists && !driver.resume {
            return Err(CheckpointError::Exists(path.clone()).into());
        }
        if exists {
            lap.take_up(path, stepper)?;
        } else {
            // At once, so that a folder that cannot be written to is found out before the work.
            let bytes = lap.to_bytes(stepper)?;
            lap.held = Some(Held::create(path, &bytes).map_err(|error| unwritten(path, error))?);
        }
        Ok(lap)
    }

    /// Goes back to where the checkpoint was written.
    fn take_up<S: Stepper>(
        &mut self,
        path: &Path,
        stepper: &mut S,
    ) -> Result<(), RunError<S::Error>> {
        let held = Held::take(path).map_err(|error| unread(path, error))?;
        let content = held.read(MAX_BYTES, is_checkpoint).map_err(|error| unread(path, error))?;
        let (learner, fingerprint) = (&self.plan.learner, self.plan.fingerprint);
        let found: Checkpoint<Saved<Progress, S::State>> =
            Checkpoint::from_content(content, learner, fingerprint)
                .map_err(|fault| CheckpointError::Content { path: path.to_owned(), fault })?;
        // There is no way back, and a run of fewer steps would have ended elsewhere.
        if let Some(asked) = self.plan.steps.filter(|&asked| asked < found.step) {
            let (path, done) = (path.to_owned(), found.step);
            return Err(CheckpointError::Beyond { path, done, asked }.into());
        }
        stepper.restore(found.state.learner).map_err(RunError::Learner)?;
        self.held = Some(held);
        self.progress = found.state.progress;
        // A learner may itself end a step early when asked to pause; that is no reason to stop
        // again.
        self.progress.done =
            self.progress.done.filter(|&done| !done.is_pause() && stepper.is_still_done(done));
        (self.step, self.earlier, self.saved.0) = (found.step, found.seconds, found.step);
        self.plan.resumed = Some(Resumed {
            step: found.step,
            seconds: found.seconds,
            evaluated: self.progress.evaluated,
            history: self.progress.history.clone(),
        });
        Ok(())
    }

    fn seconds(&self) -> f64 {
        self.earlier + self.driver.control.now().saturating_sub(self.began).as_secs_f64()
    }

    /// The result comes before the limits, and the limits of the run before those from outside.
    fn stop_reason(&self) -> Option<StopReason> {
        let waited = self.step.saturating_sub(self.progress.best_at);
        self.progress
            .done
            .or(self.plan.steps.filter(|&most| self.step >= most).map(|_| StopReason::Steps))
            .or(self.plan.patience.filter(|&most| waited >= most).map(|_| StopReason::Stalled))
            .or_else(|| self.driver.control.should_stop())
    }

    /// Adds what a step brought.
    fn take_in(&mut self, step: Step) -> Record {
        self.step = self.step.saturating_add(1);
        let progress = &mut self.progress;
        progress.evaluated = progress.evaluated.saturating_add(step.evaluated);
        progress.done = step.stop;
        if let Some(score) = step.score.filter(|score| !score.is_nan())
            && progress.best.is_none_or(|best| score > best)
        {
            progress.best = Some(score);
            progress.best_at = self.step;
        }
        let record = Record {
            step: self.step,
            steps: self.plan.steps,
            evaluated: self.progress.evaluated,
            seconds: self.seconds(),
            values: step.values,
        };
        self.progress.history.push(record.clone());
        record
    }

    fn to_bytes<S: Stepper>(&self, stepper: &S) -> Result<Vec<u8>, CheckpointError> {
        let checkpoint = Checkpoint {
            learner: self.plan.learner.clone(),
            fingerprint: self.plan.fingerprint,
            step: self.step,
            seconds: self.seconds(),
            state: Saved { progress: &self.progress, learner: stepper.state() },
        };
        let learner = || self.plan.learner.clone().into_owned();
        checkpoint.to_bytes().map_err(|error| CheckpointError::Encode { learner: learner(), error })
    }

    fn save<S: Stepper>(&mut self, path: &Path, stepper: &S) -> Result<(), CheckpointError> {
        self.saved = (self.step, self.driver.control.now());
        let bytes = self.to_bytes(stepper)?;
        let Some(held) = &mut self.held else { return Ok(()) };
        held.replace(&bytes).map_err(|error| unwritten(path, error))
    }

    fn save_if_due<S: Stepper>(&mut self, stepper: &S, observer: &mut dyn Observer) {
        let Some((path, cadence)) = &self.driver.checkpoint else { return };
        let passed = self.driver.control.now().saturating_sub(self.saved.1);
        if cadence.is_due(self.step - self.saved.0, passed)
            && let Err(error) = self.save(path, stepper)
        {
            self.warn(observer, format!("{error}; trying again later"));
        }
    }

    fn save_at_end<S: Stepper>(&mut self, stepper: &S, observer: &mut dyn Observer) {
        let Some((path, _)) = &self.driver.checkpoint else { return };
        if let Err(error) = self.save(path, stepper) {
            self.warn(observer, error.to_string());
        }
    }

    fn warn(&mut self, observer: &mut dyn Observer, message: String) {
        observer.warned(&message);
        self.warnings.push(message);
    }

    fn end(self, stop: StopReason) -> Run {
        let summary = RunSummary {
            stop,
            step: self.step,
            evaluated: self.progress.evaluated,
            seconds: self.seconds(),
            best: self.progress.best,
        };
        let records = self.progress.history.into_records();
        let (warnings, remarks) = (self.warnings, self.remarks);
        Run { plan: self.plan, records, warnings, remarks, summary }
    }
}

/// Why the first checkpoint, or another, could not be written.
fn unwritten(path: &Path, error: io::Error) -> CheckpointError {
    let path = path.to_owned();
    match error.kind() {
        // It was not there a moment ago.
        ErrorKind::AlreadyExists => CheckpointError::InUse(path),
        _ => CheckpointError::Write { path, error },
    }
}

/// Why a checkpoint could not be taken up.
fn unread(path: &Path, error: io::Error) -> CheckpointError {
    let path = path.to_owned();
    match error.kind() {
        ErrorKind::WouldBlock => CheckpointError::InUse(path),
        _ => CheckpointError::Read { path, error },
    }
}
