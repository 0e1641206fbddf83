use super::{Conditions, fold, stretch};
use crate::params::{Bounds, Crossover};
use pellucid_learn::rng::Stream;
use pellucid_matching::{Domain, MISSING, Test, TestList};
use serde::{Deserialize, Serialize};

/// Conditions as lists of tests, sorted by column: runs of the distinct values of a column of numbers, sets of categories. A
/// column that is not listed does not matter.
///
/// Bounds are ranks, not numbers. A run of ranks is all that any interval can mean on the training data, so rules that mean the
/// same are the same rule, outliers stretch nothing, and no scaling is needed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Intervals {
    domains: Vec<(u32, bool)>,
    bounds: Bounds,
    /// How often a covering rule names a column.
    named: f64,
    /// The widest run that covering makes on either side, in values of each column.
    widest: Vec<u32>,
    /// How far a mutated bound moves at most, in values of each column.
    reach: Vec<u32>,
    conditions: Vec<TestList>,
}

/// A condition that hangs nowhere yet, and room to make another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listed {
    tests: Vec<Test>,
    spare: Vec<Test>,
}

impl Intervals {
    pub(crate) fn new(
        domains: &[Domain],
        bounds: Bounds,
        named: f64,
        spread: f64,
        reach: f64,
    ) -> Intervals {
        let all = |share: f64| domains.iter().map(|domain| values(domain.codes, share)).collect();
        let (widest, reach) = (all(spread), all(reach));
        let domains = domains.iter().map(|domain| (domain.codes, domain.is_set)).collect();
        Intervals { domains, bounds, named, widest, reach, conditions: Vec::new() }
    }

    /// A test of a column that an input satisfies, if one can ask anything.
    fn fresh(&self, attribute: u32, input: &[u32], stream: &mut Stream) -> Option<Test> {
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
        self.asking(Test::between(attribute, low, high))
    }

    /// Adds tests of columns that are open, each with some probability.
    fn add(&self, one: &mut Vec<Test>, input: &[u32], rate: f64, stream: &mut Stream) {
        stream.places(input.len(), rate, |column, stream| {
            let attribute = pellucid_bits::as_u32(column);
            if let Err(place) = one.binary_search_by_key(&attribute, |test| test.attribute)
                && let Some(test) = self.fresh(attribute, input, stream)
            {
                one.insert(place, test);
            }
        });
    }

    /// A test, unless it asks nothing.
    fn asking(&self, test: Test) -> Option<Test> {
        let (codes, is_set) = self.domains[test.attribute as usize];
        let all = if is_set {
            test.set().count_ones() >= codes
        } else {
            test.low == 0 && test.high >= codes - 1
        };
        (!all).then_some(test)
    }

    /// Moves the bounds of a test, or changes its set, and keeps an input's code inside.
    fn moved(&self, test: Test, code: u32, stream: &mut Stream) -> Option<Test> {
        let (codes, is_set) = self.domains[test.attribute as usize];
        if is_set {
            let other = small(stream.below(u64::from(codes)));
            let set = if other == code { test.set() } else { test.set() ^ 1 << other };
            return self.asking(Test::one_of(test.attribute, set));
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
        self.asking(Test::between(test.attribute, fit(low), fit(high)))
    }
}

/// How many values a share of a column's values is, one at least.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of u32")]
fn values(codes: u32, share: f64) -> u32 {
    (f64::from(codes) * share).ceil().clamp(1.0, f64::from(codes.max(1))) as u32
}

/// Two numbers from 0 to a largest, out of one draw: covering thousands of columns takes thousands of these. Of 2^32 equal parts
/// each number gets its share to within one.
fn two_up_to(most: u32, stream: &mut Stream) -> (u32, u32) {
    let (word, count) = (stream.next_word(), u64::from(most) + 1);
    let part = |half: u64| ((half * count) >> 32) as u32;
    (part(word & u64::from(u32::MAX)), part(word >> 32))
}

/// A draw below a number of codes.
fn small(draw: u64) -> u32 {
    u32::try_from(draw).unwrap_or(u32::MAX)
}

/// Whether one list asks for nothing that the other does not ask for.
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
    type One = Listed;

    fn cover(&self, input: &[u32], stream: &mut Stream, one: &mut Listed) {
        let tests = &mut one.tests;
        tests.clear();
        stream.places(input.len(), self.named, |column, stream| {
            tests.extend(self.fresh(pellucid_bits::as_u32(column), input, stream));
        });
        if tests.is_empty() {
            // A rule that asks nothing covers everything and explains nothing.
            for _ in 0..input.len().min(20) {
                let column = pellucid_bits::as_u32(stream.index(input.len()));
                tests.extend(self.fresh(column, input, stream));
                if !tests.is_empty() {
                    break;
                }
            }
        }
    }

