use super::{Conditions, crossover_range, fold};
use crate::params::{Bounds, Crossover};
use pellucid_learn::rng::Stream;
use pellucid_matching::{CodeDomain, MISSING, Test, TestList};
use serde::{Deserialize, Serialize};

/// Conditions as lists of tests, sorted by column: ranges of the distinct values of a numeric
/// column, or sets of categories. A column without a test may have any value.
///
/// Bounds are ranks, not numbers. On the training data every interval is equivalent to a range of
/// ranks. Equivalent rules are therefore identical, outliers have no effect, and no scaling is
/// needed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Intervals {
    domains: Vec<(u32, bool)>,
    bounds: Bounds,
    /// The probability that covering tests a column.
    named: f64,
    /// The maximum half-width of an interval from covering, in values of each column.
    widest: Vec<u32>,
    /// The maximum change of a mutated bound, in values of each column.
    reach: Vec<u32>,
    conditions: Vec<TestList>,
}

/// A condition outside the population, with a spare buffer.
#[derive(Clone, Debug, Default)]
pub(crate) struct IntervalCondition {
    tests: Vec<Test>,
    spare: Vec<Test>,
}

impl Intervals {
    pub(crate) fn new(
        domains: &[CodeDomain],
        bounds: Bounds,
        named: f64,
        spread: f64,
        reach: f64,
    ) -> Intervals {
        let all =
            |share: f64| domains.iter().map(|domain| share_of_codes(domain.codes, share)).collect();
        let (widest, reach) = (all(spread), all(reach));
        let domains = domains.iter().map(|domain| (domain.codes, domain.is_set)).collect();
        Intervals { domains, bounds, named, widest, reach, conditions: Vec::new() }
    }

    /// Returns a random test of a column that an input satisfies, if the test would exclude
    /// anything.
    fn covering_test(&self, attribute: u32, input: &[u32], stream: &mut Stream) -> Option<Test> {
        let (code, (codes, is_set)) = (input[attribute as usize], self.domains[attribute as usize]);
        if code == MISSING || codes < 2 {
            return None;
        }
        if is_set {
            return Some(Test::one_of(attribute, 1 << code));
        }
        let (below, above) = two_up_to(self.widest[attribute as usize], stream);
        let low = code.saturating_sub(below);
        let high = code.saturating_add(above).min(codes - 1);
        self.if_restrictive(Test::between(attribute, low, high))
    }

    /// Adds tests of open columns, each with some probability.
    fn add(&self, one: &mut Vec<Test>, input: &[u32], rate: f64, stream: &mut Stream) {
        stream.places(input.len(), rate, |column, stream| {
            let attribute = pellucid_bits::as_u32(column);
            if let Err(place) = one.binary_search_by_key(&attribute, |test| test.attribute)
                && let Some(test) = self.covering_test(attribute, input, stream)
            {
                one.insert(place, test);
            }
        });
    }

    /// Returns a test, or `None` if every value satisfies it.
    fn if_restrictive(&self, test: Test) -> Option<Test> {
        let (codes, is_set) = self.domains[test.attribute as usize];
        let all = if is_set {
            test.set().count_ones() >= codes
        } else {
            test.low == 0 && test.high >= codes - 1
        };
        (!all).then_some(test)
    }

    /// Moves the bounds of a test, or changes its set, so that the code of the input still
    /// satisfies it.
    fn mutated(&self, test: Test, code: u32, stream: &mut Stream) -> Option<Test> {
        let (codes, is_set) = self.domains[test.attribute as usize];
        if is_set {
            let other = to_code(stream.below(u64::from(codes)));
            let set = if other == code { test.set() } else { test.set() ^ 1 << other };
            return self.if_restrictive(Test::one_of(test.attribute, set));
        }
        let step = i64::from(self.reach[test.attribute as usize]);
        let (mut low, mut high) = (i64::from(test.low), i64::from(test.high));
        match self.bounds {
            Bounds::CentreSpread => {
                let (shift, widen) = (stream.between(-step, step), stream.between(-step, step));
                (low, high) = (low + shift - widen, high + shift + widen);
            }
            Bounds::Ordered | Bounds::Unordered => {
                low += stream.between(-step, step);
                high += stream.between(-step, step);
            }
        }
        let code = i64::from(code);
        let (low, high) = (low.clamp(0, code), high.clamp(code, i64::from(codes) - 1));
        let fit = |bound: i64| u32::try_from(bound).unwrap_or(0);
        self.if_restrictive(Test::between(test.attribute, fit(low), fit(high)))
    }
}

