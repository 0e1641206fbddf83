//! Cross-validation: everything is fitted on the training examples of a fold and judged on the others.

use super::cross_fit::{FoldSite, cross_fit};
use super::in_advance::InAdvance;
use super::{
    Actual, Applied, Examples, LearnedBy, Learner, Machine, Predictions, check_aim, scores,
};
use crate::metrics::{
    Confusion, Decision, Metric, Middle, NumberDecision, Ranking, Ties, number_scores,
};
use crate::params::{Check, Parameters, Valid};
use crate::rng::Streams;
use crate::run::{Control, Driver, Figures, RunError, Silent};
use crate::split::{CrossValidation, FoldScore, Folds, Split, SplitError, in_turn};
use pellucid_device::{DeviceError, Threads};
use serde_json::Value;

/// Plans folds of some examples with the seed of the parameters, groups kept together; classes are called by name where that
/// is impossible.
///
/// # Errors
/// As [`Folds::stratified`].
pub fn plan_folds<L: Learner>(
    data: &L::Data,
    params: &L::Params,
    folds: usize,
    repeats: usize,
) -> Result<Folds, SplitError> {
    let (strata, groups) = (data.strata(), data.groups());
    Folds::planned(&strata, groups.as_deref(), folds, repeats, seed(params).unwrap_or(0))
        .map_err(|error| error.named(&data.classes()))
}

/// How folds are learned and judged.
#[derive(Clone, Copy)]
pub struct Judging<'a> {
    /// The folds.
    pub folds: &'a Folds,
    /// The number of inner folds, within the training part of each fold, by which a model is calibrated, as it is when it is
    /// learned from all data; 0 for none. A learner that does not validate itself has no probabilities to judge then.
    pub inner: usize,
    /// What stops it.
    pub control: &'a Control,
    /// As many folds are learned side by side.
    pub threads: &'a Threads,
    /// Makes what one fold is learned with: a thread of the processor for itself, and what it shares with the other folds.
    pub machine: &'a (dyn Fn() -> Result<Machine, DeviceError> + Send + Sync),
    /// Hears of every fold that is done.
    pub told: &'a (dyn Fn(&FoldScore) + Send + Sync),
}

/// Learns and judges every fold, as many side by side as there are threads. A fold that an interrupt or the time limit cut
/// short is left out.
///
/// # Errors
/// When the data cannot be learned from, or a fold fails.
pub fn cross_validate<L: Learner>(
    data: &L::Data,
    params: &Valid<L::Params>,
    how: &Judging<'_>,
) -> Result<CrossValidation, RunError<L::Error>> {
    check_aim::<L>(data)?;
    L::check(data).map_err(RunError::Learner)?;
    let control = how.control;
    let began = control.now();
    let codes = data.codes();
    let units = data.groups().unwrap_or_else(|| (0..).take(codes.len()).collect());
    let in_advance = InAdvance::<L>::of_folds(data, params, how)?;
    let fold = |index: usize| -> Result<Option<(FoldScore, Judged)>, RunError<L::Error>> {
        let (split, began) = (how.folds.split(index), control.now());
        let judged = judge::<L>(data, params, (index, &split), &units, (how, &in_advance))?;
        let Some(judged) = judged else {
            return Ok(None);
        };
        let score = FoldScore {
            repeat: split.repeat,
            fold: split.fold,
            values: judged.values.clone(),
            baseline: judged.baseline.unwrap_or_else(|| split.baseline(&codes)),
            seconds: (control.now() - began).as_secs_f64(),
        };
        (how.told)(&score);
        Ok(Some((score, judged)))
    };
    let mut all = CrossValidation::of_classes(data.classes());
    let is_late = || control.should_stop().is_some();
    for (score, judged) in in_turn(how.folds.len(), how.threads, is_late, fold)? {
        all.push(score);
        judged.decisions.into_iter().for_each(|decision| all.decisions.push(decision));
        all.decisions.strangers += judged.strangers;
        judged.numbers.into_iter().for_each(|number| all.numbers.push(number));
    }
    all.seconds = (control.now() - began).as_secs_f64();
    Ok(all)
}

/// What came of one fold.
struct Judged {
    values: Figures,
    decisions: Vec<Decision>,
    strangers: usize,
    /// Where a number is predicted: what was said, and the error of who says the mean.
    numbers: Vec<NumberDecision>,
    baseline: Option<f64>,
}

/// What the model of one fold says of the numbers of its test examples.
fn judge_numbers<L: Learner>(
    learned: &LearnedBy<L>,
    trivial: Middle,
    applied: &dyn Applied,
    unit_of: impl Fn(usize) -> u32,
) -> Judged {
    let said = |place: usize| {
        let (actual, predicted) = (applied.actual_number(place)?, applied.number(place)?);
        Some(NumberDecision { unit: unit_of(place), actual, predicted, trivial })
    };
    let numbers: Vec<NumberDecision> = (0..applied.len()).filter_map(said).collect();
    let actual: Vec<f64> = numbers.iter().map(|one| one.actual).collect();
    let predicted: Vec<f64> = numbers.iter().map(|one| one.predicted).collect();
    let mut values = number_scores(&actual, &predicted);
    for (told, name) in [("train_r2", "r2"), ("train_mae", "mae")] {
        values.set(told, learned.train.get(name).unwrap_or(0.0));
    }
    let of_mean = number_scores(&actual, &vec![trivial.mean; actual.len()]);
    let of_median = number_scores(&actual, &vec![trivial.median; actual.len()]);
    values.set("baseline_mae", of_median.get("mae").unwrap_or(0.0));
    L::sizes(&learned.model).iter().for_each(|(name, size)| values.set(name.to_owned(), size));
    Judged { values, decisions: Vec::new(), strangers: 0, numbers, baseline: of_mean.get("rmse") }
}

