//! The training loop of all learners.

use super::{
    Control, Figures, History, Observer, Plan, Record, ResumeProgress, Run, RunSummary, StopReason,
};
use crate::checkpoint::{Cadence, Checkpoint, CheckpointError, MAX_BYTES, is_checkpoint};
use crate::model::StoredModel;
use crate::params::ParamError;
use pellucid_device::DeviceError;
use pellucid_files::{FileLock, remove_leftovers};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The result of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// The number of candidates evaluated in this step.
    pub evaluated: u64,
    /// The best score so far or in this step; larger is better. It decides whether the run stalls.
    pub score: Option<f64>,
    /// Values for the record.
    pub values: Figures,
    /// Why the learner is done, if it is: [`StopReason::Solved`] if the target is reached,
    /// [`StopReason::Finished`] if there is nothing left to do, [`StopReason::Cap`] at a limit. A
    /// learner that is stopped within a step and reverts the step returns the
    /// [pause](StopReason::is_pause) with nothing evaluated; such a step does not count.
    pub stop: Option<StopReason>,
}

/// A learner that works in steps, such as generations, and can be resumed after any of them.
///
/// Everything that a later step depends on belongs to the state. Random numbers come from
/// [`Streams`](crate::rng::Streams) by the number of the step, or the stream is part of the state.
pub trait Stepper {
    /// The state that a checkpoint stores.
    type State: Serialize + DeserializeOwned;
    /// The error of a step.
    type Error: std::error::Error + 'static;

    /// Returns the plan of the run.
    fn plan(&self) -> Plan;

    /// Does one step.
    ///
    /// # Errors
    /// Any error ends the run.
    fn step(&mut self) -> Result<Step, Self::Error>;

    /// Returns the state after the last step.
    fn state(&self) -> &Self::State;

    /// Restores a stored state. It matches the fingerprint of the plan, but may come from a damaged
    /// or forged file: check everything that the learner relies on.
    ///
    /// # Errors
    /// If the state is invalid.
    fn restore(&mut self, state: Self::State) -> Result<(), Self::Error>;

    /// Returns a choice of the last step that changes the strategy, once.
    fn remark(&mut self) -> Option<String> {
        None
    }

    /// Returns whether a restored run is still done for this reason; a limit may have been raised.
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
    /// The checkpoint cannot be used or written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A parameter is invalid.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// No device is available.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// Runs a learner step by step until a stop condition is met.
///
/// ```
/// use pellucid_learn::fingerprint::Fingerprint;
/// use pellucid_learn::run::{Control, Driver, Plan, Silent, Step, Stepper, StopReason};
/// use std::convert::Infallible;
///
/// /// Searches for a divisor of 91, one candidate per step.
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

/// The state of the driver, stored with the state of the learner.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Progress {
    evaluated: u64,
    best: Option<f64>,
    /// The step of the last better score.
    best_at: u64,
    /// Set once the learner is done.
    done: Option<StopReason>,
    history: History,
}

/// The content of a checkpoint. `S` is a state when read and a reference when written.
#[derive(Serialize, Deserialize)]
struct CheckpointState<P, S> {
    progress: P,
    learner: S,
}

impl Driver {
    /// Returns a driver with this control and without a checkpoint.
    #[must_use]
    pub fn new(control: &Control) -> Self {
        let control = control.clone();
        Self { control, checkpoint: None, resume: false, all_or_nothing: false, earlier: None }
    }

    /// Writes a checkpoint to `path` before the first step, whenever it is due, and at the end.
    ///
    /// An existing file is an error unless the run resumes from it.
    #[must_use]
    pub fn checkpoint(mut self, path: impl Into<PathBuf>, cadence: Cadence) -> Self {
        self.checkpoint = Some((path.into(), cadence));
        self
    }

    /// Resumes from the checkpoint. If there is none yet, the run starts from the beginning with a
    /// warning, so that the same command works after any interruption.
    #[must_use]
    pub fn resume(mut self, resume: bool) -> Self {
        self.resume = resume;
        self
    }

    /// Continues training from an earlier model, for learners that support it.
    #[must_use]
    pub fn earlier(mut self, model: StoredModel) -> Self {
        self.earlier = Some(Arc::new(model));
        self
    }