/// Returns the number of values for a share of the values of a column, at least one.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of u32")]
fn share_of_codes(codes: u32, share: f64) -> u32 {
    (f64::from(codes) * share).ceil().clamp(1.0, f64::from(codes.max(1))) as u32
}

/// Draws two numbers from 0 to `most` from one random word, because covering may test thousands of
/// columns.
fn two_up_to(most: u32, stream: &mut Stream) -> (u32, u32) {
    let (word, count) = (stream.next_word(), u64::from(most) + 1);
    let part = |half: u64| ((half * count) >> 32) as u32;
    (part(word & u64::from(u32::MAX)), part(word >> 32))
}

/// Converts a random draw to a code.
fn to_code(draw: u64) -> u32 {
    u32::try_from(draw).unwrap_or(u32::MAX)
}

/// Whether the first list is at least as general as the second.
fn within(domains: &[(u32, bool)], outer: &[Test], inner: &[Test]) -> bool {
    let mut rest = inner.iter();
    outer.len() <= inner.len()
        && outer.iter().all(|test| {
            rest.find(|own| own.attribute >= test.attribute).is_some_and(|own| {
                own.attribute == test.attribute
                    && if domains[test.attribute as usize].1 {
                        own.set() & !test.set() == 0
                    } else {
                        test.low <= own.low && own.high <= test.high
                    }
            })
        })
}

impl Conditions for Intervals {
    type Condition = IntervalCondition;

    fn cover(&self, input: &[u32], stream: &mut Stream, one: &mut IntervalCondition) {
        let tests = &mut one.tests;
        tests.clear();
        stream.places(input.len(), self.named, |column, stream| {
            tests.extend(self.covering_test(pellucid_bits::as_u32(column), input, stream));
        });
        if tests.is_empty() {
            // A rule without a test would cover everything and explain nothing.
            for _ in 0..input.len().min(20) {
                let column = pellucid_bits::as_u32(stream.index(input.len()));
                tests.extend(self.covering_test(column, input, stream));
                if !tests.is_empty() {
                    break;
                }
            }
        }
    }

    fn load(&self, slot: usize, one: &mut IntervalCondition) {
        self.conditions[slot].copy_into(&mut one.tests);
    }

    fn store(&mut self, slot: usize, one: &IntervalCondition) {
        if self.conditions.len() <= slot {
            self.conditions.resize_with(slot + 1, TestList::default);
        }
        self.conditions[slot].set(&one.tests);
    }

    fn cross(
        &self,
        how: Crossover,
        one: &mut IntervalCondition,
        other: &mut IntervalCondition,
        stream: &mut Stream,
    ) {
        let mut swaps = match how {
            Crossover::TwoPoint => Exchange::Range(crossover_range(self.domains.len(), stream)),
            Crossover::Uniform => Exchange::Coins(0, 0),
        };
        std::mem::swap(&mut one.tests, &mut one.spare);
        std::mem::swap(&mut other.tests, &mut other.spare);
        let (mut left, mut right) = (&one.spare[..], &other.spare[..]);
        for tests in [&mut one.tests, &mut other.tests] {
            tests.clear();
            tests.reserve(left.len() + right.len());
        }
        let place = |tests: &[Test]| tests.first().map_or(u32::MAX, |test| test.attribute);
        loop {
            let (mine, theirs) = (place(left), place(right));
            let attribute = mine.min(theirs);
            if attribute == u32::MAX {
                break;
            }
            let swap = swaps.at(attribute, stream);
            if mine == theirs {
                let (a, b) = (left[0], right[0]);
                (left, right) = (&left[1..], &right[1..]);
                // A mask instead of a branch, because the branch would be unpredictable.
                let mask = u32::from(swap).wrapping_neg();
                let (low, high) = ((a.low ^ b.low) & mask, (a.high ^ b.high) & mask);
                let (a, b) = (
                    Test { attribute, low: a.low ^ low, high: a.high ^ high },
                    Test { attribute, low: b.low ^ low, high: b.high ^ high },
                );
                if self.bounds == Bounds::Unordered
                    && swap
                    && !self.domains[attribute as usize].1
                    && stream.chance(0.5)
                {
                    // Unordered bounds are exchanged individually; both tests still match the
                    // input.
                    one.tests.extend(self.if_restrictive(Test::between(attribute, a.low, b.high)));
                    other
                        .tests
                        .extend(self.if_restrictive(Test::between(attribute, b.low, a.high)));
                    continue;
                }
                one.tests.push(a);
                other.tests.push(b);
                continue;
            }
            let (from, is_mine) =
                if mine == attribute { (&mut left, true) } else { (&mut right, false) };
            let into = if is_mine != swap { &mut one.tests } else { &mut other.tests };
            into.push(from[0]);
            *from = &from[1..];
        }
    }

