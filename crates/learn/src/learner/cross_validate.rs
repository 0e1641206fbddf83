//! Cross-validation: everything is fitted on the training fold and evaluated on the test fold.

use super::cross_fit::FoldResources;
use super::fold_seed::{own_seed, seed};
use super::fold_sizes::validate;
use super::prefitted::PrefittedFolds;
use super::setup::CrossValidationSetup;
use super::{
    ActualClass, Applied, Examples, Fit, FitResultOf, Predictions, check_target_kind, scores,
};
use crate::metrics::{
    Confusion, Decisions, Metric, Middle, NumberDecision, Ranking, Ties, number_scores,
};
use crate::params::{Check, Valid};
use crate::run::{Driver, Figures, RunError, Silent};
use crate::split::{CrossValidation, FoldScore, Folds, Split, SplitError, parallel_map};
use pellucid_device::Threads;

/// Plans folds of some examples with the seed of the parameters; groups are kept together. Errors name
/// the classes.
///
/// # Errors
/// As [`Folds::stratified`].
pub fn plan_folds<L: Fit>(
    data: &L::Data,
    params: &L::Params,
    folds: usize,
    repeats: usize,
) -> Result<Folds, SplitError> {
    let (strata, groups) = (data.strata(), data.groups());
    Folds::grouped(&strata, groups.as_deref(), folds, repeats, seed(params).unwrap_or(0))
        .map_err(|error| error.named(&data.classes()))
}

/// Trains and evaluates every fold, in parallel on all threads. A fold that is stopped by an interrupt
/// or the time limit is skipped.
///
/// # Errors
/// If the data is unsuitable, or a fold fails.
pub fn cross_validate<L: Fit>(
    data: &L::Data,
    params: &Valid<L::Params>,
    setup: &CrossValidationSetup<'_>,
) -> Result<CrossValidation, RunError<L::Error>> {
    check_target_kind::<L>(data)?;
    (L::capabilities().check_data)(data).map_err(RunError::Learner)?;
    let control = setup.control;
    let began = control.now();
    let codes = data.codes();
    let units = data.groups().unwrap_or_else(|| (0..).take(codes.len()).collect());
    let prefitted = PrefittedFolds::<L>::fit(data, params, setup)?;
    let fold = |index: usize| -> Result<Option<(FoldScore, FoldResult)>, RunError<L::Error>> {
        let (split, began) = (setup.folds.split(index), control.now());
        let place = FoldPlace { index, split: &split, units: &units };
        let Some(result) = evaluate_fold::<L>(data, params, &place, (setup, &prefitted))? else {
            return Ok(None);
        };
        let score = FoldScore {
            repeat: split.repeat,
            fold: split.fold,
            values: result.values.clone(),
            baseline: result.baseline.unwrap_or_else(|| split.baseline(&codes)),
            seconds: (control.now() - began).as_secs_f64(),
        };
        (setup.on_fold)(&score);
        Ok(Some((score, result)))
    };
    let mut all = CrossValidation::of_classes(data.classes());
    all.decisions.miss_costs = (L::capabilities().miss_costs)(params, &all.decisions.classes);
    let is_stopped = || control.should_stop().is_some();
    for (score, result) in parallel_map(setup.folds.len(), setup.threads, is_stopped, fold)? {
        all.push(score);
        all.decisions.append(&result.decisions);
        result.numbers.into_iter().for_each(|number| all.numbers.push(number));
    }
    all.seconds = (control.now() - began).as_secs_f64();
    Ok(all)
}

/// A fold of a cross-validation.
struct FoldPlace<'a> {
    index: usize,
    split: &'a Split,
    /// The unit of each example of all data.
    units: &'a [u32],
}

impl FoldPlace<'_> {
    /// Returns the unit of a test example.
    fn unit(&self, test: usize) -> u32 {
        self.units[self.split.test[test] as usize]
    }
}

/// The result of one fold.
struct FoldResult {
    values: Figures,
    decisions: Decisions,
    /// The predictions, if a number is predicted.
    numbers: Vec<NumberDecision>,
    /// The root mean squared error of the mean, if a number is predicted.
    baseline: Option<f64>,
}

/// Evaluates the predicted numbers of a fold.
fn evaluate_numbers<L: Fit>(
    learned: &FitResultOf<L>,
    baseline: Middle,
    applied: &dyn Applied,
    place: &FoldPlace<'_>,
) -> FoldResult {
    let predicted = applied.predicted().numbers().unwrap_or_default();
    let decision = |test: usize| {
        let (actual, predicted) = (applied.actual().number(test)?, *predicted.get(test)?);
        Some(NumberDecision { unit: place.unit(test), actual, predicted, baseline })
    };
    let numbers: Vec<NumberDecision> = (0..applied.len()).filter_map(decision).collect();
    let actual: Vec<f64> = numbers.iter().map(|one| one.actual).collect();
    let predicted: Vec<f64> = numbers.iter().map(|one| one.predicted).collect();
    let mut values = number_scores(&actual, &predicted);
    for (key, name) in [("train_r2", "r2"), ("train_mae", "mae")] {
        values.set(key, learned.train.get(name).unwrap_or(0.0));
    }
    let of_mean = number_scores(&actual, &vec![baseline.mean; actual.len()]);
    let of_median = number_scores(&actual, &vec![baseline.median; actual.len()]);
    values.set("baseline_mae", of_median.get("mae").unwrap_or(0.0));
    let sizes = (L::capabilities().sizes)(&learned.model);
    sizes.iter().for_each(|(name, size)| values.set(name.to_owned(), size));
    let baseline = of_mean.get("rmse");
    FoldResult { values, decisions: Decisions::default(), numbers, baseline }
}

