//! Everything small at once.
//!
//! Literals are what individuals are and have and what roles lead them to, a few layers deep. All pairs of them are
//! counted, and answers are put together from pairs, a part at a time. Which size of answer can be relied on is found by
//! doing the same without some of the examples.

mod build;
mod choose;
mod formula;
mod layers;
mod literals;
mod pairs;
mod rows;

use super::{Lead, LogicError, Pace, Search, SearchContext};
use build::Assembly;
use choose::{Bench, Candidate, Held};
use layers::Layers;
use literals::{Literals, MOST};
use pellucid_program::{Node, ProgramId};
use pellucid_relate::Target;
use rows::Shape;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Tries everything small and puts answers together from pairs.
#[derive(Debug)]
pub struct Instant {
    state: InstantState,
}

/// How far the instant stage is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstantState {
    /// Whether it is done; it is taken up from the beginning otherwise.
    pub done: bool,
}

impl Search for Instant {
    type State = InstantState;

    fn new(_: &mut SearchContext) -> Result<Instant, LogicError> {
        Ok(Instant { state: InstantState::default() })
    }

    fn restore(_: &mut SearchContext, state: InstantState) -> Result<Instant, LogicError> {
        Ok(Instant { state })
    }

    fn step(&mut self, context: &mut SearchContext) -> Result<Pace, LogicError> {
        if self.state.done {
            return Ok(Pace::Done);
        }
        run(context)?;
        if context.control().should_stop().is_some() {
            return Ok(Pace::CutShort);
        }
        self.state.done = true;
        Ok(Pace::Done)
    }

    fn state(&self, _: &SearchContext) -> InstantState {
        self.state
    }
}

/// By layer: more literals than this in a solution, and the next layer is tried for a shorter one.
const FEW: [usize; 3] = [1, 4, 4];
/// The most layers of roles.
const DEEPEST: usize = 3;
/// With more literals than this, no further layer is tried: pairs of them would take too long.
const ENOUGH: usize = 1500;

fn run(context: &mut SearchContext) -> Result<(), LogicError> {
    let mut layers = Layers::new(context)?;
    let shape = layers.shape();
    let all = shape.all();
    let (threads, control) = (Arc::clone(context.threads()), context.control().clone());
    let stop = move || control.should_stop().is_some();
    let measure = context.options().measure;
    let bench = Bench { shape, measure, threads: &threads, stop: &stop };
    let mut sets: Vec<Literals> = Vec::new();
    let mut counted = 0;
    loop {
        sets.push(layers.literals.chosen(MOST, &all));
        let (layer, literals) = (sets.len() - 1, &sets[sets.len() - 1]);
        if layer == 0 {
            telltale(context, literals, shape);
        }
        let made = bench.candidates(literals, layer, &Assembly::CLEAN, &all);
        offer(context, &made, &sets)?;
        if context.control().should_stop().is_none() {
            let count = pairs_of(literals.len());
            context.count(count.saturating_sub(counted));
            counted = counted.max(count);
        }
        let small = made.iter().any(|candidate| {
            let [positive, negative] = shape.counts(&candidate.formula.covered(literals, shape));
            candidate.formula.literals() <= FEW[layer.min(2)]
                && context.is_solution(positive.into(), negative.into())
        });
        let deepest = layers.depth == DEEPEST || !layers.can_grow() || literals.len() >= ENOUGH;
        if small || deepest || context.should_stop().is_some() {
            break;
        }
        layers.grow(context)?;
    }
    if context.is_solved() || context.should_stop().is_some() {
        return Ok(());
    }
    let ways = Assembly::lenient();
    sets.iter_mut().for_each(|set| *set = set.chosen(choose::MOST, &all));
    let mut made = Vec::new();
    for (layer, literals) in sets.iter().enumerate() {
        made.extend(bench.candidates(literals, layer, &ways, &all));
    }
    made.push(Candidate::everything());
    let longest = context.options().length;
    made.retain(|candidate| candidate.formula.length(&sets[candidate.layer]) <= longest);
    offer(context, &made, &sets)?;
    let held = bench.cross_validated(&sets, &ways, context.options().seed);
    if let Some(held) = held.filter(|_| context.should_stop().is_none()) {
        lead(context, &made, &sets, &held)?;
    }
    Ok(())
}

/// How many hypotheses all pairs of so many literals count as. A pair is one, although its four signs, and the conjunction
/// and the disjunction of each, are all weighed; and it is the same one when other weights or fewer examples are looked at.
fn pairs_of(literals: usize) -> u64 {
    let literals = literals as u64;
    literals * literals.saturating_sub(1) / 2
}

/// Puts answers on the leaderboard.
fn offer(
    context: &mut SearchContext,
    made: &[Candidate],
    sets: &[Literals],
) -> Result<(), LogicError> {
    let programs: Vec<ProgramId> = made
        .iter()
        .map(|candidate| candidate.formula.program(&sets[candidate.layer], context))
        .collect();
    context.attempt(&programs)?;
    Ok(())
}

/// Lets the answer lead that held-out examples speak for, and makes length cost what they say it costs.
fn lead(
    context: &mut SearchContext,
    made: &[Candidate],
    sets: &[Literals],
    held: &Held,
) -> Result<(), LogicError> {
    let measure = context.options().measure;
    let Some(chosen) = held.choose(made, &Assembly::lenient(), measure) else { return Ok(()) };
    let programs: Vec<ProgramId> = made
        .iter()
        .map(|candidate| candidate.formula.program(&sets[candidate.layer], context))
        .collect();
    let evaluated = context.evaluated();
    let scores = context.score(&programs)?;
    context.set_evaluated(evaluated);
    if context.options().penalty.is_none() {
        let optimism = made.iter().zip(&scores).map(|(candidate, score)| {
            let length = f64::from(score.length);
            ((score.quality - held.quality(candidate, measure)) * length, length * length)
        });
        let (sum, squares) = optimism.fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
        context.leaderboard_mut().set_penalty((sum / squares).clamp(0.0, 0.1));
    }
    let penalty = context.leaderboard().penalty();
    let coverage = context.coverage(programs[chosen])?;
    // Others were never judged by held-out examples, so only what chance can hardly explain goes before it.
    let bar = scores[chosen].merit(penalty) + 3.0 * held.error();
    context.leaderboard_mut().set_lead(Some(Lead { coverage, bar }));
    context.offer(&programs[chosen..=chosen], &scores[chosen..=chosen])
}

/// Notes a value that alone tells all examples apart: the label may have slipped into the data.
fn telltale(context: &mut SearchContext, literals: &Literals, shape: Shape) {
    let perfect = |&literal: &u32| {
        let [positive, negative] = shape.counts(literals.row(literal));
        let all = (positive as usize, negative as usize);
        all == (shape.positives, 0) || all == (0, shape.negatives)
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
        let name = context.kb().show_property(property).to_owned();
        context.note(format!(
            "the data property '{name}' alone tells all examples apart: the label may hide in it; leave it out with `exclude {name}`"
        ));
    }
}

/// The data property that a program asks an individual about, if that is all it does.
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
