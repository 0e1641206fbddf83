//! Runs several methods in sequence, with steps, checkpoints and resumption.

use super::instant::label_leakage;
use super::{
    Evolve, EvolveState, Instant, InstantState, LogicError, Method, PreferredExpression, Refine,
    RefineState, SearchContext, SearchMethod, StepOutcome,
};
use pellucid_learn::fingerprint::Fingerprint;
use pellucid_learn::params::ParamError;
use pellucid_learn::run::{Figures, Plan, Step, Stepper, StopReason};
use serde::{Deserialize, Serialize};

/// Runs the selected methods in one context.
#[derive(Debug)]
pub struct MethodSequence {
    context: SearchContext,
    active: Option<ActiveMethod>,
    state: SequenceState,
}

#[derive(Debug)]
enum ActiveMethod {
    Instant(Instant),
    Refine(Refine),
    Evolve(Evolve),
}

/// The state for resuming.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SequenceState {
    /// The index of the current method.
    stage: usize,
    /// The number of candidates evaluated, in total and before the current method.
    evaluated: u64,
    before: u64,
    /// The expressions on the leaderboard, and their order.
    answers: Vec<String>,
    penalty: f64,
    lead: Option<(String, f64)>,
    notes: Vec<String>,
    /// The candidate limit when this state was saved, and whether it ended the run.
    limit: Option<u64>,
    full: bool,
    /// The state of the method.
    search: Option<SearchState>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum SearchState {
    Instant(InstantState),
    Refine(RefineState),
    Evolve(EvolveState),
}

impl MethodSequence {
    /// Creates the sequence for the parameters of a context.
    #[must_use]
    pub fn new(context: SearchContext) -> MethodSequence {
        let state =
            SequenceState { penalty: context.leaderboard().penalty(), ..SequenceState::default() };
        MethodSequence { context, active: None, state }
    }

    /// The context with the leaderboard.
    #[must_use]
    pub fn context(&self) -> &SearchContext {
        &self.context
    }

    /// Returns the context with the leaderboard.
    #[must_use]
    pub fn into_context(self) -> SearchContext {
        self.context
    }

    fn stages(&self) -> &'static [Method] {
        match self.context.options().method {
            Method::Auto => &[Method::Instant, Method::Refine, Method::Evolve],
            Method::Instant => &[Method::Instant],
            Method::Refine => &[Method::Refine],
            Method::Evolve => &[Method::Evolve],
        }
    }

    /// Whether the current method has used its share of candidates.
    fn is_spent(&self) -> bool {
        let searching = self.stages()[self.state.stage] != Method::Instant;
        searching && self.context.evaluated() - self.state.before >= self.context.options().effort
    }

    fn save(&mut self) {
        let context = &self.context;
        self.state.evaluated = context.evaluated();
        self.state.answers =
            context.leaderboard().answers().iter().map(|answer| answer.text.clone()).collect();
        self.state.penalty = context.leaderboard().penalty();
        self.state.lead = context.leaderboard().preferred().and_then(|lead| {
            let answers = context.leaderboard().answers().iter();
            let found = answers.into_iter().find(|answer| answer.coverage == lead.coverage)?;
            Some((found.text.clone(), lead.bar))
        });
        self.state.notes = context.notes().iter().map(ToString::to_string).collect();
        self.state.limit = context.options().hypotheses;
        self.state.search = self.active.as_ref().map(|active| match active {
            ActiveMethod::Instant(search) => SearchState::Instant(search.state(context)),
            ActiveMethod::Refine(search) => SearchState::Refine(search.state(context)),
            ActiveMethod::Evolve(search) => SearchState::Evolve(search.state(context)),
        });
    }

    fn report(&self, evaluated: u64, stop: Option<StopReason>) -> Step {
        let best = self.context.leaderboard().best();
        let values = match best {
            Some(best) => Figures::new()
                .with("quality", best.score.quality)
                .with("length", f64::from(best.score.length))
                .with("positive", best.score.positive as f64)
                .with("negative", best.score.negative as f64),
            None => Figures::new(),
        };
        Step { evaluated, score: best.map(|best| best.score.quality), values, stop }
    }
}

