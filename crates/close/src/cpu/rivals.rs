//! Tests whether a candidate is new: it is, unless it lies within a rival.
//!
//! The test goes through the rivals, eight at a time. If there are many rivals and few rows, it
//! instead asks whether the rows share a column that is a rival.

use super::columns::Columns;
use super::extent::{Extent, cut};
use super::level::Level;
use super::slots::Slots;
use pellucid_bits::BLOCK_BITS;
use pellucid_bits::Simd;

impl Level {
    /// Makes a candidate that has been tried a rival of all later ones.
    #[inline(always)]
    pub(super) fn add_rival(&mut self, tried: usize) {
        let origin = usize::try_from(self.origins.word(0, tried)).unwrap_or(usize::MAX);
        self.mask[origin / BLOCK_BITS].set(origin % BLOCK_BITS);
    }

    /// Returns whether an extent lies within a column before `tried`.
    #[inline(always)]
    pub(super) fn has_rival_of<S: Simd, const W: usize>(
        &self,
        simd: S,
        tried: usize,
        extent: &Extent,
        slots: &Slots,
    ) -> bool {
        if self.by_rows {
            return slots.base.share_any(simd, &self.mask, &extent.words, &extent.planes, slots);
        }
        let (words, planes) = cut::<W>(extent);
        for group in 0..self.rivals.groups() {
            if containing(simd, &self.rivals, group, words, planes) != 0 {
                return true;
            }
        }
        // Candidates that are not alive lie within earlier ones, so testing them does not change
        // the result.
        for group in 0..tried.div_ceil(8) {
            let before = if tried - group * 8 < 8 { !(u8::MAX << (tried % 8)) } else { u8::MAX };
            if containing(simd, &self.candidates, group, words, planes) & before != 0 {
                return true;
            }
        }
        false
    }

    /// Returns whether an extent lies within a candidate that another worker tries.
    #[inline(always)]
    pub(super) fn lies_within_others<S: Simd>(&self, simd: S, extent: &Extent) -> bool {
        let (start, end) = self.others;
        for group in start / 8..end.div_ceil(8) {
            let mut lanes =
                containing(simd, &self.candidates, group, &extent.words, &extent.planes);
            if group == start / 8 {
                lanes &= u8::MAX << (start % 8);
            }
            if end - group * 8 < 8 {
                lanes &= !(u8::MAX << (end % 8));
            }
            if lanes != 0 {
                return true;
            }
        }
        false
    }

    /// Finds the candidates that are alive. Returns whether there are any.
    #[inline(always)]
    pub(super) fn sift<S: Simd, const W: usize>(&mut self, simd: S) -> bool {
        let words = if W == 0 { self.words } else { W };
        self.rewind();
        self.alive.clear();
        let mut any = 0;
        for group in 0..self.candidates.groups() {
            let mut alive = 0;
            for lane in 0..(self.candidates.len() - group * 8).min(8) {
                let is_new = !self.lies_within_a_rival::<S>(simd, words, group * 8 + lane);
                alive |= u8::from(is_new) << lane;
            }
            self.alive.push(alive);
            any |= alive;
        }
        any != 0
    }

    /// [`Level::sift`] by rows.
    #[inline(always)]
    pub(super) fn sift_by_rows<S: Simd, const W: usize>(
        &mut self,
        simd: S,
        slots: &Slots,
        scratch: &mut Extent,
    ) -> bool {
        self.rewind();
        self.alive.clear();
        let mut any = 0;
        for group in 0..self.candidates.groups() {
            let mut alive = 0;
            for lane in 0..(self.candidates.len() - group * 8).min(8) {
                let is_new = if W == 1 {
                    let word = self.candidates.word(0, group * 8 + lane);
                    !slots.base.share_any(simd, &self.mask, &[word], &[0], slots)
                } else {
                    scratch.of(&self.candidates, self.words, group * 8 + lane);
                    let Extent { words, planes } = &*scratch;
                    !slots.base.share_any(simd, &self.mask, words, planes, slots)
                };
                alive |= u8::from(is_new) << lane;
            }
            self.alive.push(alive);
            any |= alive;
        }
        any != 0
    }

    #[inline(always)]
    fn lies_within_a_rival<S: Simd>(&self, simd: S, words: usize, candidate: usize) -> bool {
        for group in 0..self.rivals.groups() {
            let mut containing = u8::MAX;
            for plane in 0..words {
                let word = simd.splat_word(self.candidates.word(plane, candidate));
                let rival = simd.load(self.rivals.block(plane, group));
                containing &= simd.zero_words(simd.and_not(word, rival));
                if containing == 0 {
                    break;
                }
            }
            if containing != 0 {
                return true;
            }
        }
        false
    }
}

/// Returns the columns of a group that contain all of an extent.
#[inline(always)]
fn containing<S: Simd>(
    simd: S,
    columns: &Columns,
    group: usize,
    words: &[u64],
    planes: &[u32],
) -> u8 {
    let mut containing = u8::MAX;
    for (&word, &plane) in words.iter().zip(planes) {
        let column = simd.load(columns.block(plane as usize, group));
        containing &= simd.zero_words(simd.and_not(simd.splat_word(word), column));
        if containing == 0 {
            break;
        }
    }
    containing
}
