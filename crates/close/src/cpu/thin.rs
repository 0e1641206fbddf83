//! Levels without columns, for searches so deep that the columns of all levels would take too much
//! memory.
//!
//! A level that waits for the levels below it does not need its columns. They can be rebuilt from
//! its rows and candidates. The memory of a deep search therefore grows with the sum of rows and
//! columns per level, not with their product.

use super::level::Level;
use super::slots::Slots;
use super::worker::{Stack, Worker};

impl Level {
    fn bytes(&self) -> usize {
        self.candidates.bytes() + self.rivals.bytes()
    }

    /// Releases the columns.
    fn make_thin(&mut self) {
        if self.is_thin {
            return;
        }
        self.rows.clear();
        for plane in 0..self.words {
            let word = |candidate| self.candidates.word(plane, candidate);
            self.rows.push((0..self.candidates.len()).fold(0, |all, column| all | word(column)));
        }
        self.is_thin = true;
        self.by_rows = true;
        self.candidates.release();
        self.rivals.release();
    }

    /// Rebuilds the columns.
    #[cold]
    pub(super) fn fill(&mut self, slots: &Slots) {
        self.is_thin = false;
        self.candidates.clear(self.words, self.tags.len());
        for (plane, &rows) in self.rows.iter().enumerate() {
            for bit in pellucid_bits::words::members(&[rows]) {
                let row = slots.rows[plane * 64 + bit];
                for candidate in 0..self.tags.len() {
                    let has = slots.base.has(row, self.origins.word(0, candidate));
                    *self.candidates.word_mut(plane, candidate) |= u64::from(has) << bit;
                }
            }
        }
    }
}

impl Worker<'_> {
    /// Bounds the memory of the levels. Called after each step down the tree.
    #[inline(always)]
    pub(super) fn trim(&self, stack: &mut Stack) {
        let most = self.tuning.level_bytes;
        if stack.depth.is_multiple_of(self.tuning.level_check) || most == 0 {
            trim(stack, most);
        }
    }
}

#[inline(never)]
fn trim(stack: &mut Stack, most: usize) {
    let mut bytes: usize = stack.levels.iter().map(Level::bytes).sum();
    if bytes <= most {
        return;
    }
    stack.levels.truncate(stack.depth + 1);
    for level in &mut stack.levels[..stack.depth] {
        bytes -= level.bytes();
        level.make_thin();
        if bytes < most / 2 {
            break;
        }
    }
}
