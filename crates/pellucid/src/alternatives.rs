//! Other models of about the same quality: models that do without the columns that lead the first one.
//!
//! Many tables have several models of nearly the same accuracy (Breiman's Rashomon effect). A reader may
//! prefer one that uses other columns, because they are cheaper to measure or easier to defend. Each
//! alternative leaves out the leading columns of all models before it.

use crate::learn::learner::Inner;
use crate::learn::metrics::{PairedFigure, PairedSummary};
use crate::learn::out_of_fold::OutOfFold;
use crate::learn::run::{Control, Driver, Silent};
use crate::registry::{AnyFitResult, AnyLearner, Data, Error, Settings};
use pellucid_device::Machine;

/// A model without the leading columns of the models before it.
pub struct Alternative {
    /// The columns that it leaves out, in the order in which they were left out.
    pub without: Vec<String>,
    /// The model and its held-out scores.
    pub fitted: AnyFitResult,
    /// The first model (A) and this one (B) on the same held-out examples, if both were estimated.
    pub compared: Option<PairedSummary>,
}

/// The figures that are compared, if both models have them. The AUC is not among them: it ranks the examples
/// of one model, and examples that are counted once come from very many models.
const FIGURES: [&str; 4] = ["accuracy", "cost", "r2", "mae"];

impl Alternative {
    /// Returns the main figures of the first model (A) and of this one (B).
    pub fn figures(&self) -> impl Iterator<Item = &PairedFigure> {
        FIGURES.into_iter().filter_map(|key| self.compared.as_ref()?.figure(key))
    }
}

/// How models are trained again.
#[derive(Clone, Copy)]
pub struct Retraining<'a> {
    /// The learner of the first model.
    pub learner: &'a dyn AnyLearner,
    /// The training data of the first model.
    pub data: &'a Data,
    /// Its parameters.
    pub settings: &'a Settings,
    /// The number of inner folds; 0 for no estimates.
    pub folds: usize,
    /// The devices.
    pub machine: &'a Machine,
    /// Stops the training.
    pub control: &'a Control,
}

impl Retraining<'_> {
    /// Trains up to this many alternatives to a model and passes each to a function. There are fewer if no
    /// column is left, no column leads, or the run is stopped.
    ///
    /// # Errors
    /// When the training or the function fails.
    pub fn alternatives<E: From<Error>>(
        &self,
        first: &AnyFitResult,
        count: usize,
        mut each: impl FnMut(Alternative) -> Result<(), E>,
    ) -> Result<(), E> {
        let Data::Table(table) = self.data else { return Ok(()) };
        let (mut table, mut without) = (table.clone(), Vec::new());
        let mut leading = first.model.leading_column();
        for _ in 0..count {
            let Some(column) = leading else { break };
            table.columns.retain(|known| known.name != column);
            if table.columns.is_empty() {
                break;
            }
            without.push(column);
            let inner = Inner { folds: self.folds, on_fold: &|_, _| () };
            let (data, driver) = (Data::Table(table.clone()), Driver::new(self.control));
            let fitted = self.learner.fit(
                &data,
                self.settings,
                inner,
                self.machine,
                &driver,
                &mut Silent,
            )?;
            if self.control.should_stop().is_some() {
                break;
            }
            leading = fitted.model.leading_column();
            let compared = match (&first.held_out, &fitted.held_out) {
                (Ok(first), Ok(other)) => compare(first, other),
                _ => None,
            };
            each(Alternative { without: without.clone(), fitted, compared })?;
        }
        Ok(())
    }
}

/// Compares two models on their held-out examples. Each example counts once, so that repeated folds do not
/// make the intervals too narrow.
fn compare(first: &OutOfFold, other: &OutOfFold) -> Option<PairedSummary> {
    match (first.first_number_decisions(), other.first_number_decisions()) {
        (Some(first), Some(other)) => PairedSummary::of_numbers(&first, &other),
        _ => {
            let [first, other] = [first, other].map(|of| of.first_decisions(of.decisions()));
            PairedSummary::of_classes(&first, &other)
        }
    }
}
