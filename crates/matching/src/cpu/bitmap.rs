use super::Direct;
use super::planes::{Cover, Planes};
use crate::{CodedExamples, Test, spec};
use pellucid_bits::{BLOCK_BITS, Block, Level, blocks_for, transpose_64};

/// The number of tests that are evaluated on all rows at once.
const TESTS_AT_ONCE: usize = 8;

/// Up to this number of rows per block of 512, rows are tested one by one; a row takes about as
/// long as 48 planes.
const FEW_ROWS: u64 = 6;

/// The conditions that match each of some rows, one bit for each pair. It is stored twice: by
/// condition, as it is computed, and by row, as it is read.
#[derive(Clone, Debug)]
pub(crate) struct Bitmap {
    rows: Vec<u32>,
    planes: Planes,
    /// One block of 512 rows after the other, by condition.
    by_slot: Vec<Block>,
    /// One word for 64 conditions after the other, by row.
    by_row: Vec<u64>,
    words: usize,
    occupied: Vec<u64>,
    covered_rows: Vec<Block>,
}

impl Bitmap {
    /// Creates a bitmap over some rows for a number of slots.
    pub(crate) fn new(examples: &CodedExamples, rows: Vec<u32>, slots: usize) -> Bitmap {
        let (blocks, words) = (blocks_for(rows.len()), slots.div_ceil(64));
        Bitmap {
            planes: Planes::new(examples.domains().len(), blocks),
            by_slot: vec![Block::ZERO; blocks * slots],
            by_row: vec![0; words * rows.len()],
            words,
            occupied: vec![0; words],
            covered_rows: vec![Block::ZERO; blocks],
            rows,
        }
    }

    /// Returns the size of a bitmap in bytes.
    pub(crate) fn bytes(rows: usize, slots: usize) -> usize {
        blocks_for(rows) * (BLOCK_BITS / 8) * slots + slots.div_ceil(64) * 8 * rows
    }

    /// Replaces the rows by as many or fewer others, and matches all conditions with them.
    pub(crate) fn take_rows(
        &mut self,
        level: Level,
        examples: &CodedExamples,
        rows: &[u32],
        conditions: &Direct,
    ) {
        self.rows.clear();
        self.rows.extend_from_slice(rows);
        self.planes.forget();
        self.fill(level, examples, conditions);
    }

    /// Replaces the rows by others whose matches are known: by condition, in words of 64 rows.
    pub(crate) fn take_covered(&mut self, rows: &[u32], covered: &[u64], conditions: &Direct) {
        self.rows.clear();
        self.rows.extend_from_slice(rows);
        self.planes.forget();
        self.by_slot.fill(Block::ZERO);
        self.occupied.fill(0);
        let (blocks, words) = (self.covered_rows.len(), rows.len().div_ceil(64).max(1));
        for (slot, covered) in conditions.taken().zip(covered.chunks(words)) {
            let own = &mut self.by_slot[slot * blocks..(slot + 1) * blocks];
            for (block, words) in own.iter_mut().zip(covered.chunks(8)) {
                block.0[..words.len()].copy_from_slice(words);
            }
            self.occupied[slot / 64] |= 1 << (slot % 64);
        }
        self.transpose(conditions.slots());
    }

    /// Matches all conditions with the rows again.
    pub(crate) fn fill(&mut self, level: Level, examples: &CodedExamples, conditions: &Direct) {
        self.by_slot.fill(Block::ZERO);
        self.occupied.fill(0);
        for slot in conditions.taken() {
            self.cover(level, examples, &conditions.tests(slot));
            let blocks = self.covered_rows.len();
            self.by_slot[slot * blocks..(slot + 1) * blocks].copy_from_slice(&self.covered_rows);
            self.occupied[slot / 64] |= 1 << (slot % 64);
        }
        self.transpose(conditions.slots());
    }

