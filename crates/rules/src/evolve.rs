//! Evolution: evaluate, breed, replace.

use crate::breed::{Breeding, Offspring, children, first};
use crate::genome::{Gene, Population, is_whole, size};
use crate::grammar::Vocabulary;
use pellucid_cover::{EvaluateError, Formulas, Session};
use pellucid_device::Threads;
use pellucid_learn::metrics::{Confusion, Metric};
use pellucid_learn::rng::Streams;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Rules with their fitness, and the number of the generation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// The number of the generation, from 0.
    pub number: u64,
    /// The rules.
    pub rules: Population,
    /// The fitness of each rule.
    pub fitness: Vec<f64>,
}

impl Generation {
    /// Returns the index of the fittest rule; in a tie, the first one.
    #[must_use]
    pub fn best(&self) -> Option<usize> {
        ranked(&self.fitness).first().copied()
    }

    /// Returns whether the state fits a grammar and a population size; that of a damaged file may
    /// not.
    #[must_use]
    pub fn is_sound(&self, vocabulary: &Vocabulary, population: usize) -> bool {
        let sound = |genes: &[Gene]| {
            is_whole(genes)
                && size(genes) <= vocabulary.max_size()
                && genes.iter().all(|gene| vocabulary.allows(gene.literal))
        };
        self.rules.is_sound()
            && self.rules.len() == self.fitness.len()
            && (self.rules.is_empty() || self.rules.len() == population)
            && self.fitness.iter().all(|fitness| !fitness.is_nan())
            && self.rules.iter().all(sound)
    }
}

/// Computes the fitness of rules: a metric of what they cover. The session counts two classes: the
/// rest, and the class of the rule.
#[derive(Debug)]
pub struct FitnessEvaluator {
    session: Session,
    metric: Metric,
}

impl FitnessEvaluator {
    /// Creates an evaluator with a metric.
    ///
    /// # Panics
    /// If the session does not count two classes.
    #[must_use]
    pub fn new(session: Session, metric: Metric) -> FitnessEvaluator {
        assert_eq!(session.labels().classes(), 2, "a rule is for one class against the rest");
        FitnessEvaluator { session, metric }
    }

    /// Returns the fitness of each formula.
    ///
    /// # Errors
    /// If no device is left.
    pub fn fitness(&mut self, formulas: &Formulas) -> Result<Vec<f64>, EvaluateError> {
        let tallies = self.session.tally_formulas(formulas)?;
        let totals = self.session.labels().totals();
        let (negatives, positives) = (totals[0], totals[1]);
        let fitness = (0..tallies.len()).map(|root| {
            let covered = tallies.of(root);
            self.metric.of(&Confusion::from_covered(covered[1], covered[0], positives, negatives))
        });
        Ok(fitness.collect())
    }

    /// Returns the session that counts.
    pub fn session(&mut self) -> &mut Session {
        &mut self.session
    }
}

/// The time spent in each phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvolutionProfile {
    /// Breeding, on all threads.
    pub breeding: Duration,
    /// Evaluation, on all devices.
    pub evaluation: Duration,
    /// Replacing the old generation by the new one, on one thread.
    pub replacement: Duration,
    /// The number of nodes interpreted, counted as in the paper: `4 n - 1` for `n` comparisons, for
    /// every evaluated rule.
    pub nodes: u64,
    /// The number of evaluated rules.
    pub rules: u64,
}

/// A population under selection.
#[derive(Debug)]
pub struct Evolution {
    vocabulary: Vocabulary,
    breeding: Breeding,
    evaluator: FitnessEvaluator,
    streams: Streams,
    threads: Arc<Threads>,
    now: Generation,
    profile: EvolutionProfile,
}

impl Evolution {
    /// Creates an evolution without rules; the first [step](Evolution::step) creates them.
    #[must_use]
    pub fn new(
        vocabulary: Vocabulary,
        breeding: Breeding,
        evaluator: FitnessEvaluator,
        streams: Streams,
        threads: Arc<Threads>,
    ) -> Evolution {
        let (now, profile) = (Generation::default(), EvolutionProfile::default());
        Evolution { vocabulary, breeding, evaluator, streams, threads, now, profile }
    }

    /// Returns the threads.
    pub(crate) fn threads(&self) -> &Threads {
        &self.threads
    }

    /// Returns the current generation.
    #[must_use]
    pub fn now(&self) -> &Generation {
        &self.now
    }

    /// Replaces the current generation.
    pub fn set(&mut self, generation: Generation) {
        self.now = generation;
    }

    /// Returns the time spent in each phase.
    #[must_use]
    pub fn profile(&self) -> EvolutionProfile {
        self.profile
    }

    /// Returns the vocabulary.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Returns the evaluator of fitness.
    pub fn evaluator(&mut self) -> &mut FitnessEvaluator {
        &mut self.evaluator
    }

    /// Creates the first generation, or the next.
    ///
    /// # Errors
    /// If no device is left.
    pub fn step(&mut self) -> Result<(), EvaluateError> {
        let Evolution { vocabulary, breeding, streams, threads, now, .. } = self;
        let start = Instant::now();
        let is_first = now.rules.is_empty();
        let offspring = if is_first {
            first(vocabulary, breeding.population, streams.at("first"), threads)
        } else {
            let streams = streams.at("breed").at(now.number);
            children(vocabulary, breeding, &now.rules, &now.fitness, streams, threads)
        };
        let bred = Instant::now();
        let fitness = self.evaluate(&offspring)?;
        let evaluated = Instant::now();
        self.now = if is_first {
            Generation { number: 0, rules: offspring.rules, fitness }
        } else {
            replace(&self.now, &offspring.rules, &fitness, self.breeding.survivors())
        };
        self.profile.breeding += bred - start;
        self.profile.evaluation += evaluated - bred;
        self.profile.replacement += evaluated.elapsed();
        Ok(())
    }

    fn evaluate(&mut self, offspring: &Offspring) -> Result<Vec<f64>, EvaluateError> {
        let mut found = self.evaluator.fitness(&offspring.formulas)?.into_iter();
        let unknown =
            offspring.known.iter().zip(offspring.rules.iter()).filter(|(known, _)| known.is_none());
        for (_, genes) in unknown {
            self.profile.nodes += 4 * genes.len() as u64 - 1;
            self.profile.rules += 1;
        }
        Ok(offspring
            .known
            .iter()
            .map(|known| known.or_else(|| found.next()).unwrap_or(0.0))
            .collect())
    }
}

/// Returns the best parents and the best children, as many as before.
fn replace(
    old: &Generation,
    children: &Population,
    fitness: &[f64],
    survivors: usize,
) -> Generation {
    let mut kept = ranked(fitness);
    kept.truncate(children.len() - survivors);
    // The order of children does not matter, but sequential copies are faster.
    kept.sort_unstable();
    let mut next = Generation { number: old.number + 1, ..Generation::default() };
    for &parent in ranked(&old.fitness).iter().take(survivors) {
        next.rules.push(old.rules.get(parent));
        next.fitness.push(old.fitness[parent]);
    }
    for child in kept {
        next.rules.push(children.get(child));
        next.fitness.push(fitness[child]);
    }
    next
}

/// Returns indices by fitness, the fittest first.
fn ranked(fitness: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..fitness.len()).collect();
    order.sort_by(|&left, &right| fitness[right].total_cmp(&fitness[left]));
    order
}