    /// Returns the earlier model to continue from, if there is one.
    #[must_use]
    pub fn goes_on_from(&self) -> Option<&StoredModel> {
        self.earlier.as_deref()
    }

    /// Declares that only a complete run is useful, as in a fold of a cross-validation. When it is
    /// stopped, a learner may abandon the current step and its results.
    #[must_use]
    pub fn all_or_nothing(mut self) -> Self {
        self.all_or_nothing = true;
        self
    }

    /// Returns the reason to abandon the current step, if only a complete run is useful; see
    /// [`Driver::all_or_nothing`].
    #[must_use]
    pub fn should_abandon(&self) -> Option<StopReason> {
        if self.all_or_nothing { self.control.should_stop() } else { None }
    }

    /// Returns the control, for learners that check it within a step.
    #[must_use]
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// Runs the learner until it is done or stopped. The learner then has the result.
    ///
    /// Observers are notified of the end of every started run, also of one that fails.
    ///
    /// A checkpoint that cannot be written during the run is a warning; the driver tries again when
    /// the next one is due.
    ///
    /// # Errors
    /// If the learner fails, the checkpoint to resume from cannot be used, or the first checkpoint
    /// cannot be written.
    pub fn run<S: Stepper>(
        &self,
        stepper: &mut S,
        observer: &mut dyn Observer,
    ) -> Result<Run, RunError<S::Error>> {
        let mut session = Session::begin(self, stepper)?;
        observer.started(&session.plan);
        if self.resume && session.plan.resumed.is_none() {
            let missing = match &self.checkpoint {
                Some((path, _)) => format!("checkpoint {} does not exist yet", path.display()),
                None => "no checkpoint is set".to_owned(),
            };
            session.warn(observer, format!("{missing}; starting from the beginning"));
        }
        let stop = loop {
            if let Some(stop) = session.stop_reason() {
                break stop;
            }
            match stepper.step() {
                Ok(Step { evaluated: 0, stop: Some(stop), .. }) if stop.is_pause() => break stop,
                Ok(step) => {
                    observer.record(&session.add_step(step));
                    if let Some(remark) = stepper.remark() {
                        observer.remarked(&remark);
                        session.remarks.push(remark);
                    }
                }
                Err(error) => {
                    // Write no checkpoint: the state may be that of an incomplete step.
                    observer.stopped(&session.end(StopReason::Failed).summary);
                    return Err(RunError::Learner(error));
                }
            }
            session.save_if_due(stepper, observer);
        };
        session.save_at_end(stepper, observer);
        let run = session.end(stop);
        observer.stopped(&run.summary);
        Ok(run)
    }
}

/// One call of [`Driver::run`]: the part of a run from a start or resume to a stop.
struct Session<'a> {
    driver: &'a Driver,
    plan: Plan,
    progress: Progress,
    step: u64,
    /// The clock at the start.
    began: Duration,
    /// The seconds of earlier sessions.
    earlier: f64,
    /// Step and time of the last checkpoint.
    saved: (u64, Duration),
    warnings: Vec<String>,
    remarks: Vec<String>,
    /// The checkpoint file, locked against other processes.
    lock: Option<FileLock>,
}

impl<'a> Session<'a> {
    fn begin<S: Stepper>(driver: &'a Driver, stepper: &mut S) -> Result<Self, RunError<S::Error>> {
        let (plan, began) = (stepper.plan(), driver.control.now());
        let (progress, warnings) = (Progress::default(), Vec::new());
        let mut session = Self {
            driver,
            plan,
            progress,
            step: 0,
            began,
            earlier: 0.0,
            saved: (0, began),
            warnings,
            remarks: Vec::new(),
            lock: None,
        };
        session.plan.resumed = None;
        let Some((path, _)) = &driver.checkpoint else { return Ok(session) };
        remove_leftovers(path);
        let exists = path.try_exists().unwrap_or(true);
        if exists && !driver.resume {
            return Err(CheckpointError::Exists(path.clone()).into());
        }
        if exists {
            session.resume(path, stepper)?;
        } else {
            // Write now, so that a folder without write access fails before the work.
            let bytes = session.to_bytes(stepper)?;
            session.lock =
                Some(FileLock::create(path, &bytes).map_err(|error| write_error(path, error))?);
        }
        Ok(session)
    }

