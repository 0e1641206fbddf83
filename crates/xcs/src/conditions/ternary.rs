use super::{Conditions, crossover_range, fold};
use crate::params::Crossover;
use pellucid_learn::rng::Stream;
use pellucid_matching::{MISSING, Test, TestList, ternary_tests};
use serde::{Deserialize, Serialize};

/// Conditions over columns with two values, packed in words: one bit says whether a column is
/// tested, another one its required value.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Ternary {
    pub(crate) columns: usize,
    /// The probability that covering leaves a column open.
    pub(crate) dont_care: f64,
    words: usize,
    pub(crate) care: Vec<u64>,
    pub(crate) value: Vec<u64>,
}

/// A condition outside the population; value bits of open columns are 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct TernaryCondition {
    care: Vec<u64>,
    value: Vec<u64>,
}

impl Ternary {
    pub(crate) fn new(columns: usize, dont_care: f64) -> Ternary {
        let words = columns.div_ceil(64).max(1);
        Ternary { columns, dont_care, words, care: Vec::new(), value: Vec::new() }
    }

    fn at(&self, slot: usize) -> (&[u64], &[u64]) {
        let range = slot * self.words..(slot + 1) * self.words;
        (&self.care[range.clone()], &self.value[range])
    }
}

/// Whether the first condition is at least as general as the second.
fn within(outer: (&[u64], &[u64]), inner: (&[u64], &[u64])) -> bool {
    let words = outer.0.iter().zip(outer.1).zip(inner.0.iter().zip(inner.1));
    words.fold(0, |wrong, ((care, value), (own, other))| {
        wrong | (care & !own) | ((value ^ other) & care)
    }) == 0
}

impl Conditions for Ternary {
    type Condition = TernaryCondition;

    fn cover(&self, input: &[u32], stream: &mut Stream, one: &mut TernaryCondition) {
        one.care.clear();
        one.care.resize(self.words, 0);
        one.value.clear();
        one.value.resize(self.words, 0);
        stream.places(self.columns, 1.0 - self.dont_care, |column, _| {
            if input[column] != MISSING {
                one.care[column / 64] |= 1 << (column % 64);
                one.value[column / 64] |= u64::from(input[column] == 1) << (column % 64);
            }
        });
    }

    fn load(&self, slot: usize, one: &mut TernaryCondition) {
        let (care, value) = self.at(slot);
        one.care.clear();
        one.care.extend_from_slice(care);
        one.value.clear();
        one.value.extend_from_slice(value);
    }

    fn store(&mut self, slot: usize, one: &TernaryCondition) {
        let end = (slot + 1) * self.words;
        if self.care.len() < end {
            self.care.resize(end, 0);
            self.value.resize(end, 0);
        }
        self.care[end - self.words..end].copy_from_slice(&one.care);
        self.value[end - self.words..end].copy_from_slice(&one.value);
    }

    fn cross(
        &self,
        how: Crossover,
        one: &mut TernaryCondition,
        other: &mut TernaryCondition,
        stream: &mut Stream,
    ) {
        let ends = match how {
            Crossover::TwoPoint => Some(crossover_range(self.columns, stream)),
            Crossover::Uniform => None,
        };
        for word in 0..self.words {
            let mask = match ends {
                Some((start, end)) => below(end, word) & !below(start, word),
                None => stream.next_word(),
            };
            let cares = (one.care[word] ^ other.care[word]) & mask;
            let values = (one.value[word] ^ other.value[word]) & mask;
            one.care[word] ^= cares;
            other.care[word] ^= cares;
            one.value[word] ^= values;
            other.value[word] ^= values;
        }
    }

    fn mutate(&self, one: &mut TernaryCondition, input: &[u32], rate: f64, stream: &mut Stream) {
        stream.places(self.columns, rate, |column, _| {
            let (word, bit) = (column / 64, 1 << (column % 64));
            if input[column] == MISSING {
                one.care[word] &= !bit;
            } else {
                one.care[word] ^= bit;
            }
            one.value[word] &= !bit;
            if one.care[word] & bit != 0 && input[column] == 1 {
                one.value[word] |= bit;
            }
        });
    }

    fn specify(&self, one: &mut TernaryCondition, input: &[u32], rate: f64, stream: &mut Stream) {
        stream.places(self.columns, rate, |column, _| {
            let (word, bit) = (column / 64, 1 << (column % 64));
            if input[column] != MISSING && one.care[word] & bit == 0 {
                one.care[word] |= bit;
                one.value[word] |= u64::from(input[column] == 1) << (column % 64);
            }
        });
    }

    fn load_tests(&self, tests: &[Test], one: &mut TernaryCondition) {
        one.care.clear();
        one.care.resize(self.words, 0);
        one.value.clear();
        one.value.resize(self.words, 0);
        for test in tests.iter().filter(|test| test.low == test.high) {
            let (word, bit) = (test.attribute as usize / 64, test.attribute % 64);
            one.care[word] |= 1 << bit;
            one.value[word] |= u64::from(test.low == 1) << bit;
        }
    }

    fn contains(&self, slot: usize, one: &TernaryCondition) -> bool {
        within(self.at(slot), (&one.care, &one.value))
    }

    fn contains_slot(&self, slot: usize, other: usize) -> bool {
        within(self.at(slot), self.at(other))
    }

    fn equals(&self, slot: usize, one: &TernaryCondition) -> bool {
        self.at(slot) == (&one.care[..], &one.value[..])
    }

    fn digest(&self, one: &TernaryCondition) -> u64 {
        one.care.iter().chain(&one.value).fold(0x5445_524E, |digest, &word| fold(digest, word))
    }

    fn specificity(&self, slot: usize) -> usize {
        self.at(slot).0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn tests<'a>(&self, one: &'a TernaryCondition, buffer: &'a mut Vec<Test>) -> &'a [Test] {
        buffer.clear();
        buffer.extend(ternary_tests(&one.care, &one.value));
        buffer
    }

    fn list(&self, _: usize) -> Option<&TestList> {
        None
    }

    fn slots(&self) -> usize {
        self.care.len() / self.words
    }

    fn find_problem(&self, columns: usize) -> Option<&'static str> {
        let tail = |words: &[u64]| {
            words.chunks(self.words).any(|one| {
                (0..self.words)
                    .any(|word| one.get(word).is_none_or(|bits| bits & !below(columns, word) != 0))
            })
        };
        if self.columns != columns || self.words != columns.div_ceil(64).max(1) {
            return Some("the conditions refer to other columns");
        }
        let odd = self.care.len() != self.value.len() || tail(&self.care);
        (odd || self.care.iter().zip(&self.value).any(|(care, value)| value & !care != 0))
            .then_some("a condition is damaged")
    }
}

/// Returns a mask of the columns of a word that come before a position.
fn below(place: usize, word: usize) -> u64 {
    match place.saturating_sub(word * 64) {
        64.. => u64::MAX,
        bits => (1 << bits) - 1,
    }
}
