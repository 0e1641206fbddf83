//! Literals within a region of the examples.
//!
//! Only the examples of the region are kept, and of literals that agree on them, also up to complement,
//! only the shortest ones. Fewer and shorter rows make the search for pairs several times faster.

use super::literals::Literals;
use super::pairs::PairObjective;
use pellucid_bits::{Block, Kernel, Level, Simd};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

/// A literal of a given form, and the length of its expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SignedLiteral {
    pub(super) length: u32,
    /// The number of the literal, and whether it is negated.
    pub(super) literal: (u32, bool),
}

/// The distinct rows of literals within a region.
pub(super) struct RegionLiterals {
    /// The number of words of positive examples, and of all examples.
    pub(super) split: usize,
    /// All examples.
    all: Vec<u64>,
    rows: Vec<u64>,
    /// The literals of each row: the shortest one that covers it, and the shortest one that covers its
    /// complement; in a tie, the first one.
    forms: Vec<[Option<SignedLiteral>; 2]>,
    /// Eight rows side by side, word by word.
    columns: Vec<Block>,
}

impl RegionLiterals {
    /// Restricts literals to the region of an objective.
    pub(super) fn new(
        literals: &Literals,
        objective: &PairObjective<'_>,
        split: usize,
        level: Level,
    ) -> RegionLiterals {
        let region = objective.region;
        let all = level.run(PackRows { rows: region, region, split });
        let words = all.len();
        let packed = level.run(PackRows { rows: literals.rows(), region, split });
        let mut found = RegionLiterals {
            split: ones(&region[..split]).div_ceil(64),
            all,
            rows: Vec::new(),
            forms: Vec::new(),
            columns: Vec::new(),
        };
        if words == 0 {
            return found;
        }
        // If two hashes are equal by chance, equal rows may be kept, which only takes time.
        let mut known: FxHashMap<u64, usize> = FxHashMap::default();
        let mut key = Vec::with_capacity(words);
        for (number, row) in (0u32..).zip(packed.chunks_exact(words)) {
            // Of two complementary rows, the one without the first example represents both.
            let flipped = row[0] & 1 == 1;
            key.clear();
            key.extend(
                row.iter()
                    .zip(&found.all)
                    .map(|(row, all)| if flipped { all & !row } else { *row }),
            );
            let hash = FxBuildHasher.hash_one(&key);
            let same = known.get(&hash).copied().filter(|&at| found.row(at) == key);
            let at = same.unwrap_or_else(|| {
                known.insert(hash, found.forms.len());
                found.rows.extend(&key);
                found.forms.push([None, None]);
                found.forms.len() - 1
            });
            for negative in [false, true] {
                // A part that will be negated needs the opposite form.
                let form = negative != objective.negated;
                if literals.has(number, form) {
                    let length = literals.length(number, form);
                    let literal = SignedLiteral { length, literal: (number, negative) };
                    let shortest = &mut found.forms[at][usize::from(negative != flipped)];
                    *shortest = Some(shortest.map_or(literal, |shortest| shortest.min(literal)));
                }
            }
        }
        found.columns = vec![Block::ZERO; found.len().div_ceil(8) * words];
        for (at, row) in found.rows.chunks_exact(words).enumerate() {
            for (word, &bits) in row.iter().enumerate() {
                found.columns[at / 8 * words + word].0[at % 8] = bits;
            }
        }
        found
    }

    /// The number of distinct rows.
    pub(super) fn len(&self) -> usize {
        self.forms.len()
    }

    /// All examples of the region.
    pub(super) fn all(&self) -> &[u64] {
        &self.all
    }

    /// The examples of a row.
    pub(super) fn row(&self, at: usize) -> &[u64] {
        &self.rows[at * self.all.len()..][..self.all.len()]
    }

    /// Returns the shortest literal that covers a row or its complement.
    pub(super) fn form(&self, at: usize, complement: bool) -> Option<SignedLiteral> {
        self.forms[at][usize::from(complement)]
    }

    /// The first rows, eight side by side.
    pub(super) fn columns(&self, rows: usize) -> &[Block] {
        &self.columns[..rows.div_ceil(8) * self.all.len()]
    }
}

fn ones(words: &[u64]) -> usize {
    words.iter().map(|word| word.count_ones() as usize).sum()
}

/// Keeps the bits of a region in each row. Bits from word `split` on start at a word of their own.
struct PackRows<'a> {
    rows: &'a [u64],
    region: &'a [u64],
    split: usize,
}

