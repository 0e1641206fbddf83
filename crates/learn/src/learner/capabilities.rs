//! The optional capabilities of a learner.

use super::cross_validate::cross_validate;
use super::learn_with_estimate::learn_with_estimate;
use super::{
    CrossValidationSetup, Describe, Export, Fit, FitResultOf, FitWithEstimate, FoldSizes, Inner,
    Machine, ModelOf,
};
use crate::metrics::Decisions;
use crate::model::{ModelError, StoredModel};
use crate::params::Valid;
use crate::parts::FitParts;
use crate::profile::TrainingProfile;
use crate::run::{Control, Driver, Figures, Observer, RunError};
use crate::split::CrossValidation;
use pellucid_device::Threads;
use serde_json::{Map, Value};

/// What a learner can do besides training and applying models. A registry finds it here.
///
/// A learner sets what it has, and takes the rest from [`Capabilities::new`]:
/// `Capabilities { exports: EXPORTS, ..Capabilities::new() }`.
pub struct Capabilities<L: Fit> {
    /// Checks that a complete data set is suitable. Folds of it may have less than this requires.
    pub check_data: fn(&L::Data) -> Result<(), L::Error>,
    /// Checks a model from a file.
    pub check_model: fn(&ModelOf<L>) -> Result<(), L::Error>,
    /// The export formats.
    pub exports: &'static [Export<L>],
    /// The sizes of a model, such as the number of rules, for cross-validation tables.
    pub sizes: fn(&ModelOf<L>) -> Figures,
    /// More fields of the JSON result of a run; by default the sizes.
    pub summary: Option<Summarize<L>>,
    /// Returns the model with about this many rules, if the learner keeps models of several sizes.
    pub resize: Option<Resize<L>>,
    /// How the inner folds select a size, if the learner does not select it itself.
    pub fold_sizes: Option<FoldSizes<L>>,
    /// Returns the cost of a missed example of each class, if the parameters set costs.
    pub miss_costs: fn(&L::Params, &[String]) -> Option<Vec<f64>>,
    /// Returns the column that matters most to a model; `None` if that is unknown.
    pub leading_column: fn(&ModelOf<L>) -> Option<String>,
    /// Stores held-out decisions in a model that shows them. It is not called without an estimate.
    pub record_held_out: Option<fn(&mut ModelOf<L>, &Decisions)>,
    /// Whether training can continue from an earlier model; see [`Driver::earlier`].
    pub continues: bool,
    /// Which work uses GPUs.
    pub gpus: GpuUse<L>,
    /// Trains many models together.
    pub fit_many: Option<FitMany<L>>,
    /// Trains on rows in other processes.
    pub fit_parts: Option<FitParts<L>>,
    /// What is implemented once for all learners.
    pub common: Common<L>,
}

/// A function that returns the fields of the JSON result of a run.
pub type Summarize<L> = fn(&ModelOf<L>) -> Map<String, Value>;

/// A function that returns the model of another size.
pub type Resize<L> = fn(&ModelOf<L>, usize) -> Option<ModelOf<L>>;

impl<L: Fit> Capabilities<L> {
    /// Returns the capabilities that every learner has.
    #[must_use]
    pub fn new() -> Self {
        Capabilities {
            check_data: |_| Ok(()),
            check_model: |_| Ok(()),
            exports: &[],
            sizes: |_| Figures::new(),
            summary: None,
            resize: None,
            fold_sizes: None,
            miss_costs: |_, _| None,
            leading_column: |_| None,
            record_held_out: None,
            continues: false,
            gpus: GpuUse { fits: |_, _| true, applies: true },
            fit_many: None,
            fit_parts: None,
            common: Common {
                fit_with_estimate: learn_with_estimate::<L>,
                cross_validate: cross_validate::<L>,
                read: |stored| stored.read(L::NAME),
                to_json: |model, training| model.to_json_with(training),
            },
        }
    }

    /// Returns the fields of the JSON result of a run.
    #[must_use]
    pub fn summary(&self, model: &ModelOf<L>) -> Map<String, Value> {
        match self.summary {
            Some(summarize) => summarize(model),
            None => {
                let sizes = (self.sizes)(model);
                sizes.iter().map(|(name, size)| (name.to_owned(), Value::from(size))).collect()
            }
        }
    }
}

impl<L: Fit> Default for Capabilities<L> {
    fn default() -> Self {
        Self::new()
    }
}

/// Which work of a learner uses GPUs. If none does, no GPU is opened unless it is named: opening takes a
/// third of a second.
pub struct GpuUse<L: Fit> {
    /// Returns whether training with these parameters on a number of examples uses GPUs.
    pub fits: fn(&L::Params, usize) -> bool,
    /// Whether applying models uses GPUs.
    pub applies: bool,
}

/// Training many models on subsets of the same data together.
pub struct FitMany<L: Fit> {
    /// Returns whether a device is faster this way than with one model after the other.
    pub is_faster: fn(&L::Data, &Valid<L::Params>, &Machine) -> bool,
    /// Trains on several data sets. Each result is the same as from [`Fit::fit`], or `None` if it has to
    /// be called instead.
    pub fit: FitJobs<L>,
}

/// A function that trains on several data sets.
pub type FitJobs<L> = fn(
    &[(<L as Describe>::Data, Valid<<L as Describe>::Params>)],
    &Machine,
    &Threads,
    &Control,
) -> Vec<Option<FitResultOf<L>>>;

/// The procedures that are implemented once for all learners. They are function pointers, so that they are
/// compiled in the crate of the learner and not again by every user of it.
pub struct Common<L: Fit> {
    /// [`learn_with_estimate`] of this learner.
    pub fit_with_estimate: FitProcedure<L>,
    /// [`cross_validate`] of this learner.
    pub cross_validate: CrossValidateProcedure<L>,
    /// Reads a model of this learner without checking it.
    pub read: fn(&StoredModel) -> Result<ModelOf<L>, ModelError>,
    /// Returns the text of a model file.
    pub to_json: fn(&ModelOf<L>, Option<&TrainingProfile>) -> Result<String, ModelError>,
}

/// The type of [`learn_with_estimate`].
pub type FitProcedure<L> = fn(
    &<L as Describe>::Data,
    Valid<<L as Describe>::Params>,
    Inner<'_>,
    &Machine,
    &Driver,
    &mut dyn Observer,
) -> Result<FitWithEstimate<L>, RunError<<L as Describe>::Error>>;

/// The type of [`cross_validate`].
pub type CrossValidateProcedure<L> =
    fn(
        &<L as Describe>::Data,
        &Valid<<L as Describe>::Params>,
        &CrossValidationSetup<'_>,
    ) -> Result<CrossValidation, RunError<<L as Describe>::Error>>;
