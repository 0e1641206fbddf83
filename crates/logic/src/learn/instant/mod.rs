//! Enumerates small expressions and combines them.
//!
//! Literals are classes, conditions on values, and restrictions nested a few levels deep. All pairs
//! of literals are evaluated, and formulas are assembled from pairs, one part at a time. The formula is
//! selected by the length of its description or, with other metrics than accuracy, by cross-validation.

mod build;
mod choose;
mod conjunctions;
mod description;
mod formula;
mod held_out;
mod layers;
mod literals;
mod pairs;
mod region;
mod rows;

use super::sequence::shared_splits;
use super::{ExpressionScore, LogicError, SearchContext, SearchMethod, StepOutcome};
use build::Assembly;
use choose::{Candidate, CandidateBuilder};
use description::{prefer_short, prefer_shortest};
use held_out::HeldOutRows;
use layers::Layers;
use literals::{Literals, MAX_LITERALS};
use pellucid_data::{Message, message, parameter};
use pellucid_learn::metrics::Metric;
use pellucid_program::{Node, ProgramId};
use pellucid_relate::Target;
use rows::ExampleLayout;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Enumerates small expressions and combines pairs of them.
#[derive(Debug)]
pub struct Instant {
    state: InstantState,
}

/// The state for resuming.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstantState {
    /// Whether it is done; otherwise it is repeated from the start.
    pub done: bool,
    /// The test examples of each split that its answers cover, by number; empty without cross-validation.
    #[serde(default)]
    pub covered: Vec<Vec<u32>>,
}

impl SearchMethod for Instant {
    type State = InstantState;

    fn new(_: &mut SearchContext) -> Result<Instant, LogicError> {
        Ok(Instant { state: InstantState::default() })
    }

    fn restore(_: &mut SearchContext, state: InstantState) -> Result<Instant, LogicError> {
        Ok(Instant { state })
    }

    fn step(&mut self, context: &mut SearchContext) -> Result<StepOutcome, LogicError> {
        if self.state.done {
            return Ok(StepOutcome::Done);
        }
        let covered = run(context)?;
        if context.control().should_stop().is_some() {
            return Ok(StepOutcome::CutShort);
        }
        self.state = InstantState { done: true, covered };
        Ok(StepOutcome::Done)
    }

    fn state(&self, _: &SearchContext) -> InstantState {
        self.state.clone()
    }
}

/// If a solution has more literals than this (by layer), the next layer is tried for a shorter one.
const MAX_SOLUTION_LITERALS: [usize; 3] = [1, 4, 4];
/// The maximum nesting of roles.
const MAX_DEPTH: usize = 3;
/// With more literals than this, no further layer is added, because the pairs would take too long.
const MAX_LITERALS_TO_GROW: usize = 1500;

/// Returns the test examples of each split that answers from the training folds cover.
fn run(context: &mut SearchContext) -> Result<Vec<Vec<u32>>, LogicError> {
    let mut layers = Layers::new(context)?;
    let layout = layers.layout();
    let all = layout.all();
    let (threads, control) = (Arc::clone(context.threads()), context.control().clone());
    let stop = move || control.should_stop().is_some();
    let measure = context.options().measure;
    let builder = CandidateBuilder { layout, measure, threads: &threads, stop: &stop };
    let mut sets: Vec<Literals> = Vec::new();
    let mut clean: Vec<Candidate> = Vec::new();
    let mut counted = 0;
    loop {
        sets.push(layers.literals.chosen(MAX_LITERALS, &all));
        let (layer, literals) = (sets.len() - 1, &sets[sets.len() - 1]);
        if layer == 0 {
            note_label_leakage(context, literals, layout);
        }
        let made = builder.candidates(literals, layer, &Assembly::CLEAN, &all);
        offer(context, &made, &sets)?;
        if context.control().should_stop().is_none() {
            let count = pairs_of(literals.len());
            context.count(count.saturating_sub(counted));
            counted = counted.max(count);
        }
        let small = made.iter().any(|candidate| {
            let [positive, negative] = layout.counts(&candidate.formula.covered(literals, layout));
            candidate.formula.literals() <= MAX_SOLUTION_LITERALS[layer.min(2)]
                && context.is_solution(positive.into(), negative.into())
        });
        let deepest = layers.depth == MAX_DEPTH
            || !layers.can_grow()
            || literals.len() >= MAX_LITERALS_TO_GROW;
        clean.extend(made);
        if small || deepest || context.should_stop().is_some() {
            break;
        }
        layers.grow(context)?;
    }
    if context.should_stop().is_some() {
        if let Some(last) = sets.last() {
            clean.extend(builder.candidates(last, sets.len() - 1, &[Assembly::SINGLE], &all));
        }
        prefer_short(context, &clean, &sets)?;
        return Ok(Vec::new());
    }
    let splits = shared_splits(context.task(), context.options().seed);
    if context.is_solved() {
        return Ok(splits.iter().map(|split| builder.solved_without(&sets, split)).collect());
    }
    let assemblies = Assembly::lenient();
    sets.iter_mut().for_each(|set| *set = set.chosen(choose::MAX_LITERALS, &all));
    let mut made = Vec::new();
    for (layer, literals) in sets.iter().enumerate() {
        made.extend(builder.candidates(literals, layer, &assemblies, &all));
    }
    made.push(Candidate::all_individuals());
    let longest = context.options().length;
    made.retain(|candidate| candidate.formula.length(&sets[candidate.layer]) <= longest);
    offer(context, &made, &sets)?;
    if splits.is_empty() {
        return Ok(Vec::new());
    }
    let held_out = builder.cross_validated(&sets, &assemblies, &splits);
    if context.should_stop().is_some() {
        prefer_short(context, &made, &sets)?;
        return Ok(Vec::new());
    }
    prefer(context, &made, &sets, &held_out)?;
    Ok(builder.judged(&held_out, &made, &assemblies))
}

