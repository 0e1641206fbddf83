//! Evolutionary search for class expressions: typed trees with crossover and mutation (Heindorf et
//! al., "`EvoLearner`: learning description logics with evolutionary algorithms", 2022).
//!
//! The initial population describes random walks from positive examples. A generation is evaluated
//! in one batch. Random numbers depend on the generation and the index in it, so the number of
//! threads does not matter.

mod breed;
mod cuts;
mod grow;
mod symbols;
#[cfg(test)]
mod tests;
mod tree;
mod walk;

use super::evaluation::evaluate_all;
use super::identity::Identities;
use super::{ExpressionScore, LogicError, SearchContext, SearchMethod, StepOutcome};
use breed::{Parents, TRIES};
use pellucid_learn::rng::Streams;
use pellucid_program::{Expr, ProgramId};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use symbols::Symbols;

/// The population size.
const POPULATION: usize = 800;
/// The number of best members that survive.
const ELITE: usize = 8;
/// The fitness penalty per unit of length.
const LENGTH_COST: f64 = 1.0 / 2048.0;
/// After this many generations without improvement, half of the population is replaced by random
/// walks.
const PATIENCE: u64 = 30;
/// After this many generations without new candidates, the search ends.
const MAX_BARREN: u64 = 20;
/// The maximum number of programs in the pool before it is rebuilt.
const MAX_PROGRAMS: usize = 2_000_000;
/// The maximum number of remembered programs before they are forgotten.
const MAX_KNOWN: usize = 1_000_000;

/// Evolutionary search.
#[derive(Debug)]
pub struct Evolve {
    symbols: Symbols,
    streams: Streams,
    /// The number of generations so far.
    generation: u64,
    /// The number of generations since the last improvement.
    idle: u64,
    /// The number of generations since the last new candidate.
    barren: u64,
    /// The population, the fittest first.
    population: Vec<Member>,
    /// The coverage of every evaluated program, by fingerprint: positive and negative examples.
    known: FxHashMap<u64, [u32; 2]>,
    identities: Identities,
}

/// A member of the population.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Member {
    program: ProgramId,
    identity: u64,
    score: ExpressionScore,
}

impl Member {
    fn fitness(&self) -> f64 {
        self.score.merit(LENGTH_COST)
    }
}

/// The state for resuming.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EvolveState {
    generation: u64,
    idle: u64,
    barren: u64,
    population: Vec<String>,
    /// Fingerprint, positive and negative examples covered; ascending.
    known: Vec<(u64, u32, u32)>,
}

impl SearchMethod for Evolve {
    type State = EvolveState;

    fn new(context: &mut SearchContext) -> Result<Evolve, LogicError> {
        Ok(Evolve::empty(context))
    }

    fn restore(context: &mut SearchContext, state: EvolveState) -> Result<Evolve, LogicError> {
        let mut search = Evolve::empty(context);
        (search.generation, search.idle) = (state.generation, state.idle);
        search.barren = state.barren;
        let known = state.known.into_iter();
        search.known =
            known.map(|(identity, positive, negative)| (identity, [positive, negative])).collect();
        let mut programs = Vec::with_capacity(state.population.len());
        for text in &state.population {
            programs.push(context.programs_mut().parse(text)?);
        }
        // Reject programs that are invalid in this world.
        context.reasoner().cover_examples(&programs)?;
        for program in programs {
            let identity = search.identities.of(context.programs(), program);
            let Some(&covered) = search.known.get(&identity) else {
                let message = format!("'{}' was never evaluated", context.programs().text(program));
                return Err(LogicError::Checkpoint(message));
            };
            search.population.push(member(context, program, identity, covered)?);
        }
        Ok(search)
    }

    fn step(&mut self, context: &mut SearchContext) -> Result<StepOutcome, LogicError> {
        if context.is_solved() {
            return Ok(StepOutcome::Done);
        }
        self.rebuild_pool(context)?;
        let (kept, drawn) = self.next_generation(context)?;
        let new: Vec<(ProgramId, u64)> = drawn
            .iter()
            .filter(|(_, identity)| !self.known.contains_key(identity))
            .copied()
            .collect();
        let programs: Vec<ProgramId> = new.iter().map(|&(program, _)| program).collect();
        let Some(evaluations) = evaluate_all(context, &programs)? else {
            return Ok(StepOutcome::CutShort);
        };
        if self.known.len() > MAX_KNOWN {
            let alive: FxHashSet<u64> = kept
                .iter()
                .map(|member| member.identity)
                .chain(drawn.iter().map(|d| d.1))
                .collect();
            self.known.retain(|identity, _| alive.contains(identity));
        }
        for (&(_, identity), evaluation) in new.iter().zip(&evaluations) {
            let small = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
            let covered = [small(evaluation.score.positive), small(evaluation.score.negative)];
            self.known.insert(identity, covered);
        }
        let before = self.population.first().map(Member::fitness);
        self.population = kept;
        for (program, identity) in drawn {
            let covered = self.known[&identity];
            self.population.push(member(context, program, identity, covered)?);
        }
        // The sort is stable: ties keep their order.
        self.population.sort_by(|left, right| right.fitness().total_cmp(&left.fitness()));
        let better = self.population.first().map(Member::fitness) > before;
        self.idle = if better { 0 } else { self.idle + 1 };
        self.barren = if new.is_empty() { self.barren + 1 } else { 0 };
        self.generation += 1;
        let done = context.is_solved() || self.barren >= MAX_BARREN;
        Ok(if done { StepOutcome::Done } else { StepOutcome::More })
    }

