//! Substring search over all texts of a property in one pass.
//!
//! The texts of a property are stored in one buffer, each followed by a byte that occurs in no
//! text. The search tests 64 start positions at once. The hits of one text are combined like those
//! of the edges of a subject: a byte corresponds to an edge, and the text to its subject. The time
//! depends only on the length of the buffer, not on the number of matches.

use crate::cpu::{Hits, Narrow, Runs};
use pellucid_bits::{BLOCK_BITS, Bits, Block, Level, Simd, blocks_for};
use pellucid_device::Threads;

/// Follows every text; it never occurs in UTF-8.
const END: u8 = 0xFF;
/// The number of bytes from which threads share a pass.
const SHARED_BYTES: usize = 1 << 18;
/// The minimum number of blocks of texts per thread.
const LEAST_BLOCKS: usize = 8;

/// The texts of a property in one buffer.
#[derive(Clone, Debug)]
pub(crate) struct Texts {
    /// The texts, each followed by [`END`], with enough padding after the last one to read past it.
    bytes: Vec<u8>,
    /// Bit by byte: whether a text ends here.
    ends: Bits,
    /// Bit by text: all set.
    all: Bits,
    /// The start of every 512th text, and the end.
    starts: Vec<usize>,
    longest: usize,
    /// The number of occurrences of each byte.
    frequencies: [u64; 256],
}

impl Texts {
    pub(crate) fn new(texts: &[String]) -> Texts {
        let longest = texts.iter().map(String::len).max().unwrap_or(0);
        let len: usize = texts.iter().map(|text| text.len() + 1).sum();
        let mut bytes = Vec::with_capacity(len + longest + 64);
        let mut ends = Bits::zeros(len);
        let mut starts = Vec::with_capacity(blocks_for(texts.len()) + 1);
        let mut frequencies = [0; 256];
        for (number, text) in texts.iter().enumerate() {
            if number % BLOCK_BITS == 0 {
                starts.push(bytes.len());
            }
            text.bytes().for_each(|byte| frequencies[byte as usize] += 1);
            bytes.extend_from_slice(text.as_bytes());
            ends.set(bytes.len());
            bytes.push(END);
        }
        starts.push(bytes.len());
        bytes.resize(len + longest + 64, END);
        Texts { bytes, ends, all: Bits::ones_of(texts.len()), starts, longest, frequencies }
    }

    /// Returns the texts that contain `part`.
    pub(crate) fn with(&self, part: &str, level: Level, threads: &Threads) -> Bits {
        let count = self.all.len();
        if part.is_empty() {
            return Bits::ones_of(count);
        }
        if part.len() > self.longest {
            return Bits::zeros(count);
        }
        // Test the rarest byte first, so that one test is usually enough.
        let mut order: Vec<(usize, u8)> = part.bytes().enumerate().collect();
        order.sort_by_key(|&(_, byte)| self.frequencies[byte as usize]);
        let find = SubstringStarts { bytes: &self.bytes, part: &order };
        // This subset of AVX-512 has no byte instructions and would emulate what AVX2 does in one
        // instruction.
        let level = if level == Level::Avx512 { Level::Avx2 } else { level };
        let mut found = vec![Block::ZERO; blocks_for(count)];
        let pass = |first: usize, out: &mut [Block]| {
            let runs = Runs {
                last: self.ends.blocks(),
                first: self.starts[first],
                end: self.starts[first + out.len()],
                subjects: &self.all.blocks()[first..],
            };
            level.run(Narrow { hits: find, runs, at_least: 1, out });
        };
        if threads.count() == 1 || self.ends.len() < SHARED_BYTES {
            pass(0, &mut found);
        } else {
            let height = found.len().div_ceil(threads.count() * 4).max(LEAST_BLOCKS);
            let mut ranges: Vec<&mut [Block]> = found.chunks_mut(height).collect();
            threads.each(&mut ranges, |part, out| pass(part * height, out));
        }
        Bits::from_blocks(found, count)
    }
}

/// Finds where a substring starts. Contains each byte of it with its offset, in the order of
/// testing.
#[derive(Clone, Copy)]
struct SubstringStarts<'a> {
    bytes: &'a [u8],
    part: &'a [(usize, u8)],
}

impl Hits for SubstringStarts<'_> {
    #[inline(always)]
    fn hits<S: Simd>(self, simd: S, at: usize) -> u64 {
        let mut hits = u64::MAX;
        for &(place, byte) in self.part {
            let Some(bytes) = self.bytes[at + place..].first_chunk() else { return 0 };
            hits &= simd.equal_bytes(bytes, byte);
            if hits == 0 {
                break;
            }
        }
        hits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_testdevices::cases;
    use proptest::prelude::*;
    use std::num::NonZeroUsize;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases(64)))]

        #[test]
        fn one_pass_agrees_with_a_search_of_each_text(
            words in prop::collection::vec("[abä]{0,6}", 1..40),
            part in "[abä]{0,4}",
            copies in 1usize..60,
            long in 0usize..200,
        ) {
            let mut texts: Vec<String> =
                (0..copies).flat_map(|_| words.iter().cloned()).collect();
            texts.push("b".repeat(long) + &part);
            let expected: Bits = texts.iter().map(|text| text.contains(&part)).collect();
            let texts = Texts::new(&texts);
            let threads = Threads::new(NonZeroUsize::new(1)).unwrap();
            for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
                prop_assert_eq!(&texts.with(&part, level, &threads), &expected, "{}", level);
            }
        }
    }

    #[test]
    fn threads_find_the_same() {
        let texts: Vec<String> = (0..60_000).map(|number| format!("{number:x}")).collect();
        let expected: Bits = texts.iter().map(|text| text.contains("a1")).collect();
        let texts = Texts::new(&texts);
        let threads = Threads::new(NonZeroUsize::new(3)).unwrap();
        assert!(texts.ends.len() > SHARED_BYTES, "large enough to be shared");
        assert_eq!(texts.with("a1", Level::best(), &threads), expected);
    }
}
