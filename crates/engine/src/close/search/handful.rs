//! Extents of a handful of rows: no tree is needed.
//!
//! Below a concept of at most eight rows every extent is a byte. The extents there are all the intersections of candidates' bytes,
//! each new exactly if it lies within no rival; in which order the candidates come no longer matters. So the intersections
//! are made one candidate after the other, and each is looked at once.

use super::level::{Extent, Level};
use super::slots::Slots;
use super::worker::Worker;
use crate::close::Visitor;
use crate::cpu::Simd;

/// The most rows.
pub(super) const MOST: usize = 8;

/// A concept of a handful of rows: the level where a candidate made it, and below it the candidates that are left, packed.
pub(super) struct Handful<'a> {
    pub(super) level: &'a Level,
    pub(super) below: &'a Level,
    pub(super) tried: usize,
    pub(super) extent: &'a Extent,
    pub(super) slots: &'a Slots,
}

/// A set of bytes.
#[derive(Default)]
struct Bytes([u64; 4]);

impl Bytes {
    /// Puts a byte in, and says whether it was not there.
    #[inline(always)]
    fn insert(&mut self, byte: u64) -> bool {
        let (word, bit) = (&mut self.0[(byte >> 6 & 3) as usize], 1 << (byte & 63));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    #[inline(always)]
    fn has(&self, byte: u64) -> bool {
        self.0[(byte >> 6 & 3) as usize] >> (byte & 63) & 1 == 1
    }
}

impl<V: Visitor> Worker<'_, V> {
    /// Lists all concepts below one of a handful of rows.
    #[inline(always)]
    pub(super) fn list_handful<S: Simd, const W: usize>(
        &mut self,
        simd: S,
        within: Handful<'_>,
        count: usize,
    ) {
        let candidates = &within.below.candidates;
        let mut extents = [0u8; 256];
        extents[0] = u8::MAX >> (MOST - count);
        let mut len = 1;
        let mut seen = Bytes::default();
        seen.insert(0);
        seen.insert(u64::from(extents[0]));
        for candidate in 0..candidates.len() {
            let column = candidates.word(0, candidate);
            if seen.has(column) {
                continue;
            }
            for known in 0..len {
                let extent = column & u64::from(extents[known]);
                if !seen.insert(extent) {
                    continue;
                }
                if self.list_if_new::<S, W>(simd, &within, extent) {
                    extents[len] = extent.to_le_bytes()[0];
                    len += 1;
                } else if known == 0 {
                    // The column lies within a rival, and so does everything within the column.
                    break;
                }
            }
        }
    }

    #[inline(always)]
    fn list_if_new<S: Simd, const W: usize>(
        &mut self,
        simd: S,
        within: &Handful<'_>,
        packed: u64,
    ) -> bool {
        let Handful { level, below, tried, extent: outer, slots } = *within;
        let extent = &mut self.scratch;
        extent.spread(simd, outer, packed);
        if level.has_rival_of::<S, W>(simd, tried, extent, self.base, slots) {
            return false;
        }
        if self.min_support > 1 && extent.support(slots, self.base.weights()) < self.min_support {
            return false;
        }
        let mut sum = simd.splat(false);
        self.listing.back_to(below.intent);
        let mut lanes = below.candidates.len();
        for group in 0..below.candidates.groups() {
            let column = simd.load(below.candidates.block(0, group));
            let mut all = simd.zero_words(simd.and_not(simd.splat_word(packed), column));
            if lanes < 8 {
                all &= !(u8::MAX << lanes);
            }
            lanes = lanes.saturating_sub(8);
            if V::LOOKS {
                below.push_tags(group, all, &mut self.listing.attributes);
            } else {
                let tags = simd.load(below.tags.block(0, group));
                sum = simd.add_words(sum, simd.keep_words(tags, all));
            }
        }
        let keys = if V::LOOKS { 0 } else { below.keys.wrapping_add(simd.sum_words(sum)) };
        self.listing.list(keys, below.intent, &self.scratch, slots);
        true
    }
}
