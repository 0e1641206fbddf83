//! The default mode: rules that vote.
//!
//! A thousand candidate rules are grown at random on the training data ([`grow`]), and a penalised regression ([`weigh`])
//! gives a vote to a few dozen of them. Rules about whole bags ("no row has …", "the mean of x …") and about single rows
//! ("some row has … and …") stand side by side. With more than two classes each class has a vote of its own against the
//! rest.

mod feature;
mod grow;
mod rows;
mod weigh;

use crate::model::{Rule, RuleSet};
use crate::params::Params;
use feature::Feature;
use grow::{Candidate, Labelled, example_rule, row_rule};
use pellucid_bits::Bits;
use pellucid_data::Dataset;
use pellucid_device::Threads;
use pellucid_learn::rng::{Stream, Streams};
use pellucid_program::{Expr, Op};
use rows::RowTable;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use weigh::{Problem, Votes};

pub(crate) use weigh::STRENGTHS;

/// Of ten candidates about bags so many are about single rows.
const ROW_RULES: usize = 3;
/// The most comparisons in a rule about single rows.
const ROW_COMPARISONS: usize = 3;
/// A rule is grown on at most so many examples; its votes are weighed on all of them.
const SAMPLE: usize = 1000;
/// Votes are weighed on at most so many examples.
const WEIGHED: usize = 20_000;

/// What a class has to begin with, and the rules for and against it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ClassVotes {
    pub(crate) class: u32,
    pub(crate) base: f64,
    pub(crate) rules: Vec<Rule>,
}

/// Data with what rules may be grown on.
pub(crate) struct Ground<'a> {
    features: Vec<Feature>,
    rows: Option<RowTable<'a>>,
    weights: Vec<f64>,
    codes: &'a [u32],
}

