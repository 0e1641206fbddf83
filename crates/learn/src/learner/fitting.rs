//! Learning and predicting with a few lines.

use super::{
    Applied, AsData, BoxError, ExportOptions, INNER_FOLDS, Inner, Judging, LearnedBy, Learner,
    Machine, ModelOf, Predictions,
};
use super::{check_aim, plan_folds};
use crate::checkpoint::Cadence;
use crate::metrics::{NumberSummary, Summary};
use crate::model::{ModelError, StoredModel, save_text};
use crate::out_of_fold::OutOfFold;
use crate::params::Chosen;
use crate::run::{Control, Driver, Figures, Observer, Run, RunError, Silent};
use crate::split::CrossValidation;
use pellucid_device::DeviceError;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a model is going to be learned: what was chosen, on which devices, when to stop, who watches. The builder of each
/// learner is one of these with a method for every parameter.
pub struct Fitting<'o, L: Learner> {
    /// The parameters.
    pub chosen: Chosen<L::Params>,
    /// The devices and threads; the processor if nothing is said.
    pub machine: Option<Machine>,
    /// How many threads of the processor, where no machine is given; all if nothing is said.
    pub threads: Option<NonZeroUsize>,
    /// What stops the run from outside.
    pub control: Option<Control>,
    /// How long it may take.
    pub time_limit: Option<Duration>,
    /// Where the state of the run is kept.
    pub checkpoint: Option<PathBuf>,
    /// Whether it goes on from there.
    pub resume: bool,
    /// In how many inner folds it is found out how well such models do on new examples, and how likely their decisions
    /// are; 0 for not at all, which takes a fraction of the time.
    pub inner_folds: usize,
    /// Who watches.
    pub observer: Box<dyn Observer + 'o>,
}

impl<L: Learner> fmt::Debug for Fitting<'_, L> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = out.debug_struct("Fitting");
        shown.field("learner", &L::NAME).field("time_limit", &self.time_limit);
        shown.field("checkpoint", &self.checkpoint).finish_non_exhaustive()
    }
}

impl<L: Learner> Default for Fitting<'_, L> {
    fn default() -> Self {
        Self::new()
    }
}

impl<L: Learner> Fitting<'_, L> {
    /// The defaults, on all threads of the processor, with nobody watching.
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

    /// The devices and threads to work with.
    fn find_machine(&self) -> Result<Machine, DeviceError> {
        match &self.machine {
            Some(machine) => Ok(machine.clone()),
            None => Machine::processor(self.threads),
        }
    }

    /// What stops the run, the time limit counted from now.
    fn find_control(&self) -> Control {
        let control = self.control.clone().unwrap_or_default();
        match self.time_limit {
            None => control,
            Some(limit) => control.time_limit(limit),
        }
    }

    /// Learns a model.
    ///
    /// # Errors
    /// When a parameter is not allowed, the data cannot be learned from, or the devices or the checkpoint fail.
    pub fn fit(mut self, data: &L::Data) -> Result<Fitted<L>, RunError<L::Error>> {
        let (machine, control) = (self.find_machine()?, self.find_control());
        let mut driver = Driver::new(&control).resume(self.resume);
        if let Some(path) = &self.checkpoint {
            driver = driver.checkpoint(path, Cadence::default());
        }
        let params = self.chosen.check()?;
        let inner = Inner { folds: self.inner_folds, ..Inner::default() };
        let (learned, held_out) =
            L::learn_and_judge(data, params, inner, &machine, &driver, &mut *self.observer)?;
        let LearnedBy::<L> { model, run, train, notes, .. } = learned;
        Ok(Fitted { model, run: Some(run), train, held_out: held_out.ok(), notes, machine })
    }

    /// Learns without a part of the examples and judges by that part, once for each of so many folds, and all of that so
    /// often. As many folds are learned side by side as there are threads, each with one thread of the processor; other devices
    /// they share.
    ///
    /// # Errors
    /// As [`Fitting::fit`], and when the examples cannot be split so.
    pub fn cross_validate(
        self,
        data: &L::Data,
        folds: usize,
        repeats: usize,
    ) -> Result<CrossValidation, BoxError> {
        let (machine, control) = (self.find_machine()?, self.find_control());
        let params = self.chosen.check()?;
        check_aim::<L>(data)?;
        L::check(data)?;
        let folds = plan_folds::<L>(data, &params, folds, repeats)?;
        let how = Judging {
            folds: &folds,
            inner: self.inner_folds,
            control: &control,
            threads: &machine.threads,
            machine: &|| machine.one_of_many(),
            told: &|_| (),
        };
        Ok(L::cross_validate(data, &params, &how)?)
    }
}

/// A model that is ready to be used.
pub struct Fitted<L: Learner> {
    /// The model, as it stands in its file.
    pub model: ModelOf<L>,
    run: Option<Run>,
    train: Figures,
    held_out: Option<OutOfFold>,
    notes: Vec<String>,
    machine: Machine,
}

