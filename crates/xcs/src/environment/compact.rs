//! Few rules that predict as well as the population of an agent.

use super::Agent;
use super::cover::{Candidate, select};
use crate::conditions::Conditions;
use pellucid_bits::Block;
use pellucid_matching::{CodeDomain, CodedExamples, Coverage, ExamplesError, Test, spec};
use std::collections::HashSet;

/// Rules selected from the population of an agent, as a decision list: the first one that matches
/// decides.
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

impl Agent {
    /// Selects few rules that together predict some inputs as well as possible, given the right action
    /// of each input.
    ///
    /// First, each rule drops conditions as long as its share of errors on these inputs does not grow.
    /// Rules without errors are then selected until they match as many inputs as such rules can
    /// (greedy set cover). Rules with errors follow for the inputs that are still open, and rules
    /// that the others make superfluous are removed. At least as many inputs are predicted correctly
    /// as rules without errors match. A rule of two actions that expects little reward for one counts
    /// as a rule for the other.
    ///
    /// # Errors
    /// When the inputs do not have a code for each column.
    pub fn compact(&self, inputs: &[u32], actions: &[u32]) -> Result<CompactRules, ExamplesError> {
        let domains = self.system.matcher.examples().domains().to_vec();
        let examples = CodedExamples::new(domains.clone(), inputs.to_vec())?;
        let (rules, candidates) = self.candidates(&examples, actions);
        let list = select(&candidates, examples.rows());
        let rules = list.into_iter().map(|number| rules[number].clone()).collect();
        Ok(CompactRules { domains, rules })
    }

    /// Returns the generalized rules of the population, and the inputs that they match.
    fn candidates(
        &self,
        examples: &CodedExamples,
        actions: &[u32],
    ) -> (Vec<(u32, Vec<Test>)>, Vec<Candidate>) {
        let system = &self.system;
        let rows = (0..pellucid_bits::as_u32(examples.rows())).collect();
        let errors: Vec<Vec<Block>> =
            (0..system.classes).map(|action| errors_of(action, actions)).collect();
        let mut coverage = Coverage::new(system.matcher.level(), examples, rows);
        let population = &system.state.population;
        let (mut condition, mut buffer) = Default::default();
        let (mut rules, mut candidates, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
        for slot in population.slots() {
            let Some(action) = self.advocated_action(slot) else { continue };
            population.conditions.load(slot, &mut condition);
            let mut tests = population.conditions.tests(&condition, &mut buffer).to_vec();
            generalize(&mut tests, &mut coverage, &errors[action as usize]);
            if seen.insert((action, tests.clone())) {
                let (right, wrong) =
                    rows_of(coverage.of(&tests)).partition(|&row| actions[row as usize] == action);
                rules.push((action, tests));
                candidates.push(Candidate { right, wrong });
            }
        }
        (rules, candidates)
    }

    /// Returns the action that a rule argues for; `None` if its experience says nothing.
    fn advocated_action(&self, slot: usize) -> Option<u32> {
        let rule = &self.system.state.population.rules[slot];
        if rule.correct > 0 || f64::from(rule.prediction) > 0.5 * self.system.life.reward {
            Some(rule.class)
        } else {
            // Of two actions, the other one is right if this one is not.
            (self.system.classes == 2 && rule.experience > 0).then(|| 1 - rule.class)
        }
    }
}

/// Removes conditions from a rule as long as its share of errors does not grow.
fn generalize(tests: &mut Vec<Test>, coverage: &mut Coverage<'_>, errors: &[Block]) {
    let count = |covered: &[Block]| {
        let matched: u64 = covered.iter().map(Block::count).sum();
        (matched.max(1), shared(covered, errors) as u64)
    };
    let (mut matched, mut wrong) = count(coverage.of(tests));
    let mut place = 0;
    while place < tests.len() {
        let test = tests.remove(place);
        let (more_matched, more_wrong) = count(coverage.of(tests));
        if more_wrong * matched <= wrong * more_matched {
            (matched, wrong) = (more_matched, more_wrong);
        } else {
            tests.insert(place, test);
            place += 1;
        }
    }
}

/// Returns the inputs for which an action is wrong.
fn errors_of(action: u32, actions: &[u32]) -> Vec<Block> {
    let mut errors = vec![Block::ZERO; pellucid_bits::blocks_for(actions.len())];
    for (row, _) in actions.iter().enumerate().filter(|&(_, &right)| right != action) {
        errors[row / pellucid_bits::BLOCK_BITS].set(row % pellucid_bits::BLOCK_BITS);
    }
    errors
}

/// Returns the places of the bits that are set.
fn rows_of(bits: &[Block]) -> impl Iterator<Item = u32> {
    let words = bits.iter().flat_map(|block| block.0);
    (0..).zip(words).flat_map(|(place, word)| {
        let mut left: u64 = word;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| 64 * place + left.trailing_zeros())?;
            left &= left - 1;
            Some(bit)
        })
    })
}

/// Returns the number of bits that two bit sets share.
fn shared(one: &[Block], other: &[Block]) -> usize {
    let pairs = one.iter().zip(other).flat_map(|(one, other)| one.0.iter().zip(&other.0));
    pairs.map(|(one, other)| (one & other).count_ones() as usize).sum()
}
