//! The state of a run for resuming.

use super::{ActiveMethod, MethodSequence, Nominee};
use crate::learn::instant::label_leakage;
use crate::learn::{
    Evolve, EvolveState, Instant, InstantState, LogicError, PreferredExpression, Refine,
    RefineState, SearchContext, SearchMethod,
};
use pellucid_learn::params::ParamError;
use serde::{Deserialize, Serialize};

/// The state for resuming.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SequenceState {
    /// The index of the current stage.
    pub(super) stage: usize,
    /// The number of candidates evaluated, in total and before the current stage.
    pub(super) evaluated: u64,
    pub(super) before: u64,
    /// The expressions on the leaderboard, and their order.
    answers: Vec<String>,
    pub(super) penalty: f64,
    lead: Option<(String, f64)>,
    notes: Vec<String>,
    /// The candidate limit when this state was saved, and whether it ended the run.
    limit: Option<u64>,
    pub(super) full: bool,
    /// The state of the method.
    search: Option<SearchState>,
    /// The expressions of the stages on all examples, the best one of each, and whether one is a solution.
    pub(super) finished: Vec<String>,
    pub(super) nominees: Vec<Nominee>,
    pub(super) solved: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum SearchState {
    Instant(InstantState),
    Refine(RefineState),
    Evolve(EvolveState),
}

impl MethodSequence {
    /// Updates the state after a completed step, except for that of the active method. A method keeps its
    /// state if a step is cut short, so it can be added at any time.
    pub(super) fn save(&mut self) {
        self.has_progress = self.active.is_some();
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
    }

    /// Returns the state with that of the active method after its last completed step.
    pub(super) fn with_search(&self) -> SequenceState {
        let context = &self.context;
        let active = self.active.as_ref().filter(|_| self.has_progress);
        let search = active.map(|active| match active {
            ActiveMethod::Instant(search) => SearchState::Instant(search.state(context)),
            ActiveMethod::Refine(search) => SearchState::Refine(search.state(context)),
            ActiveMethod::Evolve(search) => SearchState::Evolve(search.state(context)),
        });
        SequenceState { search, ..self.state.clone() }
    }

    /// Continues from a state, which may come from a damaged or forged file.
    pub(super) fn restore_from(&mut self, mut state: SequenceState) -> Result<(), LogicError> {
        self.check(&state)?;
        self.stored.take();
        self.state.stage = state.stage;
        self.set_examples();
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
        self.has_progress = state.search.is_some();
        self.active = match state.search.take() {
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

    fn check(&self, state: &SequenceState) -> Result<(), LogicError> {
        let invalid = |what: &str| Err(LogicError::Checkpoint(what.to_owned()));
        if state.stage >= self.stages.len() || state.before > state.evaluated {
            return invalid("it has a method that this run does not use");
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
            return invalid("it has a penalty outside 0 to 1");
        }
        match state.nominees.iter().all(|nominee| self.comparison.are_possible(nominee)) {
            true => Ok(()),
            false => invalid("an expression covers examples that it was not tested on"),
        }
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
