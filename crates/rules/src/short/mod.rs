//! A short list of rules for one class: if any of them applies, the class is predicted, otherwise
//! the other class.
//!
//! The search is greedy: it takes the conjunction with the most correct examples, then the one that
//! adds most, as long as that is worth another rule.

mod beam;
mod counter;
mod refine;

use crate::grammar::Grammar;
use crate::model::{Rule, RuleSet};
use crate::params::{Covering, Params};
use crate::train::{Machine, RulesError, Training, of_example, readable};
use counter::{Conjunction, ExampleCounter, Question, RowCounter, codes};
use pellucid_cover::{Hypothesis, Literal};
use pellucid_program::Expr;

/// The most rules in a list.
const MOST_RULES: usize = 4;
/// The number of conjunctions that are refined.
const CLOSER: usize = 6;
/// What a further rule must add: this share of the examples, and at least this many.
const LEAST_GAIN: (f64, f64) = (0.02, 2.0);

/// The rules of one list, on the training table.
#[derive(Clone, Debug)]
struct List {
    class: u32,
    hypothesis: Hypothesis,
    rules: Vec<Conjunction>,
}

/// Returns the short list with the most correct training examples. The best first rule is searched
/// for with either class and each way of counting rows; the best of these, in a tie the shortest,
/// determines the class and the way of counting for the rest of the list. Only examples that count
/// are used. Once `stop` returns true, the result is to be discarded.
///
/// # Errors
/// If a device fails.
pub(crate) fn short_list(
    (training, counts): (&Training, &[bool]),
    params: &Params,
    weights: &[f64],
    machine: &Machine,
    stop: &dyn Fn() -> bool,
) -> Result<RuleSet, RulesError> {
    let vocabulary = beam::vocabulary(&training.table, params, &machine.threads);
    if vocabulary.is_empty() {
        return Ok(no_rules(training, counts));
    }
    let hypotheses = match (training.has_bags, params.covering) {
        (false, _) => vec![Hypothesis::Rows],
        (true, Covering::Auto) => {
            vec![Hypothesis::Presence, Hypothesis::AtLeast(2), Hypothesis::AtLeast(3)]
        }
        (true, chosen) => vec![chosen.hypothesis(true)],
    };
    let search =
        ListSearch { training, counts, params, weights, vocabulary: &vocabulary, machine, stop };
    let mut best: Option<(f64, List)> = None;
    for class in [1, 0] {
        for first in search.rules(class, &hypotheses, counts)? {
            let length = |list: &List| list.rules[0].len();
            let better = |best: &(f64, List)| {
                first.0 > best.0 || first.0 == best.0 && length(&first.1) < length(&best.1)
            };
            if best.as_ref().is_none_or(better) {
                best = Some(first);
            }
        }
    }
    match best {
        None => Ok(no_rules(training, counts)),
        Some((_, list)) => Ok(to_model(&search.whole(list)?, training, &params.grammar)),
    }
}

struct ListSearch<'a> {
    training: &'a Training,
    /// The examples that count.
    counts: &'a [bool],
    params: &'a Params,
    weights: &'a [f64],
    vocabulary: &'a [Literal],
    machine: &'a Machine,
    /// Once this returns true, results are discarded.
    stop: &'a dyn Fn() -> bool,
}

