use super::Direct;
use super::planes::{Cover, Planes};
use crate::{Examples, Test, spec};
use pellucid_bits::{BLOCK_BITS, Block, Level, blocks_for, transpose_64};

/// How many tests are made of all rows at once.
const AT_ONCE: usize = 8;

/// So few rows of 512 are better tested one by one: a row takes as long as 48 planes or so.
const FEW: u64 = 6;

/// Who matches which of some rows, a bit for each, kept both ways: by condition, as it is computed, and by
/// row, as it is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Bitmap {
    rows: Vec<u32>,
    planes: Planes,
    /// By condition: a block for every 512 rows.
    by_slot: Vec<Block>,
    /// By row: a word for every 64 conditions.
    by_row: Vec<u64>,
    words: usize,
    taken: Vec<u64>,
    fresh: Vec<Block>,
}

impl Bitmap {
    /// A bitmap over some rows for so many hooks.
    pub(crate) fn new(examples: &Examples, rows: Vec<u32>, slots: usize) -> Bitmap {
        let (blocks, words) = (blocks_for(rows.len()), slots.div_ceil(64));
        Bitmap {
            planes: Planes::new(examples.domains().len(), blocks),
            by_slot: vec![Block::ZERO; blocks * slots],
            by_row: vec![0; words * rows.len()],
            words,
            taken: vec![0; words],
            fresh: vec![Block::ZERO; blocks],
            rows,
        }
    }

    /// The memory a bitmap takes, in bytes.
    pub(crate) fn bytes(rows: usize, slots: usize) -> usize {
        blocks_for(rows) * (BLOCK_BITS / 8) * slots + slots.div_ceil(64) * 8 * rows
    }

    /// Takes other rows, as many as before or fewer, and holds all conditions against them.
    pub(crate) fn take_rows(
        &mut self,
        level: Level,
        examples: &Examples,
        rows: &[u32],
        conditions: &Direct,
    ) {
        self.rows.clear();
        self.rows.extend_from_slice(rows);
        self.planes.forget();
        self.fill(level, examples, conditions);
    }

    /// Takes other rows whose matches are known: by condition, words of 64 rows.
    pub(crate) fn take_covered(&mut self, rows: &[u32], covered: &[u64], conditions: &Direct) {
        self.rows.clear();
        self.rows.extend_from_slice(rows);
        self.planes.forget();
        self.by_slot.fill(Block::ZERO);
        self.taken.fill(0);
        let (blocks, words) = (self.fresh.len(), rows.len().div_ceil(64).max(1));
        for (slot, covered) in conditions.taken().zip(covered.chunks(words)) {
            let own = &mut self.by_slot[slot * blocks..(slot + 1) * blocks];
            for (block, words) in own.iter_mut().zip(covered.chunks(8)) {
                block.0[..words.len()].copy_from_slice(words);
            }
            self.taken[slot / 64] |= 1 << (slot % 64);
        }
        self.turn(conditions.slots());
    }

    /// Holds all conditions against the rows, anew.
    pub(crate) fn fill(&mut self, level: Level, examples: &Examples, conditions: &Direct) {
        self.by_slot.fill(Block::ZERO);
        self.taken.fill(0);
        for slot in conditions.taken() {
            self.cover(level, examples, &conditions.tests(slot));
            let blocks = self.fresh.len();
            self.by_slot[slot * blocks..(slot + 1) * blocks].copy_from_slice(&self.fresh);
            self.taken[slot / 64] |= 1 << (slot % 64);
        }
        self.turn(conditions.slots());
    }

    /// The bits by row from those by condition, in squares of 64.
    fn turn(&mut self, slots: usize) {
        let blocks = self.fresh.len();
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

    /// Finds which rows a condition matches. A condition that names very many columns has few rows left after
    /// the first of them, and those are tested one by one: then most columns are never laid out.
    fn cover(&mut self, level: Level, examples: &Examples, tests: &[Test]) {
        for (block, fresh) in self.fresh.iter_mut().enumerate() {
            *fresh = Block::first(self.rows.len().saturating_sub(block * BLOCK_BITS));
        }
        let mut rest = tests;
        while !rest.is_empty() {
            let (some, later) = rest.split_at(rest.len().min(AT_ONCE));
            self.planes.prepare(examples, &self.rows, some);
            let (planes, covered) = (&self.planes, &mut self.fresh[..]);
            level.run(Cover { planes, domains: examples.domains(), tests: some, covered });
            rest = later;
            if !rest.is_empty() {
                let left: u64 = self.fresh.iter().map(Block::count).sum();
                if left <= FEW * self.fresh.len() as u64 {
                    return self.test_each(examples, rest);
                }
            }
        }
    }

    /// Leaves those of the rows that satisfy some more tests.
    fn test_each(&mut self, examples: &Examples, tests: &[Test]) {
        for (block, fresh) in self.fresh.iter_mut().enumerate() {
            let left = *fresh;
            for place in pellucid_bits::words::members(&left.0) {
                let row = self.rows[block * BLOCK_BITS + place] as usize;
                if !spec::matches(examples.domains(), tests, examples.row(row)) {
                    fresh.0[place / 64] &= !(1 << (place % 64));
                }
            }
        }
    }

    /// Puts a condition on a hook; only bits that differ from those of the one before are touched.
    pub(crate) fn put(&mut self, level: Level, examples: &Examples, slot: usize, tests: &[Test]) {
        self.cover(level, examples, tests);
        let (blocks, word, bit) = (self.fresh.len(), slot / 64, slot % 64);
        let old = &mut self.by_slot[slot * blocks..(slot + 1) * blocks];
        for (block, (old, new)) in old.iter_mut().zip(&self.fresh).enumerate() {
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
        self.taken[word] |= 1 << bit;
    }

    pub(crate) fn clear(&mut self, slot: usize) {
        self.taken[slot / 64] &= !(1 << (slot % 64));
    }

    /// Who matches the row at a place among those taken.
    pub(crate) fn matched(&self, place: usize, into: &mut Vec<u32>) {
        into.clear();
        let row = &self.by_row[place * self.words..(place + 1) * self.words];
        for (word, (bits, taken)) in row.iter().zip(&self.taken).enumerate() {
            push_word(bits & taken, word * 64, into);
        }
    }
}

/// Adds the places of set bits, ascending.
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