/// The decisions and scores of one fold, beside those on its training part; nothing when it was cut short.
fn judge<L: Learner>(
    data: &L::Data,
    params: &Valid<L::Params>,
    (index, split): (usize, &Split),
    units: &[u32],
    (how, in_advance): (&Judging<'_>, &InAdvance<L>),
) -> Result<Option<Judged>, RunError<L::Error>> {
    let machine = (how.machine)()?.undisturbed();
    let (train, test) = (data.part(&split.train), data.part(&split.test));
    let own = own_seed::<L::Params>(params, "fold", split).check()?;
    let learned = match in_advance.take((index, None)) {
        Some(learned) => learned,
        None => {
            let driver = Driver::new(how.control).all_or_nothing();
            L::fit(&train, own.clone(), &machine, &driver, &mut Silent)?
        }
    };
    if learned.run.summary.stop.is_pause() {
        return Ok(None);
    }
    let mut learned = learned;
    if let Some(numbers) = train.numbers() {
        let applied = L::apply(&learned.model, &test, &machine).map_err(RunError::Learner)?;
        let unit_of = |place: usize| units[split.test[place] as usize];
        return Ok(Some(judge_numbers::<L>(&learned, Middle::of(&numbers), &*applied, unit_of)));
    }
    if learned.out_of_fold.is_none() && how.inner > 0 && L::VOTES {
        // All of it on the thread of this fold.
        let site = FoldSite {
            control: how.control,
            threads: &Threads::callers(),
            machine: &|| Ok(machine.clone()),
            progress: &|_| (),
        };
        let known = |inner| in_advance.take((index, Some(inner)));
        let scores = cross_fit::<L>(&train, &own, how.inner, &site, &known)?;
        if how.control.should_stop().is_some() {
            return Ok(None);
        }
        learned.model.calibration = scores.ok().and_then(|scores| scores.calibration());
    }
    // The model decides as it would when it ships, its calibration included.
    let applied = L::apply(&learned.model, &test, &machine).map_err(RunError::Learner)?;
    let classes = data.classes();
    let predictions = Predictions::new(applied, &classes, learned.model.calibration.as_ref());
    let said = predictions.decisions();
    let strangers = said.as_ref().map_or(0, |said| said.strangers);
    // Decisions are about the examples of all data, not of this part.
    let applied = predictions.applied();
    let known =
        (0..applied.len()).filter(|&one| matches!(applied.actual(one), Some(Actual::Class(_))));
    let decisions: Vec<Decision> = known
        .zip(said.iter().flat_map(|said| said.list()))
        .map(|(place, decision)| Decision {
            unit: units[split.test[place] as usize],
            model: u32::try_from(index).unwrap_or(u32::MAX),
            ..decision.clone()
        })
        .collect();
    let actual: Vec<u32> = decisions.iter().map(|decision| decision.actual).collect();
    let predicted: Vec<u32> = decisions.iter().map(|decision| decision.predicted).collect();
    let mut values = scores(&actual, &predicted, classes.len());
    for (told, name) in [("train_accuracy", "accuracy"), ("train_f1", "f1")] {
        values.set(told, learned.train.get(name).unwrap_or(0.0));
    }
    let sizes = L::sizes(&learned.model);
    sizes.iter().for_each(|(name, size)| values.set(name.to_owned(), size));
    if classes.len() == 2 {
        let positives = actual.iter().filter(|&&code| code == 1).count() as u64;
        let negatives = actual.len() as u64 - positives;
        let everybody = Confusion::from_covered(positives, negatives, positives, negatives);
        values.set("baseline_f1", Metric::F1.of(&everybody));
        if L::RANKS
            && let Some(ranking) = ranking(&decisions)
        {
            values.set("lift", ranking.lift_at(TOP, Ties::Shared));
            values.set("auc", ranking.auc());
        }
    }
    Ok(Some(Judged { values, decisions, strangers, numbers: Vec::new(), baseline: None }))
}

/// The share at the top whose lift is told.
const TOP: f64 = 0.2;

/// The order in which a fold's examples stand; nothing where a class is absent, or decisions have no numbers.
fn ranking(decisions: &[Decision]) -> Option<Ranking> {
    let number = |one: &Decision| one.backing.numbers().and_then(|numbers| numbers.get(1).copied());
    let scores: Option<Vec<f64>> = decisions.iter().map(number).collect();
    let labels: Vec<bool> = decisions.iter().map(|one| one.actual == 1).collect();
    Ranking::new(&scores?, &labels).ok()
}

pub(super) fn seed<P: Parameters>(params: &P) -> Option<u64> {
    P::find("seed").ok()?.json(params).as_u64()
}

/// Every fold has a seed of its own: one lucky or unlucky seed must not speak for all of them.
pub(super) fn own_seed<P: Parameters>(params: &P, purpose: &'static str, split: &Split) -> P {
    let mut own = params.clone();
    if let (Some(seed), Ok(parameter)) = (seed(params), P::find("seed")) {
        let place = [purpose.into(), split.repeat.into(), split.fold.into()];
        let word = Streams::new(seed).stream(&place).next_word();
        // A parameter that gave a number takes one.
        let _ = parameter.set_json(&mut own, &Value::from(word));
    }
    own
}
