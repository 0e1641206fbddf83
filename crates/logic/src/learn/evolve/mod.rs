//! Class expressions are bred: typed trees, crossed and mutated, the fitter ones more often (Heindorf and others,
//! "`EvoLearner`: learning description logics with evolutionary algorithms", 2022).
//!
//! The first generation says what random walks from positive examples meet, so it speaks of what there is. A generation
//! is tried in one batch. Every draw belongs to a generation and a place in it, so threads do not matter.

mod breed;
mod cuts;
mod grow;
#[cfg(test)]
mod tests;
mod tree;
mod walk;
mod words;

use super::identity::Identities;
use super::trial::try_all;
use super::{LogicError, Pace, Score, Search, SearchContext};
use breed::TRIES;
use pellucid_learn::rng::Streams;
use pellucid_program::{Expr, ProgramId};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use words::Words;

/// How many live at a time.
const POPULATION: usize = 800;
/// How many of the best live on.
const ELITE: usize = 8;
/// What a unit of length costs in fitness.
const LENGTH_COST: f64 = 1.0 / 2048.0;
/// After so many generations without a better one, half of the population is walked anew.
const PATIENCE: u64 = 30;
/// After so many generations without anything that was not tried before, everything was.
const BARREN: u64 = 20;
/// How many programs the pool may hold before it is made anew.
const MOST_PROGRAMS: usize = 2_000_000;
/// How many programs are remembered before all are forgotten.
const MOST_KNOWN: usize = 1_000_000;

/// Search by breeding.
#[derive(Debug)]
pub struct Evolve {
    words: Words,
    streams: Streams,
    /// How many generations there were.
    generation: u64,
    /// Since how many generations nothing better came.
    idle: u64,
    /// Since how many generations nothing came that was not tried before.
    barren: u64,
    /// The best first.
    population: Vec<Member>,
    /// What every program tried covers, by identity: positive and negative examples.
    known: FxHashMap<u64, [u32; 2]>,
    identities: Identities,
}

/// One of the population.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Member {
    program: ProgramId,
    identity: u64,
    score: Score,
}

impl Member {
    fn fitness(&self) -> f64 {
        self.score.merit(LENGTH_COST)
    }
}

/// Everything that breeding needs to go on later.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EvolveState {
    generation: u64,
    idle: u64,
    barren: u64,
    population: Vec<String>,
    /// Identity, positive and negative examples covered; ascending.
    known: Vec<(u64, u32, u32)>,
}

impl Search for Evolve {
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
        // Only what makes sense over this world may breed.
        context.reasoner().cover_examples(&programs)?;
        for program in programs {
            let identity = search.identities.of(context.programs(), program);
            let Some(&covered) = search.known.get(&identity) else {
                let words = format!("'{}' was never tried", context.programs().text(program));
                return Err(LogicError::Checkpoint(words));
            };
            search.population.push(member(context, program, identity, covered)?);
        }
        Ok(search)
    }

    fn step(&mut self, context: &mut SearchContext) -> Result<Pace, LogicError> {
        if context.is_solved() {
            return Ok(Pace::Done);
        }
        self.renew(context)?;
        let (kept, drawn) = self.next_generation(context)?;
        let new: Vec<(ProgramId, u64)> = drawn
            .iter()
            .filter(|(_, identity)| !self.known.contains_key(identity))
            .copied()
            .collect();
        let programs: Vec<ProgramId> = new.iter().map(|&(program, _)| program).collect();
        let Some(trials) = try_all(context, &programs)? else { return Ok(Pace::CutShort) };
        if self.known.len() > MOST_KNOWN {
            let alive: FxHashSet<u64> = kept
                .iter()
                .map(|member| member.identity)
                .chain(drawn.iter().map(|d| d.1))
                .collect();
            self.known.retain(|identity, _| alive.contains(identity));
        }
        for (&(_, identity), trial) in new.iter().zip(&trials) {
            let small = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
            let covered = [small(trial.score.positive), small(trial.score.negative)];
            self.known.insert(identity, covered);
        }
        let before = self.population.first().map(Member::fitness);
        self.population = kept;
        for (program, identity) in drawn {
            let covered = self.known[&identity];
            self.population.push(member(context, program, identity, covered)?);
        }
        // The sort is stable: of equals the one that was there before, or drawn before.
        self.population.sort_by(|left, right| right.fitness().total_cmp(&left.fitness()));
        let better = self.population.first().map(Member::fitness) > before;
        self.idle = if better { 0 } else { self.idle + 1 };
        self.barren = if new.is_empty() { self.barren + 1 } else { 0 };
        self.generation += 1;
        let done = context.is_solved() || self.barren >= BARREN;
        Ok(if done { Pace::Done } else { Pace::More })
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
            words: Words::new(context),
            streams: Streams::new(context.options().seed).at("evolve"),
            generation: 0,
            idle: 0,
            barren: 0,
            population: Vec::new(),
            known: FxHashMap::default(),
            identities: Identities::default(),
        }
    }

    /// Those who live on, and new ones, no two the same as far as that can be had.
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
        let parents: Vec<ProgramId> = self.population.iter().map(|member| member.program).collect();
        let mut there: FxHashSet<u64> = kept.iter().map(|member| member.identity).collect();
        let mut drawn = Vec::with_capacity(POPULATION);
        let streams = self.streams.at(self.generation);
        for place in kept.len()..POPULATION {
            let mut stream = streams.stream(&[place.into()]);
            let mut last = None;
            for _ in 0..TRIES {
                let program = if first || stalled {
                    Some(walk::walk(context, &self.words, &mut stream)?)
                } else {
                    breed::child(context, &self.words, &mut stream, &parents)?
                };
                let Some(program) =
                    program.filter(|&p| context.length(p) <= context.options().length)
                else {
                    continue;
                };
                let identity = self.identities.of(context.programs(), program);
                last = Some((program, identity));
                if there.insert(identity) {
                    break;
                }
            }
            drawn.extend(last);
        }
        // Where the draws gave out, one may have been drawn twice.
        let mut once: FxHashSet<u64> = kept.iter().map(|member| member.identity).collect();
        drawn.retain(|&(_, identity)| once.insert(identity));
        Ok((kept, drawn))
    }

    /// Empties the pool when it has grown too large; only the population is put back.
    fn renew(&mut self, context: &mut SearchContext) -> Result<(), LogicError> {
        if context.programs().len() < MOST_PROGRAMS {
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

/// A member from what it covers.
fn member(
    context: &mut SearchContext,
    program: ProgramId,
    identity: u64,
    covered: [u32; 2],
) -> Result<Member, LogicError> {
    let [positive, negative] = covered.map(u64::from);
    let task = context.task();
    if positive > task.positive.len() as u64 || negative > task.negative.len() as u64 {
        let words = "an expression covers more examples than there are".to_owned();
        return Err(LogicError::Checkpoint(words));
    }
    let quality = context.quality(positive, negative);
    let length = context.length(program);
    Ok(Member { program, identity, score: Score { positive, negative, quality, length } })
}