/// The number of candidates that all pairs of literals count as. A pair counts once, although all
/// signs and connectives are evaluated, also with other weights and on fewer examples.
fn pairs_of(literals: usize) -> u64 {
    let literals = literals as u64;
    literals * literals.saturating_sub(1) / 2
}

/// Returns the programs of candidates.
fn programs_of(
    context: &mut SearchContext,
    made: &[Candidate],
    sets: &[Literals],
) -> Vec<ProgramId> {
    let program =
        |candidate: &Candidate| candidate.formula.program(&sets[candidate.layer], context);
    made.iter().map(program).collect()
}

/// Returns the programs of candidates and their scores on all examples. They do not count as evaluated again.
fn scored(
    context: &mut SearchContext,
    made: &[Candidate],
    sets: &[Literals],
) -> Result<(Vec<ProgramId>, Vec<ExpressionScore>), LogicError> {
    let programs = programs_of(context, made, sets);
    let evaluated = context.evaluated();
    let scores = context.score(&programs)?;
    context.set_evaluated(evaluated);
    Ok((programs, scores))
}

/// Offers candidates to the leaderboard.
fn offer(
    context: &mut SearchContext,
    made: &[Candidate],
    sets: &[Literals],
) -> Result<(), LogicError> {
    let programs = programs_of(context, made, sets);
    context.attempt(&programs)?;
    Ok(())
}

/// Prefers the candidate with the shortest description or, with another metric than accuracy, the one
/// selected by cross-validation. Derives the length penalty from the optimism of the candidates.
fn prefer(
    context: &mut SearchContext,
    made: &[Candidate],
    sets: &[Literals],
    held_out: &HeldOutRows,
) -> Result<(), LogicError> {
    let measure = context.options().measure;
    let (programs, scores) = scored(context, made, sets)?;
    if context.options().penalty.is_none() {
        let optimism = made.iter().zip(&scores).map(|(candidate, score)| {
            let length = f64::from(score.length);
            ((score.quality - held_out.quality(candidate, measure)) * length, length * length)
        });
        let (sum, squares) = optimism.fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
        context.leaderboard_mut().set_penalty((sum / squares).clamp(0.0, 0.1));
    }
    if measure == Metric::Accuracy {
        return prefer_shortest(context, made, sets, &programs, &scores);
    }
    let Some(chosen) = held_out.choose(made, &Assembly::lenient(), measure) else { return Ok(()) };
    let penalty = context.leaderboard().penalty();
    // Other expressions were not cross-validated, so only a clearly better one may rank above it.
    let bar = scores[chosen].merit(penalty) + 3.0 * held_out.error();
    context.prefer(programs[chosen], scores[chosen], bar)
}

/// Adds a note if a single value separates all examples, because it may encode the label.
fn note_label_leakage(context: &mut SearchContext, literals: &Literals, layout: ExampleLayout) {
    let perfect = |&literal: &u32| {
        let [positive, negative] = layout.counts(literals.row(literal));
        let all = (positive as usize, negative as usize);
        all == (layout.positives, 0) || all == (0, layout.negatives)
    };
    let mut found = Vec::new();
    for literal in (0u32..).take(literals.len()).filter(perfect) {
        for negative in [false, true].into_iter().filter(|&sign| literals.has(literal, sign)) {
            found.extend(property(context, literals.program(literal, negative)));
        }
    }
    found.sort_unstable();
    found.dedup();
    for property in found {
        context.note(label_leakage(context.kb().show_property(property)));
    }
}

/// Returns the note about a data property that may encode the label.
pub(super) fn label_leakage(property: &str) -> Message {
    message!(
        "the data property '{property}' alone separates all examples and may encode the label; \
         remove it with `",
        parameter("exclude").with(property),
        "`"
    )
}

/// Returns the data property that a program tests, if that is all it does.
fn property(context: &SearchContext, program: ProgramId) -> Option<u32> {
    let world = &context.kb().world;
    match context.programs().node(program) {
        Node::Not(operand) => property(context, operand),
        Node::Related { role, .. } => match world.target(role) {
            Target::Values(property) => u32::try_from(property).ok(),
            Target::Individuals(_) => None,
        },
        _ => None,
    }
}
