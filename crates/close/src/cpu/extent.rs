//! An extent within a level, word by word.

use super::columns::Columns;
use super::slots::Slots;

/// An extent within a level: its nonzero words, and the plane of each.
#[derive(Debug, Default)]
pub(super) struct Extent {
    pub(super) words: Vec<u64>,
    pub(super) planes: Vec<u32>,
}

impl Extent {
    #[inline(always)]
    pub(super) fn of(&mut self, columns: &Columns, words: usize, column: usize) {
        self.words.clear();
        self.planes.clear();
        for (plane, number) in (0..words).zip(0u32..) {
            let word = columns.word(plane, column);
            if word != 0 {
                self.words.push(word);
                self.planes.push(number);
            }
        }
    }

    /// Returns the number of slots.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        let mut count = 0;
        for word in &self.words {
            count += word.count_ones() as usize;
        }
        count
    }

    /// Returns the number of objects.
    #[inline(always)]
    pub(super) fn support(&self, slots: &Slots) -> u64 {
        let mut support = 0;
        for (&plane, &word) in self.planes.iter().zip(&self.words) {
            support += slots.weigh(plane, word);
        }
        support
    }
}

/// Returns the words and planes of an extent, only the first `W` of them unless `W` is zero.
#[inline(always)]
pub(super) fn cut<const W: usize>(extent: &Extent) -> (&[u64], &[u32]) {
    if W == 0 { (&extent.words, &extent.planes) } else { (&extent.words[..W], &extent.planes[..W]) }
}
