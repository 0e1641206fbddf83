//! Pairs of columns whose conditions are useful only together, as in an exclusive-or.
//!
//! A search that extends the best single conditions misses such a pair: neither of its conditions
//! has a gain alone. So before the first rule, all pairs of columns are compared on a coarse grid
//! over a sample of the examples. A pair is noticed if the log odds in the four quadrants of a pair
//! of cut points are far from additive; its conditions then take part in every search, which finds
//! the exact cut points on all examples.
//!
//! The cost is bounded: many columns are compared at fewer cut points, and on fewer examples.

use super::screen::is_one_of;
use super::stepped::{MOST_STEPS, SteppedColumn, UNKNOWN};
use super::test::{StepSet, Test};
use pellucid_bits::{Block, Level, overlap};
use std::cmp::Reverse;

/// The most examples in the sample; small in tests.
const MOST_EXAMPLES: usize = if cfg!(test) { 200 } else { 1 << 16 };
/// With fewer examples, a pair of weak conditions cannot be noticed among many.
const FEWEST_EXAMPLES: usize = 1 << 12;
/// The most words of bits that are compared for one path, which takes a few hundredths of a second.
const MOST_WORDS: usize = 1 << 26;
/// The numbers of cut points in a column, from fine to coarse.
const CUT_POINTS: [usize; 3] = [7, 3, 1];
/// The least squared contrast of a pair, in units of its variance. The largest of a hundred thousand
/// meaningless contrasts is about 20.
const LEAST_CONTRAST: f64 = 30.0;
/// Quadrants with fewer examples say nothing.
const FEWEST_IN_QUADRANT: i32 = 10;
/// The most pairs.
const MOST_PAIRS: usize = 8;

/// Two conditions on different columns that are useful together.
pub(super) type Pair = [Test; 2];

/// Returns whether an example is in the sample, given the number of all examples.
pub(super) fn is_in_sample(example: u64, examples: usize) -> bool {
    is_one_of(example, examples.div_ceil(MOST_EXAMPLES).max(1) as u64)
}

/// A sample of examples, and which of them satisfy the conditions on a coarse grid.
#[derive(Debug)]
pub(super) struct PairSample {
    examples: Vec<u32>,
    /// The conditions, column by column.
    tests: Vec<Test>,
    /// The examples that satisfy each condition, in groups of eight sets.
    sets: Vec<Block>,
    /// The number of words in a set.
    words: usize,
}

/// Some examples of a sample.
struct Subset {
    bits: Vec<u64>,
    size: i32,
    /// The number of examples that satisfy each condition.
    each: Vec<i32>,
}

impl PairSample {
    /// Creates a sample, given the steps of its examples in each column and the number of classes
    /// that are separated from the rest.
    pub(super) fn new(
        mut examples: Vec<u32>,
        features: &[SteppedColumn],
        mut steps: Vec<Vec<u8>>,
        classes: usize,
    ) -> PairSample {
        let conditions = |points: usize| features.len() * points;
        let most = |points: usize| most_examples(conditions(points), classes);
        let wanted = examples.len().min(FEWEST_EXAMPLES);
        let points = CUT_POINTS.into_iter().find(|&points| most(points) >= wanted);
        let points = points.unwrap_or_else(|| {
            examples.clear();
            1
        });
        let every = examples.len().div_ceil(most(points).max(1)).max(1);
        examples = examples.into_iter().step_by(every).collect();
        for steps in &mut steps {
            *steps = steps.iter().copied().step_by(every).take(examples.len()).collect();
        }
        let of_column = |(feature, (stepped, steps)): (usize, (&SteppedColumn, &Vec<u8>))| {
            grid(stepped, steps, points).into_iter().map(move |set| Test { feature, set })
        };
        let tests: Vec<Test> =
            features.iter().zip(&steps).enumerate().flat_map(of_column).collect();
        let words = examples.len().div_ceil(64);
        let mut sets = vec![Block::ZERO; tests.len().div_ceil(8) * words];
        for (place, test) in tests.iter().enumerate() {
            let own = steps[test.feature].iter().enumerate();
            for (at, _) in own.filter(|(_, step)| test.set.contains(**step)) {
                sets[place / 8 * words + at / 64].0[place % 8] |= 1 << (at % 64);
            }
        }
        PairSample { examples, tests, sets, words }
    }