    fn state(&self, context: &SearchContext) -> EvolveState {
        let members = self.population.iter();
        let mut known: Vec<(u64, u32, u32)> =
            self.known.iter().map(|(&identity, &[p, n])| (identity, p, n)).collect();
        known.sort_unstable();
        EvolveState {
            generation: self.generation,
            idle: self.idle,
            barren: self.barren,
            population: members.map(|member| context.programs().text(member.program)).collect(),
            known,
        }
    }
}

impl Evolve {
    fn empty(context: &SearchContext) -> Evolve {
        Evolve {
            symbols: Symbols::new(context),
            streams: Streams::new(context.options().seed).at("evolve"),
            generation: 0,
            idle: 0,
            barren: 0,
            population: Vec::new(),
            known: FxHashMap::default(),
            identities: Identities::default(),
        }
    }

    /// Returns the survivors and the new candidates, without duplicates if possible.
    #[expect(clippy::type_complexity, reason = "two lists, named where they are used")]
    fn next_generation(
        &mut self,
        context: &mut SearchContext,
    ) -> Result<(Vec<Member>, Vec<(ProgramId, u64)>), LogicError> {
        let stalled = self.idle > 0 && self.idle.is_multiple_of(PATIENCE);
        let first = self.population.is_empty();
        let kept: Vec<Member> = if stalled {
            self.population.iter().take(POPULATION / 2).copied().collect()
        } else {
            self.population.iter().take(ELITE).copied().collect()
        };
        let parents = self.population.iter().map(|member| member.program).collect();
        let parents = Parents::new(parents);
        let mut present: FxHashSet<u64> = kept.iter().map(|member| member.identity).collect();
        let mut drawn = Vec::with_capacity(POPULATION);
        let streams = self.streams.at(self.generation);
        for index in kept.len()..POPULATION {
            let mut stream = streams.stream(&[index.into()]);
            let mut last = None;
            for _ in 0..TRIES {
                let program = if first || stalled {
                    Some(walk::walk(context, &self.symbols, &mut stream)?)
                } else {
                    breed::offspring(context, &self.symbols, &mut stream, &parents)?
                };
                let longest = context.options().length;
                let is_usable =
                    |&one: &ProgramId| context.length(one) <= longest && !context.has_detour(one);
                let Some(program) = program.filter(is_usable) else { continue };
                let identity = self.identities.of(context.programs(), program);
                last = Some((program, identity));
                if present.insert(identity) {
                    break;
                }
            }
            drawn.extend(last);
        }
        // If too many draws were duplicates, some may remain.
        let mut once: FxHashSet<u64> = kept.iter().map(|member| member.identity).collect();
        drawn.retain(|&(_, identity)| once.insert(identity));
        Ok((kept, drawn))
    }

    /// Rebuilds the pool if it has grown too large, keeping only the population.
    fn rebuild_pool(&mut self, context: &mut SearchContext) -> Result<(), LogicError> {
        if context.programs().len() < MAX_PROGRAMS {
            return Ok(());
        }
        let programs = context.programs();
        let kept: Vec<Expr> =
            self.population.iter().map(|member| programs.expr(member.program)).collect();
        context.forget_programs();
        self.identities.clear();
        for (member, expr) in self.population.iter_mut().zip(&kept) {
            member.program = context.programs_mut().add(expr)?;
        }
        Ok(())
    }
}

/// Creates a member from its coverage.
fn member(
    context: &mut SearchContext,
    program: ProgramId,
    identity: u64,
    covered: [u32; 2],
) -> Result<Member, LogicError> {
    let [positive, negative] = covered.map(u64::from);
    let task = context.task();
    if positive > task.positive.len() as u64 || negative > task.negative.len() as u64 {
        let message = "an expression covers more examples than there are".to_owned();
        return Err(LogicError::Checkpoint(message));
    }
    let quality = context.quality(positive, negative);
    let length = context.length(program);
    Ok(Member { program, identity, score: ExpressionScore { positive, negative, quality, length } })
}
