//! Runs several methods in sequence, with steps, checkpoints and resumption, and selects an answer by
//! cross-validation.

mod answers;
mod nominee;
mod preferred;
mod stages;
mod state;
#[cfg(test)]
mod tests;

pub(super) use answers::RunAnswers;
pub use nominee::HeldOut;
pub use state::SequenceState;

use nominee::{Comparison, Nominee};
pub(super) use stages::shared_splits;

use super::readable::readable;
use super::{
    Evolve, ExpressionScore, Instant, LearningTask, LogicError, Method, Refine, SearchContext,
    SearchMethod, StepOutcome,
};
use pellucid_learn::fingerprint::Fingerprint;
use pellucid_learn::run::{Figures, Plan, Step, Stepper, StopReason};
use stages::{Stage, comparison_splits, stages};
use std::cell::OnceCell;

/// Runs the selected methods in one context.
#[derive(Debug)]
pub struct MethodSequence {
    context: SearchContext,
    /// All examples; the context has those of the current stage.
    task: LearningTask,
    comparison: Comparison,
    stages: Vec<Stage>,
    active: Option<ActiveMethod>,
    /// Whether the active method has completed a step.
    has_progress: bool,
    state: SequenceState,
    /// The state with that of the active method, which is long and rarely asked for.
    stored: OnceCell<SequenceState>,
    /// The best score on all examples so far.
    best: Option<ExpressionScore>,
    fingerprint: Fingerprint,
}

#[derive(Debug)]
enum ActiveMethod {
    Instant(Instant),
    Refine(Refine),
    Evolve(Evolve),
}

impl MethodSequence {
    /// Creates the sequence for the parameters of a context.
    #[must_use]
    pub fn new(context: SearchContext) -> MethodSequence {
        let mut state = SequenceState::default();
        state.penalty = context.leaderboard().penalty();
        let (task, options) = (context.task().clone(), context.options());
        let splits = match options.method {
            Method::Auto => comparison_splits(&task, options.seed),
            _ => Vec::new(),
        };
        let stages = stages(options.method, splits.len());
        let fingerprint = fingerprint(&context);
        let comparison = Comparison::new(&task, splits);
        MethodSequence {
            context,
            task,
            comparison,
            stages,
            active: None,
            has_progress: false,
            state,
            stored: OnceCell::new(),
            best: None,
            fingerprint,
        }
    }

    /// The context with the leaderboard of the current stage.
    #[must_use]
    pub fn context(&self) -> &SearchContext {
        &self.context
    }

    fn stage(&self) -> Stage {
        self.stages[self.state.stage]
    }

    /// Whether the current method has used its share of candidates.
    fn is_spent(&self) -> bool {
        let searching = self.stage().method != Method::Instant;
        searching && self.context.evaluated() - self.state.before >= self.context.options().effort
    }

    /// Gives the context the examples of the current stage.
    fn set_examples(&mut self) {
        let task = match self.stage().split {
            None => self.task.clone(),
            Some(split) => self.task.part(&self.comparison.splits[split].train),
        };
        self.context.set_task(task);
    }

    /// Records the answer of the current stage, and moves to the next one. Returns whether the run is done.
    fn end_stage(&mut self) -> Result<bool, LogicError> {
        if self.stages.len() == 1 {
            return Ok(true);
        }
        let stage = self.stage();
        match stage.split {
            None => self.nominate(stage.method),
            Some(split) => {
                let covered = self.covered_test_examples(split)?;
                let mut nominees = self.state.nominees.iter_mut();
                if let Some(nominee) = nominees.find(|nominee| nominee.method == stage.method) {
                    nominee.covered.push(covered);
                }
            }
        }
        self.active = None;
        let last = self.state.stage + 1 == self.stages.len();
        if last || self.is_settled() {
            return Ok(true);
        }
        self.state.stage += 1;
        self.set_examples();
        self.state.before = self.context.evaluated();
        Ok(false)
    }

    /// Adds the best expression on the leaderboard to the nominees, and clears the leaderboard.
    fn nominate(&mut self, method: Method) {
        let answers = self.context.clear_leaderboard();
        let Some(best) = answers.first() else { return };
        let covered = match &self.active {
            Some(ActiveMethod::Instant(search)) => search.state(&self.context).covered,
            _ => Vec::new(),
        };
        let (text, ExpressionScore { length, quality, .. }) = (best.text.clone(), best.score);
        self.state.nominees.push(Nominee { method, text, length, quality, covered });
        self.state.solved |= self.context.solves(&best.score);
        self.state.finished.extend(answers.into_iter().map(|answer| answer.text));
    }

    /// Returns the test examples of a split that the best expression on the leaderboard covers.
    fn covered_test_examples(&mut self, split: usize) -> Result<Vec<u32>, LogicError> {
        let Some(best) = self.context.leaderboard().best() else { return Ok(Vec::new()) };
        let expr = best.expr.clone();
        let expr = readable(&mut self.context, &expr)?;
        let test = &self.comparison.splits[split].test;
        self.context.set_task(self.task.part(test));
        let program = self.context.programs_mut().add(&expr)?;
        let rows = self.context.reasoner().cover_examples(&[program])?;
        // The examples of a part are in the order of their numbers.
        let is_covered = |&(at, _): &(usize, &u32)| rows.get(0, at);
        Ok(test.iter().enumerate().filter(is_covered).map(|(_, &example)| example).collect())
    }

