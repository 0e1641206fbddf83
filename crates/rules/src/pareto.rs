//! Mode pareto: the Pareto front of sensitivity and specificity.
//!
//! The operators are those of the paper; only the fitness differs. A rule is fitter the fewer
//! fronts dominate it (non-dominated sorting), and within a front rules with few neighbors come
//! first, so that the front stays wide (crowding), as in NSGA-II. Parents and children compete.

use crate::breed::{children, first};
use crate::g3pmi::two_classes;
use crate::genome::Population;
use crate::grammar::Vocabulary;
use crate::model::{Rule, RuleSet};
use crate::params::Params;
use crate::train::{Machine, RulesError, Training, of_example};
use crate::trim::trimmed;
use pellucid_cover::{Formulas, Hypothesis, Session};
use pellucid_learn::params::Valid;
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Figures, Plan, Step, Stepper};
use serde::{Deserialize, Serialize};

/// Rules with their coverage, and the number of the generation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ParetoFront {
    number: u64,
    rules: Population,
    /// The negatives and positives that each rule covers.
    covered: Vec<(u64, u64)>,
}

/// A run of mode pareto. Step 1 creates the first generation, every other step the next.
#[derive(Debug)]
pub struct Pareto<'a> {
    training: Training,
    params: Valid<Params>,
    hypothesis: Hypothesis,
    vocabulary: Vocabulary,
    session: Session,
    machine: &'a Machine,
    now: ParetoFront,
}

impl<'a> Pareto<'a> {
    /// Creates a run on some data; the last class is the positive one.
    ///
    /// # Errors
    /// If there are more than two classes, the grammar does not fit the data, or a device fails.
    pub fn new(
        training: Training,
        params: Valid<Params>,
        machine: &'a Machine,
    ) -> Result<Pareto<'a>, RulesError> {
        let (_, positive) = two_classes(&training, &params)?;
        let hypothesis = params.covering.hypothesis(training.has_bags);
        let session = training.session(positive, hypothesis, machine)?;
        let vocabulary = Vocabulary::new(&params.grammar, &training.table)?;
        Ok(Pareto {
            training,
            params,
            hypothesis,
            vocabulary,
            session,
            machine,
            now: ParetoFront::default(),
        })
    }

    fn count(&mut self, formulas: &Formulas) -> Result<Vec<(u64, u64)>, RulesError> {
        let tallies = self.session.tally_formulas(formulas)?;
        Ok((0..tallies.len()).map(|index| (tallies.of(index)[0], tallies.of(index)[1])).collect())
    }

    /// Returns the rules on the front, the most sensitive first; of rules with the same coverage
    /// only the shortest.
    fn front(&self) -> Vec<usize> {
        let mut front: Vec<usize> = (0..self.now.covered.len())
            .filter(|&index| {
                !self.now.covered.iter().any(|&other| dominates(other, self.now.covered[index]))
            })
            .collect();
        let key = |index: usize| {
            let (negatives, positives) = self.now.covered[index];
            (std::cmp::Reverse(positives), negatives, self.now.rules.get(index).len(), index)
        };
        front.sort_by_key(|&index| key(index));
        front.dedup_by_key(|index| self.now.covered[*index]);
        front
    }

    /// Returns the front so far as a model. The rule with the highest sensitivity times specificity
    /// decides.
    ///
    /// # Errors
    /// If there are more than two classes, or a device fails.
    pub fn model(&mut self) -> Result<RuleSet, RulesError> {
        let (negative, positive) = two_classes(&self.training, &self.params)?;
        let mut base = vec![0.0; self.training.classes.len()];
        base[negative as usize] = 0.5;
        let front: Vec<usize> = self.front();
        let totals = self.session.labels().totals();
        let merit = |index: usize| {
            let (negatives, positives) = self.now.covered[index];
            positives as f64 / totals[1] as f64 * (1.0 - negatives as f64 / totals[0] as f64)
        };
        let middle = front
            .iter()
            .copied()
            .reduce(|best, index| if merit(index) > merit(best) { index } else { best });
        let place = front.iter().position(|&index| Some(index) == middle);
        let front: Vec<Rule> = front
            .into_iter()
            .map(|index| self.rule(index, positive))
            .collect::<Result<_, RulesError>>()?;
        let rules = place.map(|place| front[place].clone()).into_iter().collect();
        Ok(RuleSet { base, rules, front, ..RuleSet::default() })
    }

    fn rule(&mut self, index: usize, class: u32) -> Result<Rule, RulesError> {
        let (genes, table) = (self.now.rules.get(index), &self.training.table);
        let condition = trimmed(genes, (table, &self.params.grammar), &mut self.session)?;
        let when = of_example(condition, self.hypothesis);
        Ok(Rule::new(when, class, 1.0))
    }
}

/// Returns whether one rule is at least as sensitive and as specific as another, and better in one
/// of them.
fn dominates(one: (u64, u64), other: (u64, u64)) -> bool {
    one.0 <= other.0 && one.1 >= other.1 && one != other
}

