//! Models of folds that are fitted together in advance, if the learner and a device support it.

use super::cross_fit::plan_inner;
use super::fold_seed::own_seed;
use super::{CrossValidationSetup, Examples, Fit, FitMany, FitResultOf};
use crate::params::{Check, Valid};
use crate::run::RunError;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The index of a fold of a cross-validation, and of an inner fold of its training data.
type FoldIndex = (usize, Option<usize>);

/// The models that were fitted in advance.
pub(super) struct PrefittedFolds<L: Fit>(Mutex<HashMap<FoldIndex, FitResultOf<L>>>);

impl<L: Fit> Default for PrefittedFolds<L> {
    fn default() -> Self {
        PrefittedFolds(Mutex::default())
    }
}

impl<L: Fit> PrefittedFolds<L> {
    /// Fits all folds of a cross-validation together, or none of them.
    pub(super) fn fit(
        data: &L::Data,
        params: &Valid<L::Params>,
        setup: &CrossValidationSetup<'_>,
    ) -> Result<PrefittedFolds<L>, RunError<L::Error>> {
        if setup.folds.len() < 2 {
            return Ok(PrefittedFolds::default());
        }
        let machine = (setup.machine)()?;
        let FitMany { fit, .. } = match L::capabilities().fit_many {
            Some(many) if (many.is_faster)(data, params, &machine) => many,
            _ => return Ok(PrefittedFolds::default()),
        };
        let mut indices: Vec<FoldIndex> = Vec::new();
        let mut jobs = Vec::new();
        for index in 0..setup.folds.len() {
            let split = setup.folds.split(index);
            let train = data.part(&split.train);
            let own = own_seed::<L::Params>(params, "fold", &split).check()?;
            if let Some(inner) = plan_inner::<L>(&train, &own, setup.inner) {
                for number in 0..inner.len() {
                    let split = inner.split(number);
                    let params = own_seed::<L::Params>(&own, "inner", &split).check()?;
                    indices.push((index, Some(number)));
                    jobs.push((train.part(&split.train), params));
                }
            }
            indices.push((index, None));
            jobs.push((train, own));
        }
        let learned = fit(&jobs, &machine, setup.threads, setup.control);
        let learned = indices.into_iter().zip(learned);
        let done = learned.filter_map(|(index, learned)| Some((index, learned?))).collect();
        Ok(PrefittedFolds(Mutex::new(done)))
    }

    /// Removes and returns the model of a fold, if there is one.
    pub(super) fn take(&self, index: FoldIndex) -> Option<FitResultOf<L>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&index)
    }
}
