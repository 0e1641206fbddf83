//! How far answers can be relied on: learned without some of the examples, judged by those.

use super::model::Baseline;
use super::train::{scores, train_task};
use super::{Applied, LearnError, Options, RunError, Task};
use crate::KnowledgeBase;
use pellucid_engine::{Machine, Threads};
use pellucid_learn::metrics::Confusion;
use pellucid_learn::params::{Check, Valid};
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Control, Driver, Silent};
use pellucid_learn::split::{CrossValidation, FoldScore, Folds, Split};
use std::sync::Arc;

/// Learns and judges every fold, as many side by side as there are threads.
///
/// Examples that judge a fold are no examples when it is learned, and their own values make no cuts. `machine` makes what one
/// fold is learned with; `told` hears of every fold that is done. A fold that an interrupt or the time limit cut short is left
/// out.
///
/// # Errors
/// When a fold cannot be learned.
#[expect(clippy::too_many_arguments, reason = "as many as there are things to bring together")]
pub fn cross_validate(
    kb: &Arc<KnowledgeBase>,
    task: &Task,
    options: &Valid<Options>,
    folds: &Folds,
    control: &Control,
    threads: &Threads,
    machine: impl Fn() -> Result<Machine, RunError> + Send + Sync,
    told: impl Fn(&FoldScore) + Send + Sync,
) -> Result<CrossValidation, RunError> {
    let began = control.now();
    let splits: Vec<Split> = folds.iter().collect();
    let fold = |index: usize| -> Result<Option<FoldScore>, RunError> {
        if control.should_stop().is_some() {
            return Ok(None);
        }
        let score = judge(kb, task, options, &splits[index], control, &machine()?)?;
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
    kb: &Arc<KnowledgeBase>,
    task: &Task,
    options: &Valid<Options>,
    split: &Split,
    control: &Control,
    machine: &Machine,
) -> Result<Option<FoldScore>, RunError> {
    let began = control.now();
    // Every fold has a seed of its own: one lucky or unlucky seed must not speak for all of them.
    let mut own = options.clone().into_inner();
    own.seed = Streams::new(own.seed)
        .stream(&["fold".into(), split.repeat.into(), split.fold.into()])
        .next_word();
    let part = task.part(&split.train);
    let own = own.check().map_err(LearnError::from)?;
    let learned = train_task(kb, part, own, machine, &Driver::new(control), control, &mut Silent)?;
    if learned.run.summary.stop.is_pause() {
        return Ok(None);
    }
    let applied = Applied::new(&learned.model, kb, machine)?;
    let individuals = [&task.positive[..], &task.negative[..]].concat();
    let mut counts = Confusion::default();
    let mut sides = [0; 2];
    for &place in &split.test {
        let actual = (place as usize) < task.positive.len();
        sides[usize::from(actual)] += 1;
        counts.record(actual, applied.predict(individuals[place as usize]).positive);
    }
    let best = learned.model.model.answers.first();
    let values = scores(&counts)
        .with("train_f1", learned.train.get("f1").unwrap_or(0.0))
        .with("length", best.map_or(0.0, |best| f64::from(best.length)))
        .with("baseline_f1", Baseline::of(sides[1], sides[0]).f1);
    Ok(Some(FoldScore {
        repeat: split.repeat,
        fold: split.fold,
        values,
        baseline: split.baseline(&task.codes()),
        seconds: (control.now() - began).as_secs_f64(),
    }))
}