    fn take(&self, slot: usize, one: &mut Listed) {
        self.conditions[slot].copy_into(&mut one.tests);
    }

    fn put(&mut self, slot: usize, one: &Listed) {
        if self.conditions.len() <= slot {
            self.conditions.resize_with(slot + 1, TestList::default);
        }
        self.conditions[slot].set(&one.tests);
    }

    fn cross(&self, how: Crossover, one: &mut Listed, other: &mut Listed, stream: &mut Stream) {
        let mut swaps = match how {
            Crossover::TwoPoint => Swaps::Stretch(stretch(self.domains.len(), stream)),
            Crossover::Uniform => Swaps::Coins(0, 0),
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
                // By a mask, not by a branch: nothing foretells a coin.
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
                    // Where bounds have no order, each is exchanged by itself; both tests still hold the input.
                    one.tests.extend(self.asking(Test::between(attribute, a.low, b.high)));
                    other.tests.extend(self.asking(Test::between(attribute, b.low, a.high)));
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

    fn mutate(&self, one: &mut Listed, input: &[u32], rate: f64, stream: &mut Stream) {
        let tests = &mut one.tests;
        let mut dropped = false;
        stream.places(tests.len(), rate, |place, stream| {
            let test = tests[place];
            let code = input[test.attribute as usize];
            let left = match stream.chance(0.5) || code == MISSING {
                true => None,
                false => self.moved(test, code, stream),
            };
            // Marked, and taken out together.
            dropped |= left.is_none();
            tests[place] = left.unwrap_or(GONE);
        });
        if dropped {
            tests.retain(|test| *test != GONE);
        }
        // As many are added as are dropped where a rule names as many columns as covering does.
        self.add(tests, input, 0.5 * rate * self.named, stream);
        if tests.is_empty() {
            self.cover(input, stream, one);
        }
    }

    fn specify(&self, one: &mut Listed, input: &[u32], rate: f64, stream: &mut Stream) {
        self.add(&mut one.tests, input, rate * self.named, stream);
    }

    fn of_tests(&self, tests: &[Test], one: &mut Listed) {
        one.tests.clear();
        one.tests.extend_from_slice(tests);
    }

    fn contains(&self, slot: usize, one: &Listed) -> bool {
        within(&self.domains, &self.conditions[slot].tests(), &one.tests)
    }

    fn contains_slot(&self, slot: usize, other: usize) -> bool {
        within(&self.domains, &self.conditions[slot].tests(), &self.conditions[other].tests())
    }

    fn same(&self, slot: usize, one: &Listed) -> bool {
        self.conditions[slot].is(&one.tests)
    }

    fn digest(&self, one: &Listed) -> u64 {
        // A sum, because thousands of additions need not wait for each other as thousands of folds would.
        one.tests.iter().fold(0x494E_5456, |digest: u64, test| {
            digest.wrapping_add(fold(
                u64::from(test.attribute) << 48 | 1,
                fold(u64::from(test.attribute), test.set()),
            ))
        })
    }

    fn asks(&self, slot: usize) -> usize {
        self.conditions[slot].len()
    }

    fn tests<'a>(&self, one: &'a Listed, _: &'a mut Vec<Test>) -> &'a [Test] {
        &one.tests
    }

    fn list(&self, slot: usize) -> Option<&TestList> {
        self.conditions.get(slot)
    }

    fn slots(&self) -> usize {
        self.conditions.len()
    }

    fn misfit(&self, columns: usize) -> Option<&'static str> {
        if [self.domains.len(), self.widest.len(), self.reach.len()] != [columns; 3] {
            return Some("the conditions are about other columns");
        }
        let sorted = |list: &TestList| {
            let tests = list.tests();
            tests.windows(2).all(|pair| pair[0].attribute < pair[1].attribute)
                && tests.last().is_none_or(|last| (last.attribute as usize) < columns)
        };
        (!self.conditions.iter().all(sorted)).then_some("a condition is damaged")
    }
}

/// What stands for a test that is taken out: no column has this number.
const GONE: Test = Test { attribute: u32::MAX, low: 0, high: 0 };

/// Which columns are exchanged.
enum Swaps {
    /// Those of a stretch.
    Stretch((usize, usize)),
    /// By the toss of a coin; 64 tosses are one draw. The coins left, and how many.
    Coins(u64, u32),
}

impl Swaps {
    #[inline(always)]
    fn at(&mut self, attribute: u32, stream: &mut Stream) -> bool {
        match self {
            Swaps::Stretch((start, end)) => (*start..*end).contains(&(attribute as usize)),
            Swaps::Coins(coins, left) => {
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