    /// Whether no further stage can find a better answer: one has no error, in the cross-validation either.
    fn is_settled(&self) -> bool {
        let flawless = |nominee: &Nominee| self.comparison.is_flawless(nominee);
        let compared = !self.comparison.splits.is_empty();
        self.state.solved && (!compared || self.state.nominees.iter().any(flawless))
    }

    fn report(&mut self, evaluated: u64, stop: Option<StopReason>) -> Step {
        if self.stage().split.is_none() {
            let found = self.context.leaderboard().best().map(|best| best.score);
            let better =
                |found: &ExpressionScore| self.best.is_none_or(|best| found.quality > best.quality);
            self.best = found.filter(better).or(self.best);
        }
        let values = match self.best {
            Some(best) => Figures::new()
                .with("quality", best.quality)
                .with("length", f64::from(best.length))
                .with("positive", best.positive as f64)
                .with("negative", best.negative as f64),
            None => Figures::new(),
        };
        Step { evaluated, score: self.best.map(|best| best.quality), values, stop }
    }
}

impl Stepper for MethodSequence {
    type State = SequenceState;
    type Error = LogicError;

    fn plan(&self) -> Plan {
        let params = serde_json::to_value(self.context.options()).unwrap_or_default();
        Plan::new(super::LEARNER, params, self.fingerprint)
    }

    fn step(&mut self) -> Result<Step, LogicError> {
        self.stored.take();
        let method = self.stage().method;
        let (context, before) = (&mut self.context, self.state.evaluated);
        let active = match self.active.take() {
            Some(active) => active,
            None => match method {
                Method::Refine => ActiveMethod::Refine(Refine::new(context)?),
                Method::Evolve => ActiveMethod::Evolve(Evolve::new(context)?),
                Method::Instant | Method::Auto => ActiveMethod::Instant(Instant::new(context)?),
            },
        };
        let active = self.active.insert(active);
        let outcome = match active {
            ActiveMethod::Instant(search) => search.step(context)?,
            ActiveMethod::Refine(search) => search.step(context)?,
            ActiveMethod::Evolve(search) => search.step(context)?,
        };
        if outcome == StepOutcome::CutShort {
            // Its results stay on the leaderboard, but a resumed run repeats this step.
            let stop = self.context.should_stop().or(Some(StopReason::Interrupted));
            self.state.full = stop == Some(StopReason::Cap);
            return Ok(self.report(self.context.evaluated() - before, stop));
        }
        let report = self.report(0, None);
        let (solved, spent) = (self.context.is_solved(), self.is_spent());
        let mut stop = None;
        if (solved || spent || outcome == StepOutcome::Done) && self.end_stage()? {
            // In the comparison, a solution is one of a training fold only.
            let whole = self.stage().split.is_none();
            stop = Some(match () {
                () if self.state.solved || (solved && whole) => StopReason::Solved,
                // The comparison is complete: the effort of a method is not a limit of the run.
                () if spent && self.stages.len() == 1 => StopReason::Cap,
                () => StopReason::Finished,
            });
        }
        let full =
            self.context.options().hypotheses.is_some_and(|most| self.context.evaluated() >= most);
        self.state.full = stop.is_none() && full;
        stop = stop.or(full.then_some(StopReason::Cap));
        self.save();
        Ok(Step { evaluated: self.context.evaluated() - before, stop, ..report })
    }

    fn state(&self) -> &SequenceState {
        self.stored.get_or_init(|| self.with_search())
    }

    fn restore(&mut self, state: SequenceState) -> Result<(), LogicError> {
        self.restore_from(state)
    }

    fn is_still_done(&self, reason: StopReason) -> bool {
        let full = |most| self.context.evaluated() >= most;
        // A run that ended at its candidate limit continues up to the current limit.
        reason != StopReason::Cap
            || !self.state.full
            || self.context.options().hypotheses.is_some_and(full)
    }
}

/// A digest of the world, the examples and all parameters, except for limits that a resumed run may
/// raise.
fn fingerprint(context: &SearchContext) -> Fingerprint {
    let (world, task) = (&context.kb().world, context.task());
    let mut print = Fingerprint::new();
    let names = [world.class_names(), world.role_names(), world.property_names()];
    for name in names.into_iter().flat_map(|names| names.iter()) {
        print = print.with(name);
    }
    for class in world.classes() {
        print =
            class.blocks().iter().flat_map(|block| block.0).fold(print, Fingerprint::with_number);
    }
    let edges = world.roles().iter().map(|links| &links.forward);
    for edges in edges.chain(world.properties().iter().map(|property| &property.edges)) {
        for [subject, object] in edges.pairs() {
            print = print.with_number(u64::from(subject) << 32 | u64::from(object));
        }
    }
    for list in [&task.positive, &task.negative, &task.hidden] {
        print = print.with_number(list.len() as u64);
        print = list.iter().fold(print, |print, &one| print.with_number(one.into()));
    }
    let mut options = context.options().clone();
    options.hypotheses = None;
    print.with(serde_json::to_vec(&options).unwrap_or_default())
}
