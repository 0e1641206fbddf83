//! From a knowledge base and a problem to a model.

use super::model::LEARNER;
use super::{Answers, Lab, LearnError, Learner, Model, Options, Task};
use crate::KnowledgeBase;
use pellucid_engine::Machine;
use pellucid_engine::data::Problem;
use pellucid_learn::metrics::{Confusion, Metric};
use pellucid_learn::model::Schema;
use pellucid_learn::params::Valid;
use pellucid_learn::run::{Control, DriveError, Driver, Observer, Run, Values};
use std::sync::Arc;

/// What came of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// The model.
    pub model: Model,
    /// How the run went.
    pub run: Run,
    /// How well the best answer does on the examples it was learned from, beside the trivial ones.
    pub train: Values,
    /// What a person should know.
    pub notes: Vec<String>,
}

/// Why a run gave no model.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Learning failed, or the checkpoint.
    #[error(transparent)]
    Drive(#[from] DriveError<LearnError>),
    /// The problem or the options cannot be used.
    #[error(transparent)]
    Learn(#[from] LearnError),
}

/// Learns class expressions for a problem. The driver brings the time limit, the checkpoint and the interrupt; `control` is
/// the same that it was made of, and is asked within steps too.
///
/// # Errors
/// When the examples or options cannot be used, or the devices or the checkpoint fail.
pub fn train(
    kb: &Arc<KnowledgeBase>,
    problem: &Problem,
    options: Valid<Options>,
    machine: &Machine,
    driver: &Driver,
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<Learned, RunError> {
    let task = Task::new(kb, problem)?;
    train_task(kb, task, options, machine, driver, control, observer)
}

/// Learns from a part of the examples.
pub(super) fn train_task(
    kb: &Arc<KnowledgeBase>,
    task: Task,
    options: Valid<Options>,
    machine: &Machine,
    driver: &Driver,
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<Learned, RunError> {
    let lab = Lab::new(kb, task, &options, machine, control)?;
    let mut learner = Learner::new(lab);
    let run = driver.run(&mut learner, observer)?;
    let mut lab = learner.into_lab();
    if lab.board().best().is_none() {
        // Stopped before anything was tried: the trivial answer is one.
        let everybody = lab.programs_mut().constant(true);
        lab.attempt(&[everybody]).map_err(RunError::Learn)?;
    }
    let answers = Answers::of(&lab);
    let notes = lab.notes().to_vec();
    notes.iter().for_each(|note| observer.warned(note));
    let counts = answers.train().unwrap_or_default();
    let train = scores(&counts)
        .with("baseline_accuracy", answers.baseline.accuracy)
        .with("baseline_f1", answers.baseline.f1);
    let schema =
        Schema { classes: vec!["negative".to_owned(), "positive".to_owned()], ..Schema::default() };
    let model =
        Model { learner: LEARNER.into(), params: options.into_inner(), schema, model: answers };
    Ok(Learned { model, run, train, notes })
}

/// The measures that are always told.
pub(super) fn scores(counts: &Confusion) -> Values {
    Values::new()
        .with("accuracy", counts.accuracy())
        .with("balanced_accuracy", Metric::BalancedAccuracy.of(counts))
        .with("f1", Metric::F1.of(counts))
}