impl<L: Learner> fmt::Debug for Fitted<L> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "a model of {}:\n{}", L::NAME, self.text())
    }
}

impl<L: Learner> Fitted<L> {
    /// Opens a model file.
    ///
    /// # Errors
    /// When the file cannot be read, or holds no model of this learner that makes sense.
    pub fn open(path: &Path) -> Result<Self, BoxError> {
        let model = L::read_model(&StoredModel::open(path)?)?;
        L::check_model(&model)?;
        let (run, train, notes) = (None, Figures::new(), Vec::new());
        Ok(Self { model, run, train, held_out: None, notes, machine: Machine::processor(None)? })
    }

    /// Works on these devices and threads from now on.
    #[must_use]
    pub fn machine(mut self, machine: &Machine) -> Self {
        self.machine = machine.clone();
        self
    }

    /// Writes the model in place of the file at `path`, in one move.
    ///
    /// # Errors
    /// When it cannot be written; what was at `path` is then unharmed.
    pub fn save(&self, path: &Path) -> Result<(), ModelError> {
        save_text(path, &L::model_to_json(&self.model)?)
    }

    /// What the model says of some data.
    ///
    /// # Errors
    /// When the data does not fit the model, or the devices fail.
    pub fn apply(&self, data: &impl AsData<L::Data>) -> Result<Box<dyn Applied>, L::Error> {
        L::apply(&self.model, &data.as_data(), &self.machine)
    }

    /// The number of each example, for a model that predicts one; NaN for other models.
    ///
    /// # Errors
    /// As [`Fitted::apply`].
    pub fn predict_numbers(&self, data: &impl AsData<L::Data>) -> Result<Vec<f64>, L::Error> {
        let applied = self.apply(data)?;
        let number = |example| applied.number(example).unwrap_or(f64::NAN);
        Ok((0..applied.len()).map(number).collect())
    }

    /// The class of each example, by name; a number as text, where one is predicted.
    ///
    /// # Errors
    /// As [`Fitted::apply`].
    pub fn predict(&self, data: &impl AsData<L::Data>) -> Result<Vec<String>, L::Error> {
        let applied = self.apply(data)?;
        let class = |example| {
            if let Some(number) = applied.number(example) {
                return number.to_string();
            }
            let code = applied.predicted(example) as usize;
            self.model.schema.classes.get(code).cloned().unwrap_or_else(|| code.to_string())
        };
        Ok((0..applied.len()).map(class).collect())
    }

    /// What the model says of some data, with probabilities where it is calibrated.
    ///
    /// # Errors
    /// As [`Fitted::apply`].
    pub fn predictions(&self, data: &impl AsData<L::Data>) -> Result<Predictions, L::Error> {
        let classes = &self.model.schema.classes;
        Ok(Predictions::new(self.apply(data)?, classes, self.model.calibration.as_ref()))
    }

    /// How well the model does on some data, where the data knows.
    ///
    /// # Errors
    /// As [`Fitted::apply`].
    pub fn judge(&self, data: &impl AsData<L::Data>) -> Result<Option<Summary>, L::Error> {
        Ok(self.predictions(data)?.decisions().map(|decisions| decisions.summary()))
    }

    /// How well a model that predicts a number does on some data, where the data knows.
    ///
    /// # Errors
    /// As [`Fitted::apply`].
    pub fn judge_numbers(
        &self,
        data: &impl AsData<L::Data>,
    ) -> Result<Option<NumberSummary>, L::Error> {
        let Some(seen) = self.model.schema.number else { return Ok(None) };
        Ok(self.predictions(data)?.numbers(seen.middle).map(|said| said.summary()))
    }

    /// The model as a person reads it.
    #[must_use]
    pub fn text(&self) -> String {
        L::text(&self.model)
    }

    /// The model for another program, as text; `None` where there is no such form of that name.
    ///
    /// # Errors
    /// When the model cannot be said in that form.
    pub fn export(&self, name: &str, options: &ExportOptions) -> Option<Result<String, L::Error>> {
        let form = L::exports().iter().find(|form| form.name == name)?;
        Some((form.write)(&self.model, options))
    }

    /// How the run went; nothing for a model from a file.
    #[must_use]
    pub fn run(&self) -> Option<&Run> {
        self.run.as_ref()
    }

    /// How well the model does on the data it was learned from; nothing for a model from a file.
    #[must_use]
    pub fn train(&self) -> &Figures {
        &self.train
    }

    /// The out-of-fold scores behind the held-out estimate; `None` for a model from a file, or where no estimate was made.
    #[must_use]
    pub fn held_out(&self) -> Option<&OutOfFold> {
        self.held_out.as_ref()
    }

    /// What a person should know of the run.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}