impl<'a> Ground<'a> {
    /// Looks at some data.
    pub(crate) fn new(
        data: &'a Dataset,
        codes: &'a [u32],
        weights: Vec<f64>,
        params: &Params,
    ) -> Ground<'a> {
        let allowed = |name: &str| params.grammar.has_attribute(name);
        let features = Feature::all(data, allowed);
        Ground { features, rows: RowTable::new(data, allowed), weights, codes }
    }

    /// Learns to tell one class from the rest, once for each of the [`STRENGTHS`]; votes below zero speak against it. What
    /// comes after `stop` has said so is of no use.
    pub(crate) fn one_class(
        &self,
        class: u32,
        params: &Params,
        streams: Streams,
        threads: &Threads,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Vec<ClassVotes> {
        let is_positive: Vec<bool> = self.codes.iter().map(|&code| code == class).collect();
        let labelled = Labelled { is_positive: &is_positive, weights: &self.weights };
        let candidates = self.candidates(labelled, params, streams, threads, stop);
        let sample = sample(self.codes.len(), WEIGHED, &mut streams.stream(&["weighed".into()]));
        let (covers, is_positive, weights) = match sample {
            None => (
                candidates.iter().map(|candidate| candidate.holds.clone()).collect(),
                is_positive,
                self.weights.clone(),
            ),
            Some(sample) => (
                candidates
                    .iter()
                    .map(|candidate| pick(&candidate.holds, &sample))
                    .collect::<Vec<_>>(),
                sample.iter().map(|&example| is_positive[example as usize]).collect(),
                sample.iter().map(|&example| self.weights[example as usize]).collect(),
            ),
        };
        let covers: Vec<_> = covers.iter().collect();
        let problem = Problem { covers: &covers, is_positive: &is_positive, weights: &weights };
        let solved = problem.solve(params.voting.most_rules, stop);
        solved.into_iter().map(|found| told(class, &candidates, &found)).collect()
    }

    /// Distinct candidates that hold for some examples but not for all.
    fn candidates(
        &self,
        labelled: Labelled<'_>,
        params: &Params,
        streams: Streams,
        threads: &Threads,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Vec<Candidate> {
        let most = params.voting.most_comparisons;
        let grow = |index: usize| {
            let mut stream = streams.stream(&["candidate".into(), index.into()]);
            match &self.rows {
                Some(table) if index % 10 < ROW_RULES => {
                    let rows = self.some_rows(table, &mut stream);
                    row_rule(table, labelled, rows, most.min(ROW_COMPARISONS), &mut stream)
                }
                _ => {
                    let examples = sample(self.codes.len(), SAMPLE, &mut stream);
                    let examples = examples.unwrap_or_else(|| all(self.codes.len()));
                    example_rule(&self.features, labelled, examples, most, &mut stream)
                }
            }
        };
        let allowed = |op: Op| params.grammar.has_operator(op);
        // In stretches, because one candidate alone is not worth handing over.
        let stretch = 25;
        let grown = threads.map(params.voting.candidates.div_ceil(stretch), |number| {
            if stop() {
                return Vec::new();
            }
            let first = number * stretch;
            let indices = first..(first + stretch).min(params.voting.candidates);
            let is_allowed = |candidate: &Candidate| uses_only(&candidate.when, &allowed);
            indices.filter_map(grow).filter(is_allowed).collect::<Vec<Candidate>>()
        });
        let examples = self.codes.len() as u64;
        let mut seen = HashSet::new();
        grown
            .into_iter()
            .flatten()
            .filter(|candidate| {
                let count = candidate.holds.count();
                count > 0 && count < examples && seen.insert(candidate.holds.clone())
            })
            .collect()
    }

    /// Rows to grow a rule on: all, or those of random bags.
    fn some_rows(&self, table: &RowTable<'_>, stream: &mut Stream) -> Vec<u32> {
        let rows = table.all_rows();
        let Some(bags) = sample(self.codes.len(), SAMPLE, stream) else { return rows };
        let mut chosen = vec![false; self.codes.len()];
        bags.into_iter().for_each(|bag| chosen[bag as usize] = true);
        rows.into_iter().filter(|&row| chosen[table.bag(row) as usize]).collect()
    }
}

/// Whether a condition is said with allowed operators; a truth value is said with `=`, its opposite with `!=`.
fn uses_only(expr: &Expr, allowed: &impl Fn(Op) -> bool) -> bool {
    match expr {
        Expr::Compare(_, op, _) => allowed(*op),
        Expr::Is(_) => allowed(Op::Equal),
        Expr::Not(operand) if matches!(**operand, Expr::Is(_)) => allowed(Op::NotEqual),
        Expr::Not(operand) | Expr::Related(_, _, operand) => uses_only(operand, allowed),
        Expr::And(operands) | Expr::Or(operands) => {
            operands.iter().all(|operand| uses_only(operand, allowed))
        }
        Expr::Constant(_) | Expr::Within(..) | Expr::OneOf(..) | Expr::Contains(..) => true,
    }
}

/// The rules that have a vote, those with the most votes first.
fn told(class: u32, candidates: &[Candidate], found: &Votes) -> ClassVotes {
    let voters =
        candidates.iter().zip(&found.votes).map(|(candidate, &votes)| (candidate, rounded(votes)));
    let mut rules: Vec<Rule> = voters
        .filter(|&(_, votes)| votes != 0.0)
        .map(|(candidate, votes)| Rule {
            when: candidate.when.clone(),
            class,
            votes,
            covered: Vec::new(),
        })
        .collect();
    rules.sort_by(|left, right| right.votes.abs().total_cmp(&left.votes.abs()));
    ClassVotes { class, base: rounded(found.base), rules }
}

/// The bits at some places.
fn pick(bits: &Bits, places: &[u32]) -> Bits {
    let mut picked = Bits::zeros(places.len());
    places
        .iter()
        .enumerate()
        .filter(|&(_, &place)| bits.get(place as usize))
        .for_each(|(index, _)| picked.set(index));
    picked
}

/// All indices below a number.
fn all(number: usize) -> Vec<u32> {
    (0u32..).take(number).collect()
}

/// So many random indices in ascending order, if there are more than that.
fn sample(number: usize, most: usize, stream: &mut Stream) -> Option<Vec<u32>> {
    if number <= most {
        return None;
    }
    // Each index is kept with the chance that is left for it (Knuth's algorithm S).
    let mut wanted = most;
    let chosen = all(number).into_iter().filter(|&index| {
        let taken = stream.index(number - index as usize) < wanted;
        wanted -= usize::from(taken);
        taken
    });
    Some(chosen.collect())
}

/// Votes with three digits after the point: people read them.
fn rounded(votes: f64) -> f64 {
    (votes * 1000.0).round() / 1000.0 + 0.0
}

/// Puts the votes of classes together. With two classes, votes against one are votes for the other.
pub(crate) fn together(classes: usize, found: Vec<ClassVotes>) -> RuleSet {
    let mut base = vec![0.0; classes];
    let mut rules = Vec::new();
    let other = |class: u32| (classes == 2).then(|| 1 - class);
    for ClassVotes { class, base: votes, rules: list } in found {
        match other(class) {
            Some(other) if votes < 0.0 => base[other as usize] -= votes,
            _ => base[class as usize] += votes,
        }
        for rule in list {
            rules.push(match other(rule.class) {
                Some(other) if rule.votes < 0.0 => {
                    Rule { class: other, votes: -rule.votes, ..rule }
                }
                _ => rule,
            });
        }
    }
    rules.sort_by(|left, right| right.votes.abs().total_cmp(&left.votes.abs()));
    RuleSet { base, rules, ..RuleSet::default() }
}

#[cfg(test)]
mod tests;