impl Kernel for PackRows<'_> {
    type Output = Vec<u64>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Vec<u64> {
        let PackRows { rows, region, split } = self;
        let mut packed = Vec::with_capacity(rows.len());
        let (first, second) = region.split_at(split);
        for row in rows.chunks_exact(region.len().max(1)) {
            let (left, right) = row.split_at(split);
            pack(simd, left, first, &mut packed);
            pack(simd, right, second, &mut packed);
        }
        packed
    }
}

/// Appends the bits of a row that are in a mask, starting at a new word.
#[inline(always)]
fn pack<S: Simd>(simd: S, row: &[u64], mask: &[u64], packed: &mut Vec<u64>) {
    let (mut word, mut filled) = (0, 0);
    for (&bits, &mask) in row.iter().zip(mask) {
        let (kept, count) = (simd.pack_bits(bits, mask), mask.count_ones());
        word |= kept << filled;
        if filled + count >= 64 {
            packed.push(word);
            word = if filled == 0 { 0 } else { kept >> (64 - filled) };
            filled = filled + count - 64;
        } else {
            filled += count;
        }
    }
    if filled > 0 {
        packed.push(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::instant::rows::ExampleLayout;
    use proptest::prelude::*;

    proptest! {
        /// Every level packs the bits that a plain loop finds.
        #[test]
        fn packed_rows_have_the_bits_of_the_region(
            rows in prop::collection::vec(prop::collection::vec(any::<u64>(), 6), 1..5),
            region in prop::collection::vec(any::<u64>(), 6),
            split in 0usize..=6,
        ) {
            let bits = |words: &[u64], range: std::ops::Range<usize>| -> Vec<bool> {
                let all = range.flat_map(|word| (0..64).map(move |bit| (word, bit)));
                let inside = all.filter(|&(word, bit)| region[word] >> bit & 1 == 1);
                inside.map(|(word, bit)| words[word] >> bit & 1 == 1).collect()
            };
            let mut expected = Vec::new();
            for row in &rows {
                for part in [0..split, split..6] {
                    let pack = |bits: &[bool]| {
                        bits.iter().rev().fold(0u64, |word, &bit| word << 1 | u64::from(bit))
                    };
                    expected.extend(bits(row, part).chunks(64).map(pack));
                }
            }
            let rows = rows.concat();
            for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
                let packed = level.run(PackRows { rows: &rows, region: &region, split });
                prop_assert_eq!(&packed, &expected, "{}", level);
            }
        }

        #[test]
        fn literals_that_agree_within_the_region_are_one_row(
            rows in prop::collection::vec(prop::collection::vec(any::<bool>(), 9), 1..40),
            region in prop::collection::vec(any::<bool>(), 9),
            positives in 0usize..=9,
        ) {
            let layout = ExampleLayout { positives, negatives: 9 - positives };
            let pack = |bits: &[bool]| {
                let mut words = vec![0; layout.words()];
                for at in (0..9).filter(|&at| bits[at]) {
                    let (word, bit) = layout.position(at);
                    words[word] |= bit;
                }
                words
            };
            let packed_rows = rows.iter().map(|row| pack(row)).collect();
            let literals = Literals::plain(layout, packed_rows, &vec![[Some(1); 2]; rows.len()]);
            let packed = pack(&region);
            let objective =
                PairObjective { region: &packed, weights: [1, -1], least: 1, negated: false };
            let found = RegionLiterals::new(&literals, &objective, layout.split(), Level::best());
            let inside = |row: &[bool]| -> Vec<bool> {
                (0..9).filter(|&at| region[at]).map(|at| row[at]).collect()
            };
            let kept: Vec<Vec<bool>> = rows.iter().map(|row| inside(row)).collect();
            let flipped = |row: &[bool]| row.iter().map(|bit| !bit).collect::<Vec<bool>>();
            let mut distinct: Vec<&Vec<bool>> = Vec::new();
            for row in kept.iter().filter(|row| !row.is_empty()) {
                if !distinct.iter().any(|&other| other == row || *other == flipped(row)) {
                    distinct.push(row);
                }
            }
            prop_assert_eq!(found.len(), distinct.len());
            for (at, row) in distinct.into_iter().enumerate() {
                // Of literals that cover the same, the first is kept.
                for complement in [false, true] {
                    let (number, negated) = found.form(at, complement).expect("both exist").literal;
                    let covers = |number: usize, negated: bool| -> Vec<bool> {
                        kept[number].iter().map(|&bit| bit != negated).collect()
                    };
                    let covered = covers(number as usize, negated);
                    prop_assert!(&covered == row || covered == flipped(row));
                    let is_first = (0..number as usize)
                        .all(|before| [false, true].iter().all(|&sign| covers(before, sign) != covered));
                    prop_assert!(is_first);
                }
            }
        }
    }
}
