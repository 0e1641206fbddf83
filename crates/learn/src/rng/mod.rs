//! Random streams that make results independent of threads and devices.
//!
//! With one shared generator, results would depend on how the work is split. So nothing is shared:
//! [`Streams`] is a family of streams with a seed, and each draw belongs to a *path* such as
//! (generation, individual, purpose). The same path always gives the same [`Stream`], in any order
//! and on any thread.
//!
//! ```
//! use pellucid_learn::rng::Streams;
//!
//! let streams = Streams::new(42);
//! let generation = streams.at("mutate").at(7);
//! let mut third = generation.stream(&[3.into()]);
//! let mut again = streams.stream(&["mutate".into(), 7.into(), 3.into()]);
//! assert_eq!(third.below(100), again.below(100));
//! ```
//!
//! The mapping from a path to a generator is fixed; see [`Streams`]. Tests pin it.

mod logarithm;
mod mix;
mod stream;

pub(crate) use mix::mix;
pub use stream::{Stream, ZeroState};

use mix::GOLDEN;
use serde::{Deserialize, Serialize};

/// One step of a path to a stream: a number (a generation, an individual) or a word (a purpose).
///
/// The number 7 and the word "7" are different labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label<'a> {
    /// A counter, such as a generation or the index of an individual.
    Number(u64),
    /// A purpose, such as `"mutate"`.
    Word(&'a str),
}

impl From<u64> for Label<'_> {
    fn from(number: u64) -> Self {
        Label::Number(number)
    }
}

impl From<u32> for Label<'_> {
    fn from(number: u32) -> Self {
        Label::Number(u64::from(number))
    }
}

impl From<i32> for Label<'_> {
    /// Allows plain literals as labels. Negative numbers use their two's complement.
    fn from(number: i32) -> Self {
        Label::Number(i64::from(number).cast_unsigned())
    }
}

impl From<usize> for Label<'_> {
    fn from(number: usize) -> Self {
        Label::Number(number as u64)
    }
}

impl<'a> From<&'a str> for Label<'a> {
    fn from(word: &'a str) -> Self {
        Label::Word(word)
    }
}

/// A family of random streams, identified by a seed and a path of labels.
///
/// The mapping from a path to a generator (all arithmetic modulo 2^64, `mix` is the output
/// function of `SplitMix64`, `G` = 0x9E3779B97F4A7C15):
///
/// 1. A seed `s` gives the key `(a, b) = (mix(s + G), mix(s + 2G))`.
/// 2. A label gives a word `w`: a number `n` gives `mix(n + G)`; a text gives `mix(h + 2G)` with
///    `h` its 64-bit FNV-1a hash.
/// 3. A label changes `a` to `mix((a ^ w) + G)` and `b` into
///    `mix(rotate_left(b, 32) + w * 0xD1342543DE82EF95 + G)`.
/// 4. The stream of a key is xoshiro256++ with the state
///    `[mix(a + G), mix(a + 2G), mix(b + G), mix(b + 2G)]`.
///
/// The key has 128 bits, so the probability of a collision among 10^12 streams is less than 10^-14.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Streams {
    key: [u64; 2],
}

impl Streams {
    /// Returns the family of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let second = seed.wrapping_add(GOLDEN.wrapping_mul(2));
        Self { key: [mix(seed.wrapping_add(GOLDEN)), mix(second)] }
    }

    /// Returns the subfamily of a label.
    ///
    /// `streams.at(a).stream(&[b])` is `streams.stream(&[a, b])`.
    #[must_use]
    pub fn at<'a>(&self, label: impl Into<Label<'a>>) -> Self {
        /// An odd multiplier (of a linear congruential generator by Steele and Vigna), so that the
        /// two halves of the key move differently.
        const SECOND: u64 = 0xD134_2543_DE82_EF95;
        let word = match label.into() {
            Label::Number(number) => mix(number.wrapping_add(GOLDEN)),
            Label::Word(text) => {
                mix(mix::fnv1a(text.as_bytes()).wrapping_add(GOLDEN.wrapping_mul(2)))
            }
        };
        let [a, b] = self.key;
        let b = b.rotate_left(32).wrapping_add(word.wrapping_mul(SECOND)).wrapping_add(GOLDEN);
        Self { key: [mix((a ^ word).wrapping_add(GOLDEN)), mix(b)] }
    }

    /// Returns the key of the family, for kernels with their own generators.
    #[must_use]
    pub fn key(&self) -> [u64; 2] {
        self.key
    }

    /// Returns the stream of a path of labels, which is always the same for the same seed and path.
    #[must_use]
    pub fn stream(&self, path: &[Label<'_>]) -> Stream {
        let end = path.iter().fold(*self, |family, &label| family.at(label));
        let [a, b] = end.key;
        let second = GOLDEN.wrapping_mul(2);
        Stream::from_words([
            mix(a.wrapping_add(GOLDEN)),
            mix(a.wrapping_add(second)),
            mix(b.wrapping_add(GOLDEN)),
            mix(b.wrapping_add(second)),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// These numbers must not change: they determine every model.
    #[test]
    fn streams_are_stable() {
        let first = |seed: u64, path: &[Label<'_>]| Streams::new(seed).stream(path).next_word();
        assert_eq!(first(0, &[]), KNOWN[0]);
        assert_eq!(first(1, &[]), KNOWN[1]);
        assert_eq!(first(0, &[Label::Number(0)]), KNOWN[2]);
        assert_eq!(first(0, &[Label::Word("mutate")]), KNOWN[3]);
        assert_eq!(first(42, &["cross".into(), 7.into(), 3.into()]), KNOWN[4]);
    }

    /// Calculated by a separate program from the description of [`Streams`].
    const KNOWN: [u64; 5] = [
        2435304262126314353,
        9637316889305474793,
        6586178625101164655,
        2035106808983943959,
        13161331308254391743,
    ];

    #[test]
    fn neighboring_paths_never_share_a_stream() {
        let streams = Streams::new(5);
        let mut seen = HashSet::new();
        for generation in 0..200_u64 {
            for individual in 0..200_u64 {
                let mut stream = streams.stream(&[generation.into(), individual.into()]);
                assert!(seen.insert(stream.next_word()), "{generation}/{individual} repeats");
            }
        }
        assert!(seen.insert(streams.stream(&["7".into()]).next_word()));
        assert!(seen.insert(streams.stream(&[7.into()]).next_word()));
    }

    proptest! {
        #[test]
        fn a_path_may_be_split(
            seed: u64,
            path in prop::collection::vec(any::<u64>(), 0..6),
            cut in 0_usize..6,
        ) {
            let labels: Vec<Label<'_>> = path.iter().map(|&n| n.into()).collect();
            let cut = cut.min(labels.len());
            let family = labels[..cut].iter().fold(Streams::new(seed), |f, &l| f.at(l));
            prop_assert_eq!(family.stream(&labels[cut..]), Streams::new(seed).stream(&labels));
        }
    }
}