    /// Computes the bits by row from those by condition, in squares of 64.
    fn transpose(&mut self, slots: usize) {
        let blocks = self.covered_rows.len();
        for first in (0..slots).step_by(64) {
            for group in 0..self.rows.len().div_ceil(64) {
                let mut square = [0; 64];
                for (slot, word) in (first..slots.min(first + 64)).zip(&mut square) {
                    *word = self.by_slot[slot * blocks + group / 8].0[group % 8];
                }
                transpose_64(&mut square);
                let rows = &mut self.by_row[group * 64 * self.words..];
                for (row, &word) in rows.chunks_exact_mut(self.words).zip(&square) {
                    row[first / 64] = word;
                }
            }
        }
    }

    /// Finds the rows that a condition matches. After the first tests of a long condition few rows
    /// are left, and these are tested one by one; so most columns need no planes.
    fn cover(&mut self, level: Level, examples: &CodedExamples, tests: &[Test]) {
        for (block, covered_rows) in self.covered_rows.iter_mut().enumerate() {
            *covered_rows = Block::first(self.rows.len().saturating_sub(block * BLOCK_BITS));
        }
        let mut rest = tests;
        while !rest.is_empty() {
            let (some, later) = rest.split_at(rest.len().min(TESTS_AT_ONCE));
            self.planes.prepare(examples, &self.rows, some);
            let (planes, covered) = (&self.planes, &mut self.covered_rows[..]);
            level.run(Cover { planes, domains: examples.domains(), tests: some, covered });
            rest = later;
            if !rest.is_empty() {
                let left: u64 = self.covered_rows.iter().map(Block::count).sum();
                if left <= FEW_ROWS * self.covered_rows.len() as u64 {
                    return self.test_each(examples, rest);
                }
            }
        }
    }

    /// Keeps the rows that satisfy some more tests.
    fn test_each(&mut self, examples: &CodedExamples, tests: &[Test]) {
        for (block, covered_rows) in self.covered_rows.iter_mut().enumerate() {
            let left = *covered_rows;
            for place in pellucid_bits::words::members(&left.0) {
                let row = self.rows[block * BLOCK_BITS + place] as usize;
                if !spec::matches(examples.domains(), tests, examples.row(row)) {
                    covered_rows.0[place / 64] &= !(1 << (place % 64));
                }
            }
        }
    }

    /// Stores a condition in a slot. Only bits that differ from those of the previous condition are
    /// changed.
    pub(crate) fn put(
        &mut self,
        level: Level,
        examples: &CodedExamples,
        slot: usize,
        tests: &[Test],
    ) {
        self.cover(level, examples, tests);
        let (blocks, word, bit) = (self.covered_rows.len(), slot / 64, slot % 64);
        let old = &mut self.by_slot[slot * blocks..(slot + 1) * blocks];
        for (block, (old, new)) in old.iter_mut().zip(&self.covered_rows).enumerate() {
            for (part, (old, new)) in old.0.iter_mut().zip(&new.0).enumerate() {
                let mut changed = *old ^ new;
                while changed != 0 {
                    let row = block * BLOCK_BITS + part * 64 + changed.trailing_zeros() as usize;
                    self.by_row[row * self.words + word] ^= 1 << bit;
                    changed &= changed - 1;
                }
                *old = *new;
            }
        }
        self.occupied[word] |= 1 << bit;
    }

    pub(crate) fn clear(&mut self, slot: usize) {
        self.occupied[slot / 64] &= !(1 << (slot % 64));
    }

    /// Writes the conditions that match the row at a position.
    pub(crate) fn matched(&self, place: usize, into: &mut Vec<u32>) {
        into.clear();
        let row = &self.by_row[place * self.words..(place + 1) * self.words];
        for (word, (bits, occupied)) in row.iter().zip(&self.occupied).enumerate() {
            push_word(bits & occupied, word * 64, into);
        }
    }
}

/// Appends the positions of set bits, ascending.
pub(crate) fn push_members(words: &[u64], first: usize, into: &mut Vec<u32>) {
    for (word, &bits) in words.iter().enumerate() {
        push_word(bits, first + word * 64, into);
    }
}

#[inline(always)]
fn push_word(mut bits: u64, first: usize, into: &mut Vec<u32>) {
    let first = pellucid_bits::as_u32(first);
    while bits != 0 {
        into.push(first + bits.trailing_zeros());
        bits &= bits - 1;
    }
}
