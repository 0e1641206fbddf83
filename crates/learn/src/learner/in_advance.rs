//! Folds learned in advance, all at once, where a learner and a device can do that.

use super::cross_fit::plan_inner;
use super::cross_validate::own_seed;
use super::{Examples, Judging, LearnedBy, Learner};
use crate::params::{Check, Valid};
use crate::run::RunError;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Which fold of a cross-validation, and which inner fold of its training part, if it is one of those.
type Place = (usize, Option<usize>);

/// What was learned in advance, to be taken by whoever judges it.
pub(super) struct InAdvance<L: Learner>(Mutex<HashMap<Place, LearnedBy<L>>>);

impl<L: Learner> Default for InAdvance<L> {
    fn default() -> Self {
        InAdvance(Mutex::default())
    }
}

impl<L: Learner> InAdvance<L> {
    /// Learns all folds of a cross-validation at once, or none of them.
    pub(super) fn of_folds(
        data: &L::Data,
        params: &Valid<L::Params>,
        how: &Judging<'_>,
    ) -> Result<InAdvance<L>, RunError<L::Error>> {
        if how.folds.len() < 2 {
            return Ok(InAdvance::default());
        }
        let machine = (how.machine)()?;
        if !L::learns_together(data, params, &machine) {
            return Ok(InAdvance::default());
        }
        let mut places: Vec<Place> = Vec::new();
        let mut jobs = Vec::new();
        for index in 0..how.folds.len() {
            let split = how.folds.split(index);
            let train = data.part(&split.train);
            let own = own_seed::<L::Params>(params, "fold", &split).check()?;
            if let Some(inner) = plan_inner::<L>(&train, &own, how.inner) {
                for number in 0..inner.len() {
                    let split = inner.split(number);
                    let params = own_seed::<L::Params>(&own, "inner", &split).check()?;
                    places.push((index, Some(number)));
                    jobs.push((train.part(&split.train), params));
                }
            }
            places.push((index, None));
            jobs.push((train, own));
        }
        let learned = L::fit_together(&jobs, &machine, how.threads, how.control);
        let learned = places.into_iter().zip(learned);
        let done = learned.filter_map(|(place, learned)| Some((place, learned?))).collect();
        Ok(InAdvance(Mutex::new(done)))
    }

    /// Takes what was learned for a fold, if it was.
    pub(super) fn take(&self, place: Place) -> Option<LearnedBy<L>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&place)
    }
}
