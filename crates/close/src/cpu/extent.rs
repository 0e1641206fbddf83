//! An extent within a level, word by word.

use super::columns::Columns;
use super::slots::{Slots, Weights};

/// An extent within a level: its nonzero words, and the plane of each.
#[derive(Debug, Default)]
pub(super) struct Extent {
    pub(super) words: Vec<u64>,
    pub(super) planes: Vec<u32>,
}

/// The minimum support of a candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct SupportMinimum<'a> {
    pub(super) slots: &'a Slots,
    pub(super) weights: Weights<'a>,
    pub(super) support: u64,
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
    pub(super) fn support(&self, slots: &Slots, weights: Weights<'_>) -> u64 {
        let mut support = 0;
        for (&plane, &word) in self.planes.iter().zip(&self.words) {
            support += slots.weigh(weights, plane as usize, word);
        }
        support
    }

    /// Returns whether the part of a column within the extent has too few objects.
    #[inline(always)]
    fn has_too_few(&self, columns: &Columns, column: usize, minimum: SupportMinimum<'_>) -> bool {
        // Every bit stands for at least one object.
        let mut bits = 0;
        for (&plane, &word) in self.planes.iter().zip(&self.words) {
            bits += u64::from((columns.word(plane as usize, column) & word).count_ones());
        }
        if bits >= minimum.support || minimum.weights.0.is_empty() {
            return bits < minimum.support;
        }
        let mut support = 0;
        for (&plane, &word) in self.planes.iter().zip(&self.words) {
            let within = columns.word(plane as usize, column) & word;
            support += minimum.slots.weigh(minimum.weights, plane as usize, within);
            if support >= minimum.support {
                return false;
            }
        }
        true
    }
}

/// Returns the columns of a group that have enough objects within an extent.
#[inline(always)]
pub(super) fn keep_supported(
    extent: &Extent,
    columns: &Columns,
    group: usize,
    mut lanes: u8,
    minimum: SupportMinimum<'_>,
) -> u8 {
    let mut left = lanes;
    while left != 0 {
        let lane = left.trailing_zeros() as usize;
        left &= left - 1;
        if extent.has_too_few(columns, group * 8 + lane, minimum) {
            lanes &= !(1 << lane);
        }
    }
    lanes
}

/// Returns the words and planes of an extent, only the first `W` of them unless `W` is zero.
#[inline(always)]
pub(super) fn cut<const W: usize>(extent: &Extent) -> (&[u64], &[u32]) {
    if W == 0 { (&extent.words, &extent.planes) } else { (&extent.words[..W], &extent.planes[..W]) }
}
