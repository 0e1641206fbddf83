//! Cross-fitting: one model for each fold, fitted on the other folds, scores the examples of its fold.

use super::fold_seed::{own_seed, seed};
use super::inner_folds::plan_inner_folds;
use super::{
    ActualClass, Applied, Examples, Fit, FitResultOf, Machine, ModelOf, NoEstimate, Predicted,
};
use crate::out_of_fold::OutOfFold;
use crate::params::{Check, Valid};
use crate::run::{Control, Driver, RunError, Silent};
use crate::split::{Folds, Split, parallel_map};
use pellucid_device::{DeviceError, Threads};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The seed of inner folds differs from that of a cross-validation around them by this mask.
const INNER_SEED: u64 = 0x1e55_0a7e_5f01_d5ed;

/// The devices and the control for fitting the models of folds.
pub(super) struct FoldResources<'a> {
    pub(super) control: &'a Control,
    pub(super) threads: &'a Threads,
    pub(super) machine: &'a (dyn Fn() -> Result<Machine, DeviceError> + Send + Sync),
    /// Called with the number of finished folds.
    pub(super) progress: &'a (dyn Fn(usize) + Send + Sync),
}

/// Plans inner folds of some data; `None` if there is too little data.
pub(super) fn plan_inner<L: Fit>(
    data: &L::Data,
    params: &Valid<L::Params>,
    wanted: usize,
) -> Option<Folds> {
    let seed = seed::<L::Params>(params).unwrap_or(0);
    plan_inner_folds(data, wanted, 1, seed ^ INNER_SEED)
}

/// A function that returns the model of an inner fold if it is already fitted.
pub(super) type KnownModel<'a, L> = &'a (dyn Fn(usize) -> Option<FitResultOf<L>> + Sync);

/// Scores the examples of every fold with a model fitted on the other folds.
pub(super) fn cross_fit<L: Fit>(
    data: &L::Data,
    params: &Valid<L::Params>,
    wanted: usize,
    resources: &FoldResources<'_>,
    known: KnownModel<'_, L>,
) -> Result<Result<OutOfFold, NoEstimate>, RunError<L::Error>> {
    let Some(folds) = plan_inner::<L>(data, params, wanted) else {
        return Ok(Err(NoEstimate::TooFew));
    };
    let began = resources.control.now();
    let scored = fit_folds::<L, _>((data, params), &folds, resources, known, |_, fold| {
        L::apply(fold.model, fold.test, fold.machine)
    })?;
    let Some(scored) = scored else { return Ok(Err(NoEstimate::Stopped)) };
    let mut scores =
        OutOfFold::new(data, folds.len()).deciding_by_probability(L::OUTPUT.decides_by_probability);
    for (split, applied) in scored {
        collect(&mut scores, &split, &*applied);
    }
    scores.seconds = (resources.control.now().saturating_sub(began)).as_secs_f64();
    Ok(Ok(scores))
}

/// The model of a fold, and the test examples of the fold.
pub(super) struct FittedFold<'a, L: Fit> {
    pub(super) model: &'a ModelOf<L>,
    pub(super) test: &'a L::Data,
    pub(super) machine: &'a Machine,
}

/// The result of each fold; `None` if the run was stopped.
pub(super) type FoldResults<R> = Option<Vec<(Split, R)>>;

/// Fits a model on the training part of every fold and applies a function to it. Returns `None` if it was
/// stopped.
pub(super) fn fit_folds<L: Fit, R: Send>(
    (data, params): (&L::Data, &Valid<L::Params>),
    folds: &Folds,
    resources: &FoldResources<'_>,
    known: KnownModel<'_, L>,
    apply: impl Fn(&Split, FittedFold<'_, L>) -> Result<R, L::Error> + Sync,
) -> Result<FoldResults<R>, RunError<L::Error>> {
    let done = AtomicUsize::new(0);
    let is_stopped = || resources.control.should_stop().is_some();
    let found = parallel_map(folds.len(), resources.threads, is_stopped, |index| {
        let split = folds.split(index);
        let machine = (resources.machine)()?.undisturbed();
        let (train, test) = (data.part(&split.train), data.part(&split.test));
        let learned = match known(index) {
            Some(learned) => learned,
            None => {
                let own = own_seed::<L::Params>(params, "inner", &split).check()?;
                let driver = Driver::new(resources.control).all_or_nothing();
                L::fit(&train, own, &machine, &driver, &mut Silent)?
            }
        };
        if learned.run.summary.stop.is_pause() {
            return Ok(None);
        }
        let fold = FittedFold { model: &learned.model, test: &test, machine: &machine };
        let applied = apply(&split, fold).map_err(RunError::Learner)?;
        (resources.progress)(done.fetch_add(1, Ordering::SeqCst) + 1);
        Ok::<_, RunError<L::Error>>(Some((split, applied)))
    })?;
    Ok((found.len() == folds.len()).then_some(found))
}

/// Adds the predictions of a fold for its test examples.
fn collect(scores: &mut OutOfFold, split: &Split, applied: &dyn Applied) {
    let fold = u32::try_from(split.fold).unwrap_or(u32::MAX);
    match applied.predicted() {
        Predicted::Numbers(numbers) => {
            for (&example, &number) in split.test.iter().zip(numbers) {
                scores.push(fold, example, 0, Some(&[number]));
            }
        }
        Predicted::Classes(codes) => {
            for (place, (&example, &code)) in split.test.iter().zip(codes).enumerate() {
                if let Some(ActualClass::Known(_)) = applied.actual().class(place) {
                    let own = applied.scores().and_then(|scores| scores.of(place));
                    scores.push(fold, example, code, own);
                }
            }
        }
    }
}