impl Stepper for MethodSequence {
    type State = SequenceState;
    type Error = LogicError;

    fn plan(&self) -> Plan {
        let params = serde_json::to_value(self.context.options()).unwrap_or_default();
        Plan::new(super::LEARNER, params, fingerprint(&self.context))
    }

    fn step(&mut self) -> Result<Step, LogicError> {
        let method = self.stages()[self.state.stage];
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
        let mut stop = self.context.is_solved().then_some(StopReason::Solved);
        if stop.is_none() && (outcome == StepOutcome::Done || self.is_spent()) {
            if self.state.stage + 1 == self.stages().len() {
                stop = Some(if self.is_spent() { StopReason::Cap } else { StopReason::Finished });
            } else {
                self.active = None;
                self.state.stage += 1;
                self.state.before = self.context.evaluated();
            }
        }
        let full =
            self.context.options().hypotheses.is_some_and(|most| self.context.evaluated() >= most);
        self.state.full = stop.is_none() && full;
        stop = stop.or(full.then_some(StopReason::Cap));
        self.save();
        Ok(self.report(self.context.evaluated() - before, stop))
    }

    fn state(&self) -> &SequenceState {
        &self.state
    }

    fn restore(&mut self, state: SequenceState) -> Result<(), LogicError> {
        let invalid = |what: &str| LogicError::Checkpoint(what.to_owned());
        if state.stage >= self.stages().len() || state.before > state.evaluated {
            return Err(invalid("it has a method that this run does not use"));
        }
        let limit = self.context.options().hypotheses;
        if let Some(most) = limit.filter(|&most| most <= state.evaluated && state.limit != limit) {
            let problem = format!(
                "the checkpoint has evaluated {} candidates and the limit is {most}; \
                 raise the limit or start a new run",
                state.evaluated
            );
            return Err(ParamError::with_problem("max_hypotheses", problem).into());
        }
        if !(0.0..=1.0).contains(&state.penalty) {
            return Err(invalid("it has a penalty outside 0 to 1"));
        }
        let context = &mut self.context;
        context.leaderboard_mut().set_penalty(state.penalty);
        if let Some((text, bar)) = &state.lead {
            let program = context.programs_mut().parse(text)?;
            let coverage = context.coverage(program)?;
            context
                .leaderboard_mut()
                .set_preferred(Some(PreferredExpression { coverage, bar: *bar }));
        }
        for text in &state.answers {
            let expr = text.parse().map_err(pellucid_program::ProgramError::from)?;
            context.put_back(&expr)?;
        }
        restore_notes(context, &state.notes);
        context.set_evaluated(state.evaluated);
        self.active = match state.search.clone() {
            None => None,
            Some(SearchState::Instant(search)) => {
                Some(ActiveMethod::Instant(Instant::restore(context, search)?))
            }
            Some(SearchState::Refine(search)) => {
                Some(ActiveMethod::Refine(Refine::restore(context, search)?))
            }
            Some(SearchState::Evolve(search)) => {
                Some(ActiveMethod::Evolve(Evolve::restore(context, search)?))
            }
        };
        context.set_evaluated(state.evaluated);
        self.state = state;
        Ok(())
    }

    fn is_still_done(&self, reason: StopReason) -> bool {
        let full = |most| self.context.evaluated() >= most;
        // A run that ended at its candidate limit continues up to the current limit.
        reason != StopReason::Cap
            || !self.state.full
            || self.context.options().hypotheses.is_some_and(full)
    }
}

/// Restores the notes from their texts. A text does not say what is a parameter, so the notes are made again.
fn restore_notes(context: &mut SearchContext, texts: &[String]) {
    if texts.is_empty() {
        return;
    }
    for property in (0u32..).take(context.kb().world.properties().len()) {
        let note = label_leakage(context.kb().show_property(property));
        if texts.iter().any(|text| note == text.as_str()) {
            context.note(note);
        }
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
