//! Texts searched for a part of them, all in one pass.
//!
//! The texts of a property lie in one buffer, each followed by a byte that no text has. Whether the part
//! begins at a place is asked of 64 places at once, and the hits of one text are joined as those of a
//! subject's edges are: a byte is an edge, the text its subject. What it takes depends on the length of the
//! buffer alone, not on how many texts have the part.

use crate::cpu::{Hits, Narrow, Runs};
use pellucid_bits::{BLOCK_BITS, Bits, Block, Level, Simd, blocks_for};
use pellucid_device::Threads;

/// Stands behind every text: UTF-8 never has it.
const END: u8 = 0xFF;
/// Bytes from which on threads share a pass.
const SHARED_BYTES: usize = 1 << 18;
/// Blocks of texts that a thread takes at least.
const LEAST_BLOCKS: usize = 8;

/// The texts of a property in one buffer.
#[derive(Clone, Debug)]
pub(crate) struct Texts {
    /// The texts, an [`END`] behind each, and as many behind the last as the longest text and one look take.
    bytes: Vec<u8>,
    /// Bit by byte: the end of a text.
    ends: Bits,
    /// Bit by text: all set.
    all: Bits,
    /// Where every 512th text begins, and the end.
    starts: Vec<usize>,
    longest: usize,
    /// How often there is each byte.
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

    /// Which texts have a part.
    pub(crate) fn with(&self, part: &str, level: Level, threads: &Threads) -> Bits {
        let count = self.all.len();
        if part.is_empty() {
            return Bits::ones_of(count);
        }
        if part.len() > self.longest {
            return Bits::zeros(count);
        }
        // The rarest byte first: most often one look is enough.
        let mut order: Vec<(usize, u8)> = part.bytes().enumerate().collect();
        order.sort_by_key(|&(_, byte)| self.frequencies[byte as usize]);
        let find = Find { bytes: &self.bytes, part: &order };
        // AVX-512 as it is asked for here has no instructions for bytes, and does without them what AVX2 does
        // in one.
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
            let mut stretches: Vec<&mut [Block]> = found.chunks_mut(height).collect();
            threads.each(&mut stretches, |part, out| pass(part * height, out));
        }
        Bits::from_blocks(found, count)
    }
}

/// Where a part begins: every byte of it with its place, in the order in which they are looked for.
#[derive(Clone, Copy)]
struct Find<'a> {
    bytes: &'a [u8],
    part: &'a [(usize, u8)],
}

impl Hits for Find<'_> {
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
        fn a_pass_finds_what_a_search_of_each_text_finds(
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
