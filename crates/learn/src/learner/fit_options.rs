//! High-level training.

use super::{
    BoxError, CrossValidationSetup, Fit, FitResultOf, FittedModel, INNER_FOLDS, Inner, Machine,
    check_target_kind, plan_folds,
};
use crate::checkpoint::Cadence;
use crate::params::Chosen;
use crate::run::{Control, Driver, Observer, RunError, Silent};
use crate::split::CrossValidation;
use pellucid_device::DeviceError;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// The configuration of a training run: parameters, devices, stop conditions and observer. The builder
/// of each learner wraps one of these, with a method for every parameter.
pub struct FitOptions<'o, L: Fit> {
    /// The parameters.
    pub chosen: Chosen<L::Params>,
    /// The devices and threads; by default the CPU.
    pub machine: Option<Machine>,
    /// The number of CPU threads if `machine` is not set; by default all cores.
    pub threads: Option<NonZeroUsize>,
    /// The control that can stop the run.
    pub control: Option<Control>,
    /// The time limit.
    pub time_limit: Option<Duration>,
    /// The checkpoint file.
    pub checkpoint: Option<PathBuf>,
    /// Whether to resume from the checkpoint.
    pub resume: bool,
    /// The number of inner folds for the held-out estimate and the calibration; 0 for none, which takes
    /// a fraction of the time.
    pub inner_folds: usize,
    /// The observer of the run.
    pub observer: Box<dyn Observer + 'o>,
}

impl<L: Fit> fmt::Debug for FitOptions<'_, L> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = out.debug_struct("FitOptions");
        shown.field("learner", &L::NAME).field("time_limit", &self.time_limit);
        shown.field("checkpoint", &self.checkpoint).finish_non_exhaustive()
    }
}

impl<L: Fit> Default for FitOptions<'_, L> {
    fn default() -> Self {
        Self::new()
    }
}

impl<L: Fit> FitOptions<'_, L> {
    /// Returns the defaults: all CPU threads and no observer.
    #[must_use]
    pub fn new() -> Self {
        Self {
            chosen: Chosen::new(),
            machine: None,
            threads: None,
            control: None,
            time_limit: None,
            checkpoint: None,
            resume: false,
            inner_folds: INNER_FOLDS,
            observer: Box::new(Silent),
        }
    }

    /// Returns the devices and threads.
    fn find_machine(&self) -> Result<Machine, DeviceError> {
        match &self.machine {
            Some(machine) => Ok(machine.clone()),
            None => Machine::processor(self.threads),
        }
    }

    /// Returns the control, with the time limit counted from now.
    fn find_control(&self) -> Control {
        let control = self.control.clone().unwrap_or_default();
        match self.time_limit {
            None => control,
            Some(limit) => control.time_limit(limit),
        }
    }

    /// Trains a model.
    ///
    /// # Errors
    /// If a parameter is invalid, the data is unsuitable, or the devices or the checkpoint fail.
    pub fn fit(mut self, data: &L::Data) -> Result<FittedModel<L>, RunError<L::Error>> {
        let (machine, control) = (self.find_machine()?, self.find_control());
        let mut driver = Driver::new(&control).resume(self.resume);
        if let Some(path) = &self.checkpoint {
            driver = driver.checkpoint(path, Cadence::default());
        }
        let params = self.chosen.check()?;
        let inner = Inner { folds: self.inner_folds, ..Inner::default() };
        let fit = L::capabilities().common.fit_with_estimate;
        let (result, held_out) = fit(data, params, inner, &machine, &driver, &mut *self.observer)?;
        let FitResultOf::<L> { model, run, train, notes, .. } = result;
        let (run, held_out) = (Some(run), held_out.ok());
        Ok(FittedModel { model, run, train, held_out, notes, machine })
    }

    /// Runs a repeated cross-validation. Folds run in parallel with one CPU thread each and share the
    /// other devices.
    ///
    /// # Errors
    /// As [`FitOptions::fit`], and if the examples cannot be split into these folds.
    pub fn cross_validate(
        self,
        data: &L::Data,
        folds: usize,
        repeats: usize,
    ) -> Result<CrossValidation, BoxError> {
        let (machine, control) = (self.find_machine()?, self.find_control());
        let params = self.chosen.check()?;
        check_target_kind::<L>(data)?;
        let capabilities = L::capabilities();
        (capabilities.check_data)(data)?;
        let folds = plan_folds::<L>(data, &params, folds, repeats)?;
        let setup = CrossValidationSetup {
            folds: &folds,
            inner: self.inner_folds,
            control: &control,
            threads: &machine.threads,
            machine: &|| machine.one_of_many(),
            on_fold: &|_| (),
        };
        Ok((capabilities.common.cross_validate)(data, &params, &setup)?)
    }
}
