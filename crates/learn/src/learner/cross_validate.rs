//! Cross-validation: everything is fitted on the training examples of a fold and judged on the others.

use super::{Examples, Learner, Machine, Truth, scores};
use crate::metrics::{Confusion, Metric};
use crate::params::{Check, Parameters, Valid};
use crate::rng::Streams;
use crate::run::{Control, Driver, Figures, RunError, Silent};
use crate::split::{CrossValidation, FoldScore, Folds, Split, SplitError};
use pellucid_device::{DeviceError, Threads};
use serde_json::Value;

/// Plans folds of some examples with the seed of the parameters; classes are called by name where that is impossible.
///
/// # Errors
/// As [`Folds::stratified`].
pub fn plan_folds<L: Learner>(
    data: &L::Data,
    params: &L::Params,
    folds: usize,
    repeats: usize,
) -> Result<Folds, SplitError> {
    Folds::stratified(&data.codes(), folds, repeats, seed(params).unwrap_or(0))
        .map_err(|error| error.named(&data.classes()))
}

/// Learns and judges every fold, as many side by side as there are threads.
///
/// `machine` makes what one fold is learned with: a thread of the processor for itself, and what it shares with the other
/// folds; `told` hears of every fold that is done. A fold that an interrupt or the time limit cut short is left out.
///
/// # Errors
/// When the data cannot be learned from, or a fold fails.
pub fn cross_validate<L: Learner>(
    data: &L::Data,
    params: &Valid<L::Params>,
    folds: &Folds,
    control: &Control,
    threads: &Threads,
    machine: &(dyn Fn() -> Result<Machine, DeviceError> + Send + Sync),
    told: &(dyn Fn(&FoldScore) + Send + Sync),
) -> Result<CrossValidation, RunError<L::Error>> {
    L::check(data).map_err(RunError::Learner)?;
    let began = control.now();
    let splits: Vec<Split> = folds.iter().collect();
    let codes = data.codes();
    let fold = |index: usize| -> Result<Option<FoldScore>, RunError<L::Error>> {
        if control.should_stop().is_some() {
            return Ok(None);
        }
        let (split, began) = (&splits[index], control.now());
        let Some(values) = judge::<L>(data, params, split, control, &machine()?)? else {
            return Ok(None);
        };
        let score = FoldScore {
            repeat: split.repeat,
            fold: split.fold,
            values,
            baseline: split.baseline(&codes),
            seconds: (control.now() - began).as_secs_f64(),
        };
        told(&score);
        Ok(Some(score))
    };
    let mut all = CrossValidation::new();
    for score in threads.map(splits.len(), fold) {
        if let Some(score) = score? {
            all.push(score);
        }
    }
    all.seconds = (control.now() - began).as_secs_f64();
    Ok(all)
}

/// The scores of one fold, beside those on its training part; nothing when it was cut short.
fn judge<L: Learner>(
    data: &L::Data,
    params: &Valid<L::Params>,
    split: &Split,
    control: &Control,
    machine: &Machine,
) -> Result<Option<Figures>, RunError<L::Error>> {
    let (train, test) = (data.part(&split.train), data.part(&split.test));
    let own = own_seed::<L::Params>(params, split).check()?;
    let learned = L::fit(&train, own, machine, &Driver::new(control), &mut Silent)?;
    if learned.run.summary.stop.is_pause() {
        return Ok(None);
    }
    let applied = L::apply(&learned.model, &test, machine).map_err(RunError::Learner)?;
    let Truth { actual, predicted, .. } = applied.truth().unwrap_or_default();
    let classes = data.classes().len();
    let mut values = scores(&actual, &predicted, classes);
    for (told, name) in [("train_accuracy", "accuracy"), ("train_f1", "f1")] {
        values.set(told, learned.train.get(name).unwrap_or(0.0));
    }
    let sizes = L::sizes(&learned.model);
    sizes.iter().for_each(|(name, size)| values.set(name.to_owned(), size));
    if classes == 2 {
        let positives = actual.iter().filter(|&&code| code == 1).count() as u64;
        let negatives = actual.len() as u64 - positives;
        let everybody = Confusion::from_covered(positives, negatives, positives, negatives);
        values.set("baseline_f1", Metric::F1.of(&everybody));
    }
    Ok(Some(values))
}

fn seed<P: Parameters>(params: &P) -> Option<u64> {
    P::find("seed").ok()?.json(params).as_u64()
}

/// Every fold has a seed of its own: one lucky or unlucky seed must not speak for all of them.
fn own_seed<P: Parameters>(params: &P, split: &Split) -> P {
    let mut own = params.clone();
    if let (Some(seed), Ok(parameter)) = (seed(params), P::find("seed")) {
        let place = ["fold".into(), split.repeat.into(), split.fold.into()];
        let word = Streams::new(seed).stream(&place).next_word();
        // A parameter that gave a number takes one.
        let _ = parameter.set_json(&mut own, &Value::from(word));
    }
    own
}
