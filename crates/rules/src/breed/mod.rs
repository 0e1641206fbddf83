//! Breeding: how a generation is derived from the previous one.
//!
//! Every pair of parents has its own random stream, named by the generation and the pair. So pairs
//! are bred on all threads, and the children do not depend on the number of threads.

mod cross;
mod init;
mod mutate;

use crate::genome::{Gene, Population, write};
use crate::grammar::Vocabulary;
pub use init::rule as first_rule;
use pellucid_cover::Formulas;
use pellucid_device::Threads;
use pellucid_learn::rng::{Stream, Streams};
use serde::{Deserialize, Serialize};

/// The parameters of breeding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Breeding {
    /// The number of rules in a generation.
    pub population: usize,
    /// The number of generations.
    pub generations: u64,
    /// The probability that a pair of parents is crossed.
    pub crossover: f64,
    /// The probability that a child is mutated.
    pub mutation: f64,
    /// The share of the population that survives unchanged: the best parents, at least one.
    pub elite: f64,
    /// The number of rules in a tournament that selects a parent.
    pub tournament: usize,
}

impl Default for Breeding {
    /// Returns the paper's parameters.
    fn default() -> Breeding {
        Breeding {
            population: 1000,
            generations: 100,
            crossover: 0.95,
            mutation: 0.3,
            elite: 0.05,
            tournament: 2,
        }
    }
}

impl Breeding {
    /// Returns the number of best parents that survive.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a length"
    )]
    pub fn survivors(&self) -> usize {
        ((self.elite * self.population as f64).round() as usize).clamp(1, self.population)
    }
}

/// New rules, and their fitness if it is known.
#[derive(Clone, Debug, Default)]
pub struct Offspring {
    /// The rules.
    pub rules: Population,
    /// The fitness of each rule if it is known, because the rule is a copy.
    pub known: Vec<Option<f64>>,
    /// The rules of unknown fitness as formulas, in order.
    pub formulas: Formulas,
}

impl Offspring {
    /// Adds a rule, to be evaluated unless its fitness is known.
    pub fn add(&mut self, genes: &[Gene], known: Option<f64>) {
        self.rules.push(genes);
        self.known.push(known);
        if known.is_none() {
            write(genes, &mut self.formulas);
        }
    }

    fn append(&mut self, other: &Offspring) {
        self.rules.append(&other.rules);
        self.known.extend_from_slice(&other.known);
        self.formulas.append(&other.formulas);
    }
}

/// Buffers in which a child grows.
#[derive(Debug, Default)]
struct Workshop {
    one: Vec<Gene>,
    two: Vec<Gene>,
    spare: Vec<Gene>,
}

/// The number of ranges per thread, so that no thread waits long for the last one.
const STRETCHES: usize = 4;

/// Processes all indices on all threads, and joins the results in order.
fn in_stretches(
    count: usize,
    threads: &Threads,
    work: impl Fn(usize, &mut Workshop, &mut Offspring) + Send + Sync,
) -> Offspring {
    let stretches = if threads.count() == 1 { 1 } else { threads.count() * STRETCHES };
    let length = count.div_ceil(stretches).max(1);
    let parts = threads.map(count.div_ceil(length), |stretch| {
        let (mut workshop, mut offspring) = (Workshop::default(), Offspring::default());
        for index in stretch * length..((stretch + 1) * length).min(count) {
            work(index, &mut workshop, &mut offspring);
        }
        offspring
    });
    let mut parts = parts.into_iter();
    let mut all = parts.next().unwrap_or_default();
    parts.for_each(|offspring| all.append(&offspring));
    all
}

/// Returns the first generation.
#[must_use]
pub fn first(
    vocabulary: &Vocabulary,
    count: usize,
    streams: Streams,
    threads: &Threads,
) -> Offspring {
    in_stretches(count, threads, |index, workshop, offspring| {
        workshop.one.clear();
        first_rule(vocabulary, &mut streams.stream(&[index.into()]), &mut workshop.one);
        offspring.add(&workshop.one, None);
    })
}

/// Returns the children of a generation: as many as there are parents.
#[must_use]
pub fn children(
    vocabulary: &Vocabulary,
    breeding: &Breeding,
    parents: &Population,
    fitness: &[f64],
    streams: Streams,
    threads: &Threads,
) -> Offspring {
    in_stretches(parents.len().div_ceil(2), threads, |pair, workshop, offspring| {
        let Workshop { one, two, spare } = workshop;
        let mut stream = streams.stream(&[pair.into()]);
        let left = tournament(breeding.tournament, fitness, &mut stream);
        let right = tournament(breeding.tournament, fitness, &mut stream);
        let (mother, father) = (parents.get(left), parents.get(right));
        let copies = if stream.chance(breeding.crossover) {
            cross::cross(vocabulary, (mother, father), &mut stream, (one, two))
        } else {
            one.clear();
            one.extend_from_slice(mother);
            two.clear();
            two.extend_from_slice(father);
            (true, true)
        };
        // With an odd population the last pair has one child.
        let family = [(one, left, copies.0), (two, right, copies.1)];
        for (child, parent, is_copy) in family.into_iter().take(parents.len() - 2 * pair) {
            let is_mutated = stream.chance(breeding.mutation);
            if is_mutated {
                mutate::mutate(vocabulary, child, &mut stream, spare);
            }
            let is_unchanged = is_copy && (!is_mutated || *child == parents.get(parent));
            offspring.add(child, is_unchanged.then(|| fitness[parent]));
        }
    })
}

/// Returns the fittest of some random rules; in a tie, the first drawn.
fn tournament(size: usize, fitness: &[f64], stream: &mut Stream) -> usize {
    let mut best = stream.index(fitness.len());
    for _ in 1..size {
        let other = stream.index(fitness.len());
        if fitness[other] > fitness[best] {
            best = other;
        }
    }
    best
}