impl ListSearch<'_> {
    fn question<'b>(&'b self, class: u32, codes: &'b [u32]) -> Question<'b> {
        let weights = (self.weights[1 - class as usize], self.weights[class as usize]);
        Question { training: self.training, codes, weights, machine: self.machine }
    }

    /// Returns the best single rule for a class among the remaining examples, for each way of
    /// counting, with its gain over predicting the other class for all. Rules without a gain are
    /// left out.
    fn rules(
        &self,
        class: u32,
        hypotheses: &[Hypothesis],
        left: &[bool],
    ) -> Result<Vec<(f64, List)>, RulesError> {
        if (self.stop)() {
            return Ok(Vec::new());
        }
        let codes = codes(self.training, class, |example| left[example]);
        let question = self.question(class, &codes);
        let mut counters = Vec::new();
        for &hypothesis in hypotheses {
            counters.push(ExampleCounter::new(question, hypothesis)?);
        }
        let mut rows = RowCounter::new(question)?;
        let most = self.params.voting.most_comparisons;
        let found = beam::search(&mut rows, &mut counters, self.vocabulary, most, CLOSER)?;
        let mut rules = Vec::new();
        for (counter, found) in counters.iter_mut().zip(found) {
            let mut best: Option<(f64, Conjunction)> = None;
            for (_, conjunction) in found {
                if (self.stop)() {
                    break;
                }
                let refined = refine::refine(counter, &self.training.table, conjunction)?;
                let better = |best: &(f64, Conjunction)| {
                    refined.0 > best.0 || refined.0 == best.0 && refined.1.len() < best.1.len()
                };
                if best.as_ref().is_none_or(better) {
                    best = Some(refined);
                }
            }
            let nothing = counter.totals().0;
            if let Some((right, conjunction)) = best.filter(|(right, _)| *right > nothing) {
                // Lists for different classes are compared by all correct examples.
                let list =
                    List { class, hypothesis: counter.hypothesis(), rules: vec![conjunction] };
                rules.push((right, list));
            }
        }
        Ok(rules)
    }

    /// Adds rules to a list as long as each is worth another rule.
    fn whole(&self, mut list: List) -> Result<List, RulesError> {
        let codes = codes(self.training, list.class, |example| self.counts[example]);
        let mut counter = ExampleCounter::new(self.question(list.class, &codes), list.hypothesis)?;
        let (outside, inside) = counter.totals();
        let lightest = self.weights.iter().copied().fold(f64::INFINITY, f64::min);
        let worth = (LEAST_GAIN.0 * (outside + inside)).max(LEAST_GAIN.1 * lightest);
        let mut left = self.counts.to_vec();
        while list.rules.len() < MOST_RULES {
            let last = list.rules.last().cloned().unwrap_or_default();
            for (left, covered) in left.iter_mut().zip(counter.covered(&last)?) {
                *left &= !covered;
            }
            let is_open = |class: u32| {
                (0..left.len()).any(|example| left[example] && codes[example] == class)
            };
            if !is_open(1) || !is_open(0) {
                break;
            }
            let rest: f64 = (0..left.len())
                .filter(|&example| left[example] && codes[example] == 0)
                .count() as f64
                * self.weights[1 - list.class as usize];
            let next = self.rules(list.class, &[list.hypothesis], &left)?;
            match next.into_iter().next() {
                Some((right, more)) if right - rest >= worth => list.rules.extend(more.rules),
                _ => break,
            }
        }
        Ok(list)
    }
}

fn no_rules(training: &Training, counts: &[bool]) -> RuleSet {
    let mut base = vec![0.0; 2];
    let mut examples = [0; 2];
    for (&code, _) in training.codes.iter().zip(counts).filter(|(_, counts)| **counts) {
        examples[code as usize] += 1;
    }
    if let Some(largest) = (0..2).rev().max_by_key(|&class| examples[class]) {
        base[largest] = 0.5;
    }
    RuleSet { base, ..RuleSet::default() }
}

/// Returns a list as a model: one rule that applies is enough.
fn to_model(list: &List, training: &Training, grammar: &Grammar) -> RuleSet {
    let mut base = vec![0.0; 2];
    base[1 - list.class as usize] = 0.5;
    let rule = |conjunction: &Conjunction| {
        let comparisons = conjunction
            .iter()
            .map(|&literal| readable(literal, &training.table, grammar))
            .collect();
        let when = of_example(Expr::and(comparisons), list.hypothesis);
        Rule::new(when, list.class, 1.0)
    };
    RuleSet { base, rules: list.rules.iter().map(rule).collect(), ..RuleSet::default() }
}
