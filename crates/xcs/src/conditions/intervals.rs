use super::{Conditions, drawn, fold, stretch};
use crate::params::{Bounds, Crossover};
use pellucid_learn::rng::Stream;
use pellucid_matching::{Domain, MISSING, Test};
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
    /// The widest run that covering makes on either side, as a share of the column's values.
    spread: f64,
    /// How far a mutated bound moves at most, as a share of the column's values.
    reach: f64,
    conditions: Vec<Vec<Test>>,
}

impl Intervals {
    pub(crate) fn new(
        domains: &[Domain],
        bounds: Bounds,
        named: f64,
        spread: f64,
        reach: f64,
    ) -> Intervals {
        let domains = domains.iter().map(|domain| (domain.codes, domain.is_set)).collect();
        Intervals { domains, bounds, named, spread, reach, conditions: Vec::new() }
    }

    /// How many values a share of a column's values is, one at least.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of u32")]
    fn share(&self, attribute: u32, share: f64) -> u32 {
        let codes = self.domains[attribute as usize].0;
        (f64::from(codes) * share).ceil().clamp(1.0, f64::from(codes.max(1))) as u32
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
        let widest = u64::from(self.share(attribute, self.spread));
        let low = code.saturating_sub(small(stream.below(widest + 1)));
        let high = code.saturating_add(small(stream.below(widest + 1))).min(codes - 1);
        self.asking(Test::between(attribute, low, high))
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
        let step = i64::from(self.share(test.attribute, self.reach));
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
    type One = Vec<Test>;

    fn cover(&self, input: &[u32], stream: &mut Stream, one: &mut Vec<Test>) {
        one.clear();
        drawn(input.len(), self.named, stream, |column, stream| {
            one.extend(self.fresh(pellucid_bits::as_u32(column), input, stream));
        });
        if one.is_empty() {
            // A rule that asks nothing covers everything and explains nothing.
            for _ in 0..input.len().min(20) {
                let column = pellucid_bits::as_u32(stream.index(input.len()));
                one.extend(self.fresh(column, input, stream));
                if !one.is_empty() {
                    break;
                }
            }
        }
    }

    fn take(&self, slot: usize, one: &mut Vec<Test>) {
        one.clear();
        one.extend_from_slice(&self.conditions[slot]);
    }

    fn put(&mut self, slot: usize, one: &Vec<Test>) {
        if self.conditions.len() <= slot {
            self.conditions.resize_with(slot + 1, Vec::new);
        }
        self.conditions[slot].clear();
        self.conditions[slot].extend_from_slice(one);
    }

    fn cross(
        &self,
        how: Crossover,
        one: &mut Vec<Test>,
        other: &mut Vec<Test>,
        stream: &mut Stream,
    ) {
        let ends = match how {
            Crossover::TwoPoint => Some(stretch(self.domains.len(), stream)),
            Crossover::Uniform => None,
        };
        let (left, right) = (std::mem::take(one), std::mem::take(other));
        let (mut i, mut j) = (0, 0);
        loop {
            let place = |tests: &[Test], at: usize| tests.get(at).map_or(u32::MAX, |t| t.attribute);
            let attribute = place(&left, i).min(place(&right, j));
            if attribute == u32::MAX {
                break;
            }
            let mine = (place(&left, i) == attribute).then(|| left[i]);
            let theirs = (place(&right, j) == attribute).then(|| right[j]);
            i += usize::from(mine.is_some());
            j += usize::from(theirs.is_some());
            let swap = match ends {
                Some((start, end)) => (start..end).contains(&(attribute as usize)),
                None => stream.chance(0.5),
            };
            let pair = if swap { (theirs, mine) } else { (mine, theirs) };
            let pair = match (pair, self.bounds, swap) {
                // Where bounds have no order, each is exchanged by itself; both tests still hold the input.
                ((Some(a), Some(b)), Bounds::Unordered, true)
                    if !self.domains[attribute as usize].1 && stream.chance(0.5) =>
                {
                    (
                        Some(Test::between(attribute, a.low, b.high)),
                        Some(Test::between(attribute, b.low, a.high)),
                    )
                }
                (pair, ..) => pair,
            };
            one.extend(pair.0.and_then(|test| self.asking(test)));
            other.extend(pair.1.and_then(|test| self.asking(test)));
        }
    }

    fn mutate(&self, one: &mut Vec<Test>, input: &[u32], rate: f64, stream: &mut Stream) {
        let before = one.len();
        let mut kept = 0;
        for place in 0..before {
            let test = one[place];
            let code = input[test.attribute as usize];
            let mut left = Some(test);
            if stream.chance(rate) {
                left = match stream.chance(0.5) || code == MISSING {
                    true => None,
                    false => self.moved(test, code, stream),
                };
            }
            if let Some(test) = left {
                one[kept] = test;
                kept += 1;
            }
        }
        one.truncate(kept);
        // As many are added as are dropped where a rule names as many columns as covering does.
        let added = 0.5 * rate * self.named;
        drawn(input.len(), added, stream, |column, stream| {
            let attribute = pellucid_bits::as_u32(column);
            if let Err(place) = one.binary_search_by_key(&attribute, |test| test.attribute)
                && let Some(test) = self.fresh(attribute, input, stream)
            {
                one.insert(place, test);
            }
        });
        if one.is_empty() {
            self.cover(input, stream, one);
        }
    }

    fn contains(&self, slot: usize, one: &Vec<Test>) -> bool {
        within(&self.domains, &self.conditions[slot], one)
    }

    fn contains_slot(&self, slot: usize, other: usize) -> bool {
        within(&self.domains, &self.conditions[slot], &self.conditions[other])
    }

    fn same(&self, slot: usize, one: &Vec<Test>) -> bool {
        self.conditions[slot] == *one
    }

    fn digest(&self, one: &Vec<Test>) -> u64 {
        one.iter().fold(0x494E_5456, |digest, test| {
            fold(fold(digest, u64::from(test.attribute)), test.set())
        })
    }

    fn asks(&self, slot: usize) -> usize {
        self.conditions[slot].len()
    }

    fn tests(&self, one: &Vec<Test>, into: &mut Vec<Test>) {
        into.clear();
        into.extend_from_slice(one);
    }

    fn slots(&self) -> usize {
        self.conditions.len()
    }

    fn misfit(&self, columns: usize) -> Option<&'static str> {
        if self.domains.len() != columns {
            return Some("the conditions are about other columns");
        }
        let sorted = |tests: &Vec<Test>| {
            tests.windows(2).all(|pair| pair[0].attribute < pair[1].attribute)
                && tests.last().is_none_or(|last| (last.attribute as usize) < columns)
        };
        (!self.conditions.iter().all(sorted)).then_some("a condition is damaged")
    }
}