    fn mutate(&self, one: &mut IntervalCondition, input: &[u32], rate: f64, stream: &mut Stream) {
        let tests = &mut one.tests;
        let mut has_removed = false;
        stream.places(tests.len(), rate, |place, stream| {
            let test = tests[place];
            let code = input[test.attribute as usize];
            let kept = match stream.chance(0.5) || code == MISSING {
                true => None,
                false => self.mutated(test, code, stream),
            };
            // Removed tests are marked first and deleted together.
            has_removed |= kept.is_none();
            tests[place] = kept.unwrap_or(REMOVED);
        });
        if has_removed {
            tests.retain(|test| *test != REMOVED);
        }
        // Keeps the expected number of tests constant for rules with as many tests as covering
        // makes.
        self.add(tests, input, 0.5 * rate * self.named, stream);
        if tests.is_empty() {
            self.cover(input, stream, one);
        }
    }

    fn specify(&self, one: &mut IntervalCondition, input: &[u32], rate: f64, stream: &mut Stream) {
        self.add(&mut one.tests, input, rate * self.named, stream);
    }

    fn load_tests(&self, tests: &[Test], one: &mut IntervalCondition) {
        one.tests.clear();
        one.tests.extend_from_slice(tests);
    }

    fn contains(&self, slot: usize, one: &IntervalCondition) -> bool {
        within(&self.domains, &self.conditions[slot].tests(), &one.tests)
    }

    fn contains_slot(&self, slot: usize, other: usize) -> bool {
        within(&self.domains, &self.conditions[slot].tests(), &self.conditions[other].tests())
    }

    fn equals(&self, slot: usize, one: &IntervalCondition) -> bool {
        self.conditions[slot].is(&one.tests)
    }

    fn digest(&self, one: &IntervalCondition) -> u64 {
        // A sum, because its additions are independent of each other.
        one.tests.iter().fold(0x494E_5456, |digest: u64, test| {
            digest.wrapping_add(fold(
                u64::from(test.attribute) << 48 | 1,
                fold(u64::from(test.attribute), test.set()),
            ))
        })
    }

    fn specificity(&self, slot: usize) -> usize {
        self.conditions[slot].len()
    }

    fn tests<'a>(&self, one: &'a IntervalCondition, _: &'a mut Vec<Test>) -> &'a [Test] {
        &one.tests
    }

    fn list(&self, slot: usize) -> Option<&TestList> {
        self.conditions.get(slot)
    }

    fn slots(&self) -> usize {
        self.conditions.len()
    }

    fn find_problem(&self, columns: usize) -> Option<&'static str> {
        if [self.domains.len(), self.widest.len(), self.reach.len()] != [columns; 3] {
            return Some("the conditions refer to other columns");
        }
        let sorted = |list: &TestList| {
            let tests = list.tests();
            tests.windows(2).all(|pair| pair[0].attribute < pair[1].attribute)
                && tests.last().is_none_or(|last| (last.attribute as usize) < columns)
        };
        (!self.conditions.iter().all(sorted)).then_some("a condition is damaged")
    }
}

/// Marks a removed test; no column has this number.
const REMOVED: Test = Test { attribute: u32::MAX, low: 0, high: 0 };

/// The columns that a crossover exchanges.
enum Exchange {
    /// A range of columns.
    Range((usize, usize)),
    /// Each column with probability one half. Contains the remaining random bits and their number.
    Coins(u64, u32),
}

impl Exchange {
    #[inline(always)]
    fn at(&mut self, attribute: u32, stream: &mut Stream) -> bool {
        match self {
            Exchange::Range((start, end)) => (*start..*end).contains(&(attribute as usize)),
            Exchange::Coins(coins, left) => {
                if *left == 0 {
                    (*coins, *left) = (stream.next_word(), 64);
                }
                let coin = *coins & 1 == 1;
                *coins >>= 1;
                *left -= 1;
                coin
            }
        }
    }
}