/// Trains and evaluates one fold; `None` if it was stopped.
fn evaluate_fold<L: Fit>(
    data: &L::Data,
    params: &Valid<L::Params>,
    place: &FoldPlace<'_>,
    (setup, prefitted): (&CrossValidationSetup<'_>, &PrefittedFolds<L>),
) -> Result<Option<FoldResult>, RunError<L::Error>> {
    let (index, split) = (place.index, place.split);
    let machine = (setup.machine)()?.undisturbed();
    let (train, test) = (data.part(&split.train), data.part(&split.test));
    let own = own_seed::<L::Params>(params, "fold", split).check()?;
    let learned = match prefitted.take((index, None)) {
        Some(learned) => learned,
        None => {
            let driver = Driver::new(setup.control).all_or_nothing();
            L::fit(&train, own.clone(), &machine, &driver, &mut Silent)?
        }
    };
    if learned.run.summary.stop.is_pause() {
        return Ok(None);
    }
    let mut learned = learned;
    // Inner folds calibrate models with scores, and select the size of a model that has several.
    let numbers = train.numbers();
    let uses_folds = match numbers {
        None => L::OUTPUT.scores,
        Some(_) => L::capabilities().fold_sizes.is_some(),
    };
    if learned.out_of_fold.is_none() && setup.inner > 0 && uses_folds {
        // The inner folds run on the thread of this fold.
        let resources = FoldResources {
            control: setup.control,
            threads: &Threads::callers(),
            machine: &|| Ok(machine.clone()),
            progress: &|_| (),
        };
        let known = |inner| prefitted.take((index, Some(inner)));
        let _ = validate::<L>(&mut learned, (&train, &own), setup.inner, &resources, &known)?;
        if setup.control.should_stop().is_some() {
            return Ok(None);
        }
    }
    if let Some(numbers) = numbers {
        let applied = L::apply(&learned.model, &test, &machine).map_err(RunError::Learner)?;
        let baseline = Middle::of(&numbers);
        return Ok(Some(evaluate_numbers::<L>(&learned, baseline, &*applied, place)));
    }
    // The model decides like the final model, including its calibration.
    let applied = L::apply(&learned.model, &test, &machine).map_err(RunError::Learner)?;
    Ok(Some(evaluate_classes::<L>(&learned, &data.classes(), applied, place)))
}

/// Evaluates the predicted classes of a fold.
fn evaluate_classes<L: Fit>(
    learned: &FitResultOf<L>,
    classes: &[String],
    applied: Box<dyn Applied>,
    place: &FoldPlace<'_>,
) -> FoldResult {
    let predictions = Predictions::new(applied, classes, learned.model.calibration.as_ref());
    // The units of decisions are those of all data, not of this fold.
    let actual = predictions.applied().actual();
    let is_known = |&test: &usize| matches!(actual.class(test), Some(ActualClass::Known(_)));
    let units = (0..predictions.len()).filter(is_known).map(|test| place.unit(test));
    let model = u32::try_from(place.index).unwrap_or(u32::MAX);
    let decisions = predictions.decisions().unwrap_or_default().of_model(model, units);
    let list = decisions.list();
    let actual: Vec<u32> = list.iter().map(|decision| decision.actual).collect();
    let predicted: Vec<u32> = list.iter().map(|decision| decision.predicted).collect();
    let mut values = scores(&actual, &predicted, classes.len());
    for (key, name) in [("train_accuracy", "accuracy"), ("train_f1", "f1")] {
        values.set(key, learned.train.get(name).unwrap_or(0.0));
    }
    let sizes = (L::capabilities().sizes)(&learned.model);
    sizes.iter().for_each(|(name, size)| values.set(name.to_owned(), size));
    if classes.len() == 2 {
        let positives = actual.iter().filter(|&&code| code == 1).count() as u64;
        let negatives = actual.len() as u64 - positives;
        let all_positive = Confusion::from_covered(positives, negatives, positives, negatives);
        values.set("baseline_f1", Metric::F1.of(&all_positive));
        if L::OUTPUT.ranks
            && let Some(ranking) = ranking(&decisions)
        {
            values.set("lift", ranking.lift_at(TOP, Ties::Shared));
            values.set("auc", ranking.auc());
        }
    }
    FoldResult { values, decisions, numbers: Vec::new(), baseline: None }
}

/// The top share for the lift.
const TOP: f64 = 0.2;

/// Returns the ranking of the examples of a fold; `None` if a class is missing or there are no scores.
fn ranking(decisions: &Decisions) -> Option<Ranking> {
    let labels: Vec<bool> = decisions.list().iter().map(|one| one.actual == 1).collect();
    Ranking::new(&decisions.numbers_of(1)?, &labels).ok()
}