/// Returns fitness by front and crowding: a negative integer for the front, plus a number below one
/// for the distance to neighbors.
fn fitness(covered: &[(u64, u64)]) -> Vec<f64> {
    // If rules are sorted by covered negatives, a rule's front is the longest chain of dominating
    // rules before it.
    let mut order: Vec<usize> = (0..covered.len()).collect();
    order.sort_by_key(|&index| (covered[index].0, std::cmp::Reverse(covered[index].1), index));
    let mut fronts: Vec<Vec<usize>> = Vec::new();
    for &index in &order {
        // Both counts grow along a front, so its last rule has the most positives so far.
        let is_dominated = |front: &Vec<usize>| {
            front.last().is_some_and(|&last| dominates(covered[last], covered[index]))
        };
        let place = fronts.partition_point(is_dominated);
        if place == fronts.len() {
            fronts.push(Vec::new());
        }
        fronts[place].push(index);
    }
    let mut fitness = vec![0.0; covered.len()];
    let (most_negatives, most_positives) =
        covered.iter().fold((1, 1), |most, counts| (most.0.max(counts.0), most.1.max(counts.1)));
    for (place, front) in fronts.iter().enumerate() {
        for (at, &index) in front.iter().enumerate() {
            let room = match (at.checked_sub(1).map(|before| front[before]), front.get(at + 1)) {
                (Some(before), Some(&after)) => {
                    let gap = |a: u64, b: u64, most: u64| a.abs_diff(b) as f64 / most as f64;
                    let (before, after) = (covered[before], covered[after]);
                    (gap(before.0, after.0, most_negatives)
                        + gap(before.1, after.1, most_positives))
                        / 2.0
                }
                _ => 1.0,
            };
            fitness[index] = 0.999 * room - place as f64;
        }
    }
    fitness
}

impl Stepper for Pareto<'_> {
    type State = ParetoFront;
    type Error = RulesError;

    fn plan(&self) -> Plan {
        let params = serde_json::to_value(&self.params).unwrap_or_default();
        let mut same = Params::clone(&self.params);
        same.breeding.generations = 0;
        let print = self.training.fingerprint(&same, &self.machine.threads);
        Plan::new(crate::model::LEARNER, params, print).steps(self.params.breeding.generations + 1)
    }

    fn step(&mut self) -> Result<Step, RulesError> {
        let streams = Streams::new(self.params.seed).at("pareto");
        let threads = &self.machine.threads;
        let population = self.params.breeding.population;
        let is_first = self.now.rules.is_empty();
        let offspring = if is_first {
            first(&self.vocabulary, population, streams.at("first"), threads)
        } else {
            let fitness = fitness(&self.now.covered);
            let streams = streams.at("breed").at(self.now.number);
            children(
                &self.vocabulary,
                &self.params.breeding,
                &self.now.rules,
                &fitness,
                streams,
                threads,
            )
        };
        let new: Vec<usize> =
            (0..offspring.known.len()).filter(|&child| offspring.known[child].is_none()).collect();
        let counted = self.count(&offspring.formulas)?;
        // Copies are already in the population; only new rules are added.
        let mut rules = self.now.rules.clone();
        let mut covered = self.now.covered.clone();
        for (&child, counts) in new.iter().zip(counted) {
            rules.push(offspring.rules.get(child));
            covered.push(counts);
        }
        let fitness = fitness(&covered);
        let mut order: Vec<usize> = (0..covered.len()).collect();
        // Of rules with the same coverage the shortest comes first.
        order.sort_by(|&left, &right| {
            fitness[right]
                .total_cmp(&fitness[left])
                .then(rules.get(left).len().cmp(&rules.get(right).len()))
                .then(left.cmp(&right))
        });
        order.truncate(population);
        let number = if is_first { 0 } else { self.now.number + 1 };
        let mut next = ParetoFront { number, ..ParetoFront::default() };
        for index in order {
            next.rules.push(rules.get(index));
            next.covered.push(covered[index]);
        }
        self.now = next;
        let values = Figures::new().with("front", self.front().len() as f64);
        Ok(Step { evaluated: new.len() as u64, score: None, values, stop: None })
    }

    fn state(&self) -> &ParetoFront {
        &self.now
    }

    fn restore(&mut self, state: ParetoFront) -> Result<(), RulesError> {
        let generation = crate::evolve::Generation {
            number: state.number,
            fitness: vec![0.0; state.covered.len()],
            rules: state.rules.clone(),
        };
        let totals = self.session.labels().totals();
        let counts =
            state.covered.iter().all(|covered| covered.0 <= totals[0] && covered.1 <= totals[1]);
        if !counts || !generation.is_sound(&self.vocabulary, self.params.breeding.population) {
            return Err(RulesError::Checkpoint("its rules do not fit the grammar and the data"));
        }
        self.now = state;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_front_is_what_nothing_dominates(
            covered in prop::collection::vec((0u64..12, 0u64..12), 1..60),
        ) {
            let fitness = fitness(&covered);
            for (index, &counts) in covered.iter().enumerate() {
                let is_dominated = covered.iter().any(|&other| dominates(other, counts));
                prop_assert_eq!(fitness[index] < 0.0, is_dominated, "{:?} of {:?}", counts, covered);
            }
        }

        #[test]
        fn a_dominating_rule_is_fitter(covered in prop::collection::vec((0u64..12, 0u64..12), 2..40)) {
            let fitness = fitness(&covered);
            for (one, &left) in covered.iter().enumerate() {
                for (two, &right) in covered.iter().enumerate() {
                    prop_assert!(!dominates(left, right) || fitness[one] > fitness[two]);
                }
            }
        }
    }
}
