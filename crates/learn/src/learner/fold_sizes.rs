//! Models of several sizes, of which the inner folds select one.
//!
//! The inner folds are fitted for the calibration anyway. The model of each fold is reduced to every size
//! and scores its test fold, so the selection costs no further training run.

use super::cross_fit::{FittedFold, FoldResources, KnownModel, cross_fit, fit_folds, plan_inner};
use super::fold_seed::seed;
use super::{Applied, Describe, Fit, FitResultOf, Machine, ModelOf, NoEstimate, Predicted, Resize};
use crate::out_of_fold::OutOfFold;
use crate::params::Valid;
use crate::rng::Streams;
use crate::run::RunError;
use crate::sizes::{ScoredSizes, SizeChoice, SizeScores};
use crate::split::{Folds, Split};

/// What the inner folds need to select a size.
pub struct FoldSizes<L: Fit> {
    /// Returns the numbers of rules of the models of all sizes, the smallest first; empty if there is one
    /// size.
    pub sizes: fn(&ModelOf<L>) -> Vec<usize>,
    /// Returns the model with at most this many rules.
    pub resize: Resize<L>,
    /// Returns which size to select.
    pub choice: fn(&L::Params) -> SizeChoice,
    /// Returns the weight of each example; `None` if all are equal.
    pub weights: WeighExamples<L>,
    /// Selects the size at an index, and stores the scores of all sizes in the model.
    pub select: SelectSize<L>,
}

/// A function that returns the weight of each example; `None` if all are equal.
pub type WeighExamples<L> = fn(
    &<L as Describe>::Data,
    &<L as Describe>::Params,
) -> Result<Option<Vec<f64>>, <L as Describe>::Error>;

/// A function that selects the size at an index, given the scores of all sizes.
pub type SelectSize<L> = fn(
    &mut FitResultOf<L>,
    usize,
    Vec<SizeScores>,
    &<L as Describe>::Data,
    &Machine,
) -> Result<(), <L as Describe>::Error>;

/// Fits the inner folds. They select the size of the model, if it has several, and calibrate it.
///
/// # Errors
/// As [`Fit::fit`].
pub(super) fn validate<L: Fit>(
    learned: &mut FitResultOf<L>,
    (data, params): (&L::Data, &Valid<L::Params>),
    wanted: usize,
    resources: &FoldResources<'_>,
    known: KnownModel<'_, L>,
) -> Result<Result<OutOfFold, NoEstimate>, RunError<L::Error>> {
    let sized = L::capabilities().fold_sizes;
    let counts = sized.as_ref().map_or_else(Vec::new, |sized| (sized.sizes)(&learned.model));
    let folds = if counts.len() > 1 { plan_inner::<L>(data, params, wanted) } else { None };
    let scores = match (sized, folds) {
        (Some(sized), Some(folds)) => {
            let sizes = (&sized, counts);
            select_by_folds(learned, (data, params), sizes, &folds, (resources, known))?
        }
        _ => cross_fit::<L>(data, params, wanted, resources, known)?,
    };
    learned.model.calibration = scores.as_ref().ok().and_then(OutOfFold::calibration);
    Ok(scores)
}

/// Selects a size, given the numbers of rules of all sizes. Returns the out-of-fold scores of the whole
/// procedure, including this selection.
fn select_by_folds<L: Fit>(
    learned: &mut FitResultOf<L>,
    (data, params): (&L::Data, &Valid<L::Params>),
    (sized, counts): (&FoldSizes<L>, Vec<usize>),
    folds: &Folds,
    (resources, known): (&FoldResources<'_>, KnownModel<'_, L>),
) -> Result<Result<OutOfFold, NoEstimate>, RunError<L::Error>> {
    let began = resources.control.now();
    let weights = (sized.weights)(data, params).map_err(RunError::Learner)?;
    let mut scored = ScoredSizes::new(data, counts.clone(), weights);
    let of_fold = |split: &Split, fold: FittedFold<'_, L>| {
        let FittedFold { model, test, machine } = fold;
        let is_scored = |&place: &usize| scored.has(split.test[place]);
        let places: Vec<usize> = (0..split.test.len()).filter(is_scored).collect();
        let of_size = |&rules: &usize| {
            let own = (sized.resize)(model, rules);
            let applied = L::apply(own.as_ref().unwrap_or(model), test, machine)?;
            Ok(scores_of(&*applied, &places))
        };
        counts.iter().map(of_size).collect::<Result<Vec<Vec<f64>>, L::Error>>()
    };
    let fitted = fit_folds::<L, _>((data, params), folds, resources, known, of_fold)?;
    let Some(fitted) = fitted else { return Ok(Err(NoEstimate::Stopped)) };
    for (split, scores) in fitted {
        scored.record(u32::try_from(split.fold).unwrap_or(u32::MAX), &split.test, &scores);
    }
    let (threads, choice) = (resources.threads, (sized.choice)(params));
    let candidates = scored.candidates(threads);
    let selected = scored.selected(&candidates, choice, threads);
    let streams = Streams::new(seed::<L::Params>(params).unwrap_or(0)).at("resampled");
    let mut scores = scored.out_of_fold((data, folds.len()), &candidates, choice, streams, threads);
    scores.by_size = scored.by_size(data, folds.len());
    let summaries = scored.summaries(&scores.by_size, threads);
    let machine = (resources.machine)()?.undisturbed();
    (sized.select)(learned, selected, summaries, data, &machine).map_err(RunError::Learner)?;
    scores.seconds = (resources.control.now().saturating_sub(began)).as_secs_f64();
    Ok(Ok(scores))
}

/// Returns the scores or the predicted numbers of some examples, one after another.
fn scores_of(applied: &dyn Applied, places: &[usize]) -> Vec<f64> {
    if let Predicted::Numbers(numbers) = applied.predicted() {
        return places.iter().map(|&place| numbers[place]).collect();
    }
    let own = |&place: &usize| applied.scores().and_then(|scores| scores.of(place)).unwrap_or(&[]);
    places.iter().flat_map(own).copied().collect()
}
