use super::{Conditions, fold, stretch};
use crate::params::Crossover;
use pellucid_learn::rng::Stream;
use pellucid_matching::{MISSING, Test, TestList, ternary_tests};
use serde::{Deserialize, Serialize};

/// Conditions over columns of two values, packed in words: a bit says whether a column matters, another what it must be.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Ternary {
    pub(crate) columns: usize,
    /// How often a covering rule leaves a column open.
    pub(crate) dont_care: f64,
    words: usize,
    pub(crate) care: Vec<u64>,
    pub(crate) value: Vec<u64>,
}

/// One such condition; values are zero where nothing matters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packed {
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

/// Whether the first asks for nothing that the second does not ask for.
fn within(outer: (&[u64], &[u64]), inner: (&[u64], &[u64])) -> bool {
    let words = outer.0.iter().zip(outer.1).zip(inner.0.iter().zip(inner.1));
    words.fold(0, |wrong, ((care, value), (own, other))| {
        wrong | (care & !own) | ((value ^ other) & care)
    }) == 0
}

impl Conditions for Ternary {
    type One = Packed;

    fn cover(&self, input: &[u32], stream: &mut Stream, one: &mut Packed) {
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

    fn take(&self, slot: usize, one: &mut Packed) {
        let (care, value) = self.at(slot);
        one.care.clear();
        one.care.extend_from_slice(care);
        one.value.clear();
        one.value.extend_from_slice(value);
    }

    fn put(&mut self, slot: usize, one: &Packed) {
        let end = (slot + 1) * self.words;
        if self.care.len() < end {
            self.care.resize(end, 0);
            self.value.resize(end, 0);
        }
        self.care[end - self.words..end].copy_from_slice(&one.care);
        self.value[end - self.words..end].copy_from_slice(&one.value);
    }

    fn cross(&self, how: Crossover, one: &mut Packed, other: &mut Packed, stream: &mut Stream) {
        let ends = match how {
            Crossover::TwoPoint => Some(stretch(self.columns, stream)),
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

    fn mutate(&self, one: &mut Packed, input: &[u32], rate: f64, stream: &mut Stream) {
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

    fn specify(&self, one: &mut Packed, input: &[u32], rate: f64, stream: &mut Stream) {
        stream.places(self.columns, rate, |column, _| {
            let (word, bit) = (column / 64, 1 << (column % 64));
            if input[column] != MISSING && one.care[word] & bit == 0 {
                one.care[word] |= bit;
                one.value[word] |= u64::from(input[column] == 1) << (column % 64);
            }
        });
    }

    fn of_tests(&self, tests: &[Test], one: &mut Packed) {
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

    fn contains(&self, slot: usize, one: &Packed) -> bool {
        within(self.at(slot), (&one.care, &one.value))
    }

    fn contains_slot(&self, slot: usize, other: usize) -> bool {
        within(self.at(slot), self.at(other))
    }

    fn same(&self, slot: usize, one: &Packed) -> bool {
        self.at(slot) == (&one.care[..], &one.value[..])
    }

    fn digest(&self, one: &Packed) -> u64 {
        one.care.iter().chain(&one.value).fold(0x5445_524E, |digest, &word| fold(digest, word))
    }

    fn asks(&self, slot: usize) -> usize {
        self.at(slot).0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn tests<'a>(&self, one: &'a Packed, room: &'a mut Vec<Test>) -> &'a [Test] {
        room.clear();
        room.extend(ternary_tests(&one.care, &one.value));
        room
    }

    fn list(&self, _: usize) -> Option<&TestList> {
        None
    }

    fn slots(&self) -> usize {
        self.care.len() / self.words
    }

    fn misfit(&self, columns: usize) -> Option<&'static str> {
        let tail = |words: &[u64]| {
            words.chunks(self.words).any(|one| {
                (0..self.words)
                    .any(|word| one.get(word).is_none_or(|bits| bits & !below(columns, word) != 0))
            })
        };
        if self.columns != columns || self.words != columns.div_ceil(64).max(1) {
            return Some("the conditions are about other columns");
        }
        let odd = self.care.len() != self.value.len() || tail(&self.care);
        (odd || self.care.iter().zip(&self.value).any(|(care, value)| value & !care != 0))
            .then_some("a condition is damaged")
    }
}

/// The columns of a word that come before a place.
fn below(place: usize, word: usize) -> u64 {
    match place.saturating_sub(word * 64) {
        64.. => u64::MAX,
        bits => (1 << bits) - 1,
    }
}
