//! Finds equal rows of an extent: rows with the same remaining candidates.

use super::columns::Columns;
use super::extent::Extent;
use super::slots::Slots;
use pellucid_bits::{as_u32, transpose_64};
use std::ops::Range;

/// The maximum number of candidates: those of a row must fit into a word.
pub(super) const MOST_CANDIDATES: usize = 64;

/// The maximum number of searches to skip after one that found nothing, as a power of two.
const MOST_SKIPPED: u32 = 6;

/// The distinct rows of an extent, with scratch memory to find them.
#[derive(Debug)]
pub(super) struct EqualRows {
    /// The candidates of each distinct row.
    pub(super) distinct: Vec<u64>,
    /// The rows with at least one candidate, and the distinct row of each.
    pub(super) rows: Vec<u32>,
    pub(super) places: Vec<u32>,
    /// A hash table of distinct rows, counted from 1; 0 is free.
    table: Vec<u32>,
    /// By number of candidates: how many searches in a row found nothing, and how many to skip.
    fruitless: [(u32, u32); MOST_CANDIDATES + 1],
}

impl Default for EqualRows {
    fn default() -> EqualRows {
        EqualRows {
            distinct: Vec::new(),
            rows: Vec::new(),
            places: Vec::new(),
            table: Vec::new(),
            fruitless: [(0, 0); MOST_CANDIDATES + 1],
        }
    }
}

impl EqualRows {
    /// Returns whether to search with this number of candidates. The more searches found
    /// nothing, the fewer follow.
    #[inline(always)]
    pub(super) fn is_due(&mut self, candidates: usize) -> bool {
        let (_, skipped) = &mut self.fruitless[candidates];
        let is_due = *skipped == 0;
        *skipped = skipped.saturating_sub(1);
        is_due
    }

    /// Records whether a search with this number of candidates found equal rows.
    pub(super) fn note(&mut self, candidates: usize, finds: bool) {
        let (times, skipped) = &mut self.fruitless[candidates];
        *times = if finds { 0 } else { (*times + 1).min(MOST_SKIPPED) };
        *skipped = if finds { 0 } else { 1 << *times };
    }

    /// Finds the distinct rows of an extent with the given candidates. Returns whether there
    /// are at most half as many.
    pub(super) fn find(&mut self, candidates: &Columns, extent: &Extent, slots: &Slots) -> bool {
        if is_sample_distinct(candidates, extent) {
            return false;
        }
        self.find_all(candidates, extent, slots);
        self.distinct.len() * 2 <= extent.count()
    }

    /// Finds the distinct rows of an extent.
    pub(super) fn find_all(&mut self, candidates: &Columns, extent: &Extent, slots: &Slots) {
        let size = (extent.count() * 2).next_power_of_two().max(64);
        self.table.clear();
        self.table.resize(size, 0);
        self.distinct.clear();
        self.rows.clear();
        self.places.clear();
        let per_square = planes_per_square(candidates);
        let mut square = [0; 64];
        for (place, (&plane, &word)) in extent.planes.iter().zip(&extent.words).enumerate() {
            if place % per_square == 0 {
                let planes = place..(place + per_square).min(extent.words.len());
                square = rows_of_planes(candidates, planes);
            }
            let width = 64 / per_square;
            let (shift, mask) = (place % per_square * width, u64::MAX >> (64 - width));
            let rows = &slots.rows[plane as usize * 64..];
            let mut left = word;
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                let row = square[bit] >> shift & mask;
                // A row without candidates is in no extent below.
                if row != 0 {
                    let distinct = self.place_of(row);
                    self.rows.push(rows[bit]);
                    self.places.push(distinct);
                }
            }
        }
    }

    /// Returns the distinct row with these candidates.
    #[inline(always)]
    fn place_of(&mut self, candidates: u64) -> u32 {
        let size = self.table.len();
        let hash = candidates.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - size.trailing_zeros());
        let mut at = usize::try_from(hash).unwrap_or_default();
        loop {
            let known = self.table[at];
            if known == 0 {
                self.distinct.push(candidates);
                let number = as_u32(self.distinct.len());
                self.table[at] = number;
                return number - 1;
            }
            if self.distinct[known as usize - 1] == candidates {
                return known - 1;
            }
            at = (at + 1) & (size - 1);
        }
    }
}

/// Returns whether nearly all rows of a word in the middle of an extent differ. Equal rows are often
/// neighbors, because rows are sorted by their last columns.
fn is_sample_distinct(candidates: &Columns, extent: &Extent) -> bool {
    let place = extent.words.len() / 2;
    let mut rows = rows_of_planes(candidates, place..place + 1);
    let (mut count, mut left) = (0, extent.words[place]);
    while left != 0 {
        rows[count] = rows[left.trailing_zeros() as usize];
        count += 1;
        left &= left - 1;
    }
    let rows = &mut rows[..count];
    rows.sort_unstable();
    let distinct = rows.chunk_by(|a, b| a == b).count();
    distinct * 16 > count * 15
}

/// Returns the number of planes whose candidates fit side by side into a word: 1, 2, 4 or 8.
fn planes_per_square(candidates: &Columns) -> usize {
    64 / candidates.len().next_power_of_two().max(8)
}

/// Returns the candidates of each of 64 rows of several planes, side by side, so that one
/// transposition serves them all.
fn rows_of_planes(candidates: &Columns, planes: Range<usize>) -> [u64; 64] {
    let width = 64 / planes_per_square(candidates);
    let mut square = [0; 64];
    for (columns, plane) in square.chunks_mut(width).zip(planes) {
        for (column, word) in columns.iter_mut().enumerate().take(candidates.len()) {
            *word = candidates.word(plane, column);
        }
    }
    transpose_64(&mut square);
    square
}