    /// Restores the state of the checkpoint.
    fn resume<S: Stepper>(
        &mut self,
        path: &Path,
        stepper: &mut S,
    ) -> Result<(), RunError<S::Error>> {
        let lock = FileLock::take(path).map_err(|error| read_error(path, error))?;
        let content =
            lock.read(MAX_BYTES, is_checkpoint).map_err(|error| read_error(path, error))?;
        let (learner, fingerprint) = (&self.plan.learner, self.plan.fingerprint);
        let found: Checkpoint<CheckpointState<Progress, S::State>> =
            Checkpoint::from_content(content, learner, fingerprint)
                .map_err(|fault| CheckpointError::Content { path: path.to_owned(), fault })?;
        // Steps cannot be undone, and a run with fewer steps has another result.
        if let Some(asked) = self.plan.steps.filter(|&asked| asked < found.step) {
            let (path, done) = (path.to_owned(), found.step);
            return Err(CheckpointError::Beyond { path, done, asked }.into());
        }
        stepper.restore(found.state.learner).map_err(RunError::Learner)?;
        self.lock = Some(lock);
        self.progress = found.state.progress;
        // A pause within a step is no reason to stop again.
        self.progress.done =
            self.progress.done.filter(|&done| !done.is_pause() && stepper.is_still_done(done));
        (self.step, self.earlier, self.saved.0) = (found.step, found.seconds, found.step);
        self.plan.resumed = Some(ResumeProgress {
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

    /// Returns the reason to stop. A result has priority over limits, and limits of the run over
    /// those from outside.
    fn stop_reason(&self) -> Option<StopReason> {
        let waited = self.step.saturating_sub(self.progress.best_at);
        self.progress
            .done
            .or(self.plan.steps.filter(|&most| self.step >= most).map(|_| StopReason::Steps))
            .or(self.plan.patience.filter(|&most| waited >= most).map(|_| StopReason::Stalled))
            .or_else(|| self.driver.control.should_stop())
    }

    /// Adds the result of a step.
    fn add_step(&mut self, step: Step) -> Record {
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
            state: CheckpointState { progress: &self.progress, learner: stepper.state() },
        };
        let learner = || self.plan.learner.clone().into_owned();
        checkpoint.to_bytes().map_err(|error| CheckpointError::Encode { learner: learner(), error })
    }

    fn save<S: Stepper>(&mut self, path: &Path, stepper: &S) -> Result<(), CheckpointError> {
        self.saved = (self.step, self.driver.control.now());
        let bytes = self.to_bytes(stepper)?;
        let Some(lock) = &mut self.lock else { return Ok(()) };
        lock.replace(&bytes).map_err(|error| write_error(path, error))
    }

    fn save_if_due<S: Stepper>(&mut self, stepper: &S, observer: &mut dyn Observer) {
        let Some((path, cadence)) = &self.driver.checkpoint else { return };
        let passed = self.driver.control.now().saturating_sub(self.saved.1);
        if cadence.is_due(self.step - self.saved.0, passed)
            && let Err(error) = self.save(path, stepper)
        {
            self.warn(observer, format!("{error}; will try again later"));
        }
    }

    fn save_at_end<S: Stepper>(&mut self, stepper: &S, observer: &mut dyn Observer) {
        let Some((path, _)) = &self.driver.checkpoint else { return };
        if let Err(error) = self.save(path, stepper) {
            self.warn(observer, error.to_string());
        }
    }

    fn warn(&mut self, observer: &mut dyn Observer, message: String) {
        self.warnings.push(message.clone());
        observer.warned(&message.into());
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

/// Converts an error of writing a checkpoint.
fn write_error(path: &Path, error: io::Error) -> CheckpointError {
    match error.kind() {
        // It did not exist a moment ago.
        ErrorKind::AlreadyExists => CheckpointError::InUse(path.to_owned()),
        _ => CheckpointError::write(path, error),
    }
}

/// Converts an error of reading a checkpoint.
fn read_error(path: &Path, error: io::Error) -> CheckpointError {
    let path = path.to_owned();
    match error.kind() {
        ErrorKind::WouldBlock => CheckpointError::InUse(path),
        _ => CheckpointError::Read { path, error },
    }
}
