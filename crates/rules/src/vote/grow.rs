//! Rules at random, but not blindly: each step takes the best of a few random cuts, then one of its sides by chance.
//!
//! A rule grown so is one path of an extremely randomised tree. Taking the better side instead was measured to be worse: a
//! thousand greedy rules resemble each other, and it is their variety that the votes live on.

use super::feature::Feature;
use super::rows::{RowTable, RowTest};
use crate::train::of_example;
use pellucid_bits::Bits;
use pellucid_cover::Hypothesis;
use pellucid_learn::rng::Stream;
use pellucid_program::Expr;
use std::cmp::Ordering;

/// Examples of which rules are to be grown for one class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Labelled<'a> {
    /// Whether each example is of the class.
    pub(crate) is_positive: &'a [bool],
    /// How much each example weighs.
    pub(crate) weights: &'a [f64],
}

impl Labelled<'_> {
    /// The weights of some examples outside and inside the class.
    fn weigh(&self, examples: impl Iterator<Item = u32>) -> Sides {
        let mut sides = Sides::default();
        examples.for_each(|example| sides.add(*self, example));
        sides
    }
}

/// How much lies inside and outside of a class.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sides {
    inside: f64,
    outside: f64,
}

impl Sides {
    #[inline]
    fn add(&mut self, labelled: Labelled<'_>, example: u32) {
        let weight = labelled.weights[example as usize];
        if labelled.is_positive[example as usize] {
            self.inside += weight
        } else {
            self.outside += weight
        }
    }

    fn total(self) -> f64 {
        self.inside + self.outside
    }

    fn is_pure(self) -> bool {
        self.inside == 0.0 || self.outside == 0.0
    }

    /// Gini's impurity times the weight: 0 where all are of one kind.
    fn impurity(self) -> f64 {
        if self.total() > 0.0 { 2.0 * self.inside * self.outside / self.total() } else { 0.0 }
    }

    fn without(self, part: Sides) -> Sides {
        Sides { inside: self.inside - part.inside, outside: self.outside - part.outside }
    }
}

/// A candidate: what it says, and the examples for which it holds.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) when: Expr,
    pub(crate) holds: Bits,
}

/// One cut of a feature.
#[derive(Clone, Copy, Debug)]
struct Cut {
    feature: usize,
    cut: f64,
    impurity: f64,
    above: usize,
    below: usize,
}

/// A feature above a cut, or not.
#[derive(Clone, Copy, Debug)]
struct Comparison {
    feature: usize,
    cut: f64,
    above: bool,
}

impl Comparison {
    fn holds(self, features: &[Feature], example: u32) -> bool {
        let value = features[self.feature].values[example as usize];
        if self.above { value > self.cut } else { value <= self.cut }
    }
}

/// Grows a rule about whole examples on some of them, of at most so many comparisons.
pub(crate) fn example_rule(
    features: &[Feature],
    labelled: Labelled<'_>,
    mut covered: Vec<u32>,
    most: usize,
    stream: &mut Stream,
) -> Option<Candidate> {
    let tries = root(features.len());
    let mut parts: Vec<Comparison> = Vec::new();
    for _ in 0..most {
        if covered.len() < 2 || labelled.weigh(covered.iter().copied()).is_pure() {
            break;
        }
        let Some(best) = best_cut(features, labelled, &covered, tries, stream) else { break };
        let above = stream.index(best.above + best.below) < best.above;
        let cut = features[best.feature].rounded(best.cut, &covered);
        let part = Comparison { feature: best.feature, cut, above };
        covered.retain(|&example| part.holds(features, example));
        parts.push(part);
    }
    let parts = strongest(parts);
    if parts.is_empty() {
        return None;
    }
    let holds = |example: u32| parts.iter().all(|part| part.holds(features, example));
    let holds = covered_by(labelled.weights.len(), holds);
    let condition = |part: &Comparison| features[part.feature].condition(part.cut, part.above);
    Some(Candidate { when: Expr::and(parts.iter().map(condition).collect()), holds })
}

/// The examples for which something holds.
fn covered_by(examples: usize, holds: impl Fn(u32) -> bool) -> Bits {
    let mut bits = Bits::zeros(examples);
    (0u32..)
        .take(examples)
        .filter(|&example| holds(example))
        .for_each(|example| bits.set(example as usize));
    bits
}

/// Of several cuts of one feature to one side only the strongest says something.
fn strongest(parts: Vec<Comparison>) -> Vec<Comparison> {
    let mut kept: Vec<Comparison> = Vec::new();
    for part in parts {
        match kept
            .iter_mut()
            .find(|other| other.feature == part.feature && other.above == part.above)
        {
            Some(other) if part.above => other.cut = other.cut.max(part.cut),
            Some(other) => other.cut = other.cut.min(part.cut),
            None => kept.push(part),
        }
    }
    kept
}

