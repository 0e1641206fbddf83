//! Cross-validation: everything is fitted on the training examples of a fold and judged on the others.

use crate::apply::Applied;
use crate::learn::{RunError, learn_part, scores};
use crate::params::Params;
use crate::train::{LearnError, Machine, check_classes};
use pellucid_engine::Threads;
use pellucid_engine::data::Dataset;
use pellucid_learn::params::{Check, Valid};
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Control, Driver, Silent};
use pellucid_learn::split::{CrossValidation, FoldScore, Folds, Split};

/// Learns and judges every fold, as many side by side as there are threads.
///
/// `machine` makes what one fold is learned with: a thread of the processor for itself, and what it shares with the other
/// folds; `told` hears of every fold that is done. A fold that an interrupt or the
/// time limit cut short is left out.
///
/// # Errors
/// When a fold cannot be learned.
pub fn cross_validate(
    data: &Dataset,
    params: &Valid<Params>,
    folds: &Folds,
    control: &Control,
    threads: &Threads,
    machine: impl Fn() -> Result<Machine, RunError> + Send + Sync,
    told: impl Fn(&FoldScore) + Send + Sync,
) -> Result<CrossValidation, RunError> {
    check_classes(data)?;
    let began = control.now();
    let splits: Vec<Split> = folds.iter().collect();
    let fold = |index: usize| -> Result<Option<FoldScore>, RunError> {
        if control.should_stop().is_some() {
            return Ok(None);
        }
        let score = judge(data, params, &splits[index], control, &machine()?)?;
        if let Some(score) = &score {
            told(score);
        }
        Ok(score)
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

fn judge(
    data: &Dataset,
    params: &Valid<Params>,
    split: &Split,
    control: &Control,
    machine: &Machine,
) -> Result<Option<FoldScore>, RunError> {
    let began = control.now();
    let (train, test) = (data.select(&split.train), data.select(&split.test));
    // Every fold has a seed of its own: one lucky or unlucky seed must not speak for all of them.
    let mut own = params.clone().into_inner();
    own.seed = Streams::new(own.seed)
        .stream(&["fold".into(), split.repeat.into(), split.fold.into()])
        .next_word();
    let learned = learn_part(
        &train,
        own.check().map_err(LearnError::from)?,
        machine,
        &Driver::new(control),
        &mut Silent,
    )?;
    if learned.run.summary.stop.is_pause() {
        return Ok(None);
    }
    let applied = Applied::new(&learned.model, &test, machine)?;
    let codes = test.example_codes();
    let rules = &learned.model.model;
    let values = scores(&codes, &applied.predictions(), data.classes())
        .with("train_accuracy", learned.train.get("accuracy").unwrap_or(0.0))
        .with("rules", rules.rules.len() as f64)
        .with("comparisons", rules.comparisons() as f64);
    Ok(Some(FoldScore {
        repeat: split.repeat,
        fold: split.fold,
        values,
        baseline: split.baseline(&data.example_codes()),
        seconds: (control.now() - began).as_secs_f64(),
    }))
}
