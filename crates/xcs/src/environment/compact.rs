//! Few rules that say what the population of an agent says.

use super::Agent;
use crate::conditions::Conditions;
use pellucid_bits::Block;
use pellucid_matching::{CodeDomain, CodedExamples, Coverage, ExamplesError, Test, spec};
use std::collections::HashSet;

/// Accurate rules selected from the population of an agent. The first one that matches decides.
#[derive(Clone, Debug, PartialEq)]
pub struct CompactRules {
    domains: Vec<CodeDomain>,
    rules: Vec<(u32, Vec<Test>)>,
}

impl CompactRules {
    /// Returns the number of rules.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Returns whether there are no rules.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Returns the mean number of columns in a condition.
    #[must_use]
    pub fn columns_named(&self) -> f64 {
        let all: usize = self.rules.iter().map(|(_, tests)| tests.len()).sum();
        all as f64 / self.rules.len().max(1) as f64
    }

    /// Returns the action for an input; `None` if no rule matches.
    #[must_use]
    pub fn action(&self, codes: &[u32]) -> Option<u32> {
        let matches = |(_, tests): &&(u32, Vec<Test>)| spec::matches(&self.domains, tests, codes);
        self.rules.iter().find(matches).map(|&(action, _)| action)
    }
}

/// A rule that is right about every input that it matches.
struct AccurateRule {
    action: u32,
    tests: Vec<Test>,
    covered: Vec<Block>,
}

impl Agent {
    /// Selects rules that together match as many of some inputs as possible, given the right action of
    /// each input. Only rules that are right about all inputs that they match are candidates, after
    /// conditions that this does not depend on are removed. Each time, the rule that matches most of
    /// the remaining inputs is selected (greedy set cover).
    ///
    /// # Errors
    /// When the inputs do not have a code for each column.
    pub fn compact(&self, inputs: &[u32], actions: &[u32]) -> Result<CompactRules, ExamplesError> {
        let domains = self.system.matcher.examples().domains().to_vec();
        let examples = CodedExamples::new(domains.clone(), inputs.to_vec())?;
        let mut candidates = self.accurate_rules(&examples, actions);
        let mut open = vec![Block::ZERO; pellucid_bits::blocks_for(examples.rows())];
        for (block, open) in open.iter_mut().enumerate() {
            *open = Block::first(examples.rows() - block * pellucid_bits::BLOCK_BITS);
        }
        let mut rules = Vec::new();
        // The number of open inputs of a rule never grows, so an old number is an upper limit.
        let mut most: Vec<usize> = vec![usize::MAX; candidates.len()];
        loop {
            let mut best: Option<(usize, usize)> = None;
            for (place, rule) in candidates.iter().enumerate() {
                if best.is_none_or(|(count, _)| most[place] > count) {
                    most[place] = shared(&open, &rule.covered);
                    if most[place] > best.map_or(0, |(count, _)| count) {
                        best = Some((most[place], place));
                    }
                }
            }
            let Some((_, place)) = best else { break };
            let rule = candidates.swap_remove(place);
            most.swap_remove(place);
            for (open, covered) in open.iter_mut().zip(&rule.covered) {
                open.0.iter_mut().zip(&covered.0).for_each(|(open, covered)| *open &= !covered);
            }
            rules.push((rule.action, rule.tests));
        }
        Ok(CompactRules { domains, rules })
    }

    /// Returns the generalized rules that are right about all inputs that they match.
    fn accurate_rules(&self, examples: &CodedExamples, actions: &[u32]) -> Vec<AccurateRule> {
        let system = &self.system;
        let rows = || 0..pellucid_bits::as_u32(examples.rows());
        let wrong = (0..system.classes).map(|action| {
            let mut wrong = vec![Block::ZERO; pellucid_bits::blocks_for(examples.rows())];
            for (row, _) in actions.iter().enumerate().filter(|&(_, &other)| other != action) {
                wrong[row / pellucid_bits::BLOCK_BITS].set(row % pellucid_bits::BLOCK_BITS);
            }
            wrong
        });
        let wrong: Vec<Vec<Block>> = wrong.collect();
        let mut coverage = Coverage::new(system.matcher.level(), examples, rows().collect());
        let population = &system.state.population;
        let (mut condition, mut buffer) = Default::default();
        let (mut rules, mut seen) = (Vec::new(), HashSet::new());
        for slot in population.slots().filter(|&slot| self.argues_for_its_action(slot)) {
            population.conditions.load(slot, &mut condition);
            let mut tests = population.conditions.tests(&condition, &mut buffer).to_vec();
            let action = population.rules[slot].class;
            let wrong = &wrong[action as usize];
            if shared(coverage.of(&tests), wrong) > 0 {
                continue;
            }
            let mut place = 0;
            while place < tests.len() {
                let test = tests.remove(place);
                if shared(coverage.of(&tests), wrong) > 0 {
                    tests.insert(place, test);
                    place += 1;
                }
            }
            if seen.insert((action, tests.clone())) {
                let covered = coverage.of(&tests).to_vec();
                rules.push(AccurateRule { action, tests, covered });
            }
        }
        rules
    }

    /// Whether a rule was right before, or predicts more than half of the reward.
    fn argues_for_its_action(&self, slot: usize) -> bool {
        let rule = &self.system.state.population.rules[slot];
        rule.correct > 0 || f64::from(rule.prediction) > 0.5 * self.system.life.reward
    }
}

/// Returns the number of bits that two bit sets share.
fn shared(one: &[Block], other: &[Block]) -> usize {
    let pairs = one.iter().zip(other).flat_map(|(one, other)| one.0.iter().zip(&other.0));
    pairs.map(|(one, other)| (one & other).count_ones() as usize).sum()
}