    /// Returns the pairs with the largest contrasts, given which examples are for training, the
    /// classes that are separated from the rest, and which conditions may be in one rule.
    pub(super) fn pairs(
        &self,
        level: Level,
        is_training: impl Fn(u32) -> bool,
        classes: &[Box<dyn Fn(u32) -> bool + '_>],
        may_join: impl Fn(&Test, &Test) -> bool,
    ) -> Vec<Pair> {
        let all = self.subset(level, &is_training);
        let classes = classes
            .iter()
            .map(|is_own| self.subset(level, |example| is_training(example) && is_own(example)));
        let classes: Vec<Subset> = classes.collect();
        let mut found: Vec<(f64, Pair)> = Vec::new();
        for (place, one) in self.tests.iter().enumerate() {
            let both = self.both(level, &all, place);
            let of_classes: Vec<Vec<i32>> =
                classes.iter().map(|class| self.both(level, class, place)).collect();
            for (other, test) in self.tests.iter().enumerate().skip(place + 1) {
                if !may_join(one, test) {
                    continue;
                }
                let quadrants = all.quadrants(place, other, both[other]);
                let contrast = |(class, both): (&Subset, &Vec<i32>)| {
                    contrast(quadrants, class.quadrants(place, other, both[other]))
                };
                let score = classes.iter().zip(&of_classes).map(contrast).fold(0.0, f64::max);
                if score >= LEAST_CONTRAST {
                    keep(&mut found, score, [*one, *test]);
                }
            }
        }
        found.into_iter().map(|(_, pair)| pair).collect()
    }

    /// Returns some examples of the sample.
    fn subset(&self, level: Level, is_own: impl Fn(u32) -> bool) -> Subset {
        let mut bits = vec![0; self.words];
        for (at, _) in self.examples.iter().enumerate().filter(|(_, example)| is_own(**example)) {
            bits[at / 64] |= 1 << (at % 64);
        }
        let mut each = vec![0; self.tests.len()];
        overlap(level, &bits, &self.sets, self.words, [1; 2], &mut each);
        let size = bits.iter().map(|word: &u64| word.count_ones()).sum::<u32>().cast_signed();
        Subset { bits, size, each }
    }

    /// Returns the number of examples of a subset that satisfy both a condition and each later one.
    fn both(&self, level: Level, subset: &Subset, place: usize) -> Vec<i32> {
        let own = self.sets[place / 8 * self.words..].iter().zip(&subset.bits);
        let own: Vec<u64> = own.map(|(block, bits)| block.0[place % 8] & bits).collect();
        let first = place / 8;
        let mut both = vec![0; self.tests.len()];
        let sets = &self.sets[first * self.words..];
        overlap(level, &own, sets, self.words, [1; 2], &mut both[8 * first..]);
        both
    }
}

impl Subset {
    /// Returns the number of examples that satisfy both of two conditions, only one, or neither.
    fn quadrants(&self, one: usize, other: usize, both: i32) -> [i32; 4] {
        let [one, other] = [self.each[one], self.each[other]];
        [both, one - both, other - both, self.size - one - other + both]
    }
}

/// Returns the most examples of a sample, given the number of conditions and of classes.
fn most_examples(conditions: usize, classes: usize) -> usize {
    let pairs = conditions.saturating_mul(conditions) / 2;
    MOST_WORDS.saturating_mul(64) / pairs.saturating_mul(1 + classes).max(1)
}

/// Returns up to `points` conditions on a column: at quantiles, or for the most frequent categories.
fn grid(stepped: &SteppedColumn, steps: &[u8], points: usize) -> Vec<StepSet> {
    let mut counts = [0usize; MOST_STEPS + 1];
    steps.iter().for_each(|&step| counts[usize::from(step)] += 1);
    let known = &counts[..usize::from(UNKNOWN)];
    if stepped.cuts.is_empty() {
        let mut categories: Vec<u8> =
            (0..UNKNOWN).filter(|&step| known[usize::from(step)] > 0).collect();
        categories.sort_by_key(|&step| (Reverse(known[usize::from(step)]), step));
        let single = |step: u8| {
            let mut set = [0; 4];
            set[usize::from(step / 64)] = 1 << (step % 64);
            StepSet::Among(set)
        };
        return categories.into_iter().take(points).map(single).collect();
    }
    let total: usize = known.iter().sum();
    let (mut below, mut part, mut sets) = (0, 1, Vec::new());
    for (step, count) in (0..UNKNOWN).zip(known) {
        below += count;
        if part <= points && below * (points + 1) >= part * total && below < total {
            sets.push(StepSet::Above(step));
            while part <= points && below * (points + 1) >= part * total {
                part += 1;
            }
        }
    }
    sets
}

/// Returns the squared contrast of log odds in units of its variance: how far the four quadrants are
/// from additive. `all` has the number of examples, `own` those of the class.
fn contrast(all: [i32; 4], own: [i32; 4]) -> f64 {
    if all.iter().any(|&count| count < FEWEST_IN_QUADRANT) {
        return 0.0;
    }
    let (mut contrast, mut variance) = (0.0, 0.0);
    for ((all, own), sign) in all.into_iter().zip(own).zip([1.0, -1.0, -1.0, 1.0]) {
        let (own, rest) = (f64::from(own) + 0.5, f64::from(all - own) + 0.5);
        contrast += sign * libm::log(own / rest);
        variance += 1.0 / own + 1.0 / rest;
    }
    contrast * contrast / variance
}

/// Keeps a pair if it is among the best. Of the same two columns, only the best is kept.
fn keep(found: &mut Vec<(f64, Pair)>, score: f64, pair: Pair) {
    let is_same =
        |(_, other): &(f64, Pair)| pair.map(|test| test.feature) == other.map(|test| test.feature);
    match found.iter().position(is_same) {
        Some(place) if found[place].0 >= score => return,
        Some(place) => drop(found.remove(place)),
        None => {}
    }
    let place = found.partition_point(|(other, _)| *other >= score);
    found.insert(place, (score, pair));
    found.truncate(MOST_PAIRS);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three columns of numbers from 0 to 9, and labels.
    fn sample(labels: impl Fn([u8; 3]) -> bool) -> (PairSample, Vec<bool>) {
        let steps: Vec<Vec<u8>> = [1, 10, 100]
            .map(|by| (0..1000u32).map(|row| u8::try_from(row / by % 10).unwrap()).collect())
            .to_vec();
        let column = |steps: &Vec<u8>| {
            let values: Vec<f64> = steps.iter().map(|&step| f64::from(step)).collect();
            SteppedColumn::numbers(&values, MOST_STEPS)
        };
        let features: Vec<SteppedColumn> = steps.iter().map(column).collect();
        let labels =
            (0..1000).map(|row| labels([0, 1, 2].map(|column| steps[column][row]))).collect();
        (PairSample::new((0..1000).collect(), &features, steps, 1), labels)
    }

    fn pairs(labels: impl Fn([u8; 3]) -> bool) -> Vec<Pair> {
        let (sample, labels) = sample(labels);
        let is_own: Box<dyn Fn(u32) -> bool> = Box::new(|example| labels[example as usize]);
        let may_join = |one: &Test, other: &Test| one.feature != other.feature;
        let all = Level::ALL.into_iter().filter(|level| level.is_available());
        let mut found: Vec<Vec<Pair>> = all
            .map(|level| sample.pairs(level, |_| true, std::slice::from_ref(&is_own), may_join))
            .collect();
        found.dedup();
        assert_eq!(found.len(), 1, "the same at all levels");
        found.remove(0)
    }

    #[test]
    fn an_exclusive_or_is_noticed() {
        let found = pairs(|[one, _, three]| (one > 4) != (three > 4));
        let [pair] = &found[..] else { panic!("{found:?}") };
        assert_eq!(pair.map(|test| test.feature), [0, 2]);
        assert_eq!(pair.map(|test| test.set), [StepSet::Above(4); 2]);
    }

    #[test]
    fn additive_columns_are_no_pair() {
        let slope = |[one, two, three]: [u8; 3]| {
            let [one, two, three] = [one, two, three].map(u32::from);
            // The rows are all different, so a hash of a row serves as noise.
            let hash = (one + 10 * two + 100 * three + 1).wrapping_mul(2_654_435_761);
            one + two > (hash >> 16) % 20
        };
        assert!(pairs(slope).is_empty());
        assert!(pairs(|[one, ..]| one > 4).is_empty());
    }
}