/// The best of so many random cuts that part the covered examples.
fn best_cut(
    features: &[Feature],
    labelled: Labelled<'_>,
    covered: &[u32],
    tries: usize,
    stream: &mut Stream,
) -> Option<Cut> {
    let mut best: Option<Cut> = None;
    let mut found = 0;
    for _ in 0..10 * tries {
        let feature = stream.index(features.len());
        if let Some(cut) = random_cut(features, feature, labelled, covered, stream) {
            if best.is_none_or(|best| cut.impurity < best.impurity) {
                best = Some(cut);
            }
            found += 1;
            if found == tries {
                break;
            }
        }
    }
    best
}

/// A cut uniform between the least and the greatest value that is covered.
fn random_cut(
    features: &[Feature],
    feature: usize,
    labelled: Labelled<'_>,
    covered: &[u32],
    stream: &mut Stream,
) -> Option<Cut> {
    let values = &features[feature].values;
    let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
    for &example in covered {
        let value = values[example as usize];
        least = if value < least { value } else { least };
        greatest = if value > greatest { value } else { greatest };
    }
    if least.partial_cmp(&greatest) != Some(Ordering::Less) {
        return None;
    }
    // Where an end is infinite (no row has a value) the cut parts off just that.
    let cut = match (least.is_finite(), greatest.is_finite()) {
        (true, true) => stream.range(least, greatest),
        (false, _) => least,
        (true, false) => greatest.next_down(),
    };
    let (mut above, mut below) = (Sides::default(), Sides::default());
    let (mut above_count, mut below_count) = (0, 0);
    for &example in covered {
        let value = values[example as usize];
        let (side, count) = if value > cut {
            (&mut above, &mut above_count)
        } else if value <= cut {
            (&mut below, &mut below_count)
        } else {
            continue;
        };
        *count += 1;
        side.add(labelled, example);
    }
    let impurity = above.impurity() + below.impurity();
    Some(Cut { feature, cut, impurity, above: above_count, below: below_count })
}

/// Grows a rule about single rows, "some row has …", of one to so many comparisons.
///
/// Each step takes the comparison that best parts the bags with a row that still fits from the others.
pub(crate) fn row_rule(
    table: &RowTable<'_>,
    labelled: Labelled<'_>,
    mut rows: Vec<u32>,
    most: usize,
    stream: &mut Stream,
) -> Option<Candidate> {
    let tries = root(table.columns());
    let comparisons = 1 + stream.index(most);
    let all = labelled.weigh(0..u32::try_from(labelled.weights.len()).unwrap_or(u32::MAX));
    let mut seen = vec![u32::MAX; labelled.weights.len()];
    let mut stamp = 0;
    let mut tests: Vec<RowTest<'_>> = Vec::new();
    for _ in 0..comparisons {
        if rows.len() < 2 {
            break;
        }
        let mut best = None;
        for _ in 0..tries {
            let Some(test) = table.random_test(&rows, stream) else { continue };
            stamp += 1;
            // Rows of one bag may lie apart, so bags are marked as they are met.
            let mut hit = Sides::default();
            test.passing(&rows, |row| {
                let bag = table.bag(row);
                if std::mem::replace(&mut seen[bag as usize], stamp) != stamp {
                    hit.add(labelled, bag);
                }
            });
            let impurity = hit.impurity() + all.without(hit).impurity();
            if best.as_ref().is_none_or(|(least, _)| impurity < *least) {
                best = Some((impurity, test));
            }
        }
        let Some((_, test)) = best else { break };
        let test = test.rounded(&rows);
        let mut passing = Vec::new();
        test.passing(&rows, |row| passing.push(row));
        rows = passing;
        tests.push(test);
    }
    if tests.is_empty() {
        return None;
    }
    let mut holds = Bits::zeros(labelled.weights.len());
    let (first, others) = tests.split_at(1);
    first[0].passing(&table.all_rows(), |row| {
        if others.iter().all(|test| test.holds(row)) {
            holds.set(table.bag(row) as usize);
        }
    });
    let condition = Expr::and(tests.iter().map(RowTest::expr).collect());
    Some(Candidate { when: of_example(condition, Hypothesis::Presence), holds })
}

/// The square root, rounded up.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the root of a length")]
fn root(number: usize) -> usize {
    (number as f64).sqrt().ceil() as usize
}
