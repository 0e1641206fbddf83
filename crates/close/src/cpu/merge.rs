//! Merging rows: the part of a context within an extent, with equal rows stored once.
//!
//! Deep in the tree few candidates are left, and large groups of rows have the same ones. An extent below
//! contains either all of these rows or none. Such rows become one row, whose weight is their number
//! of objects. A rival contains the merged row if it contains all of its rows, so the columns of a
//! merged row are the intersection of theirs. LCM calls this database reduction (Uno et al. 2004).
//!
//! Merging takes as long as many steps down the tree, so it pays off only if many steps follow.

use super::base::Base;
use super::equal_rows::{EqualRows, MOST_CANDIDATES};
use super::extent::Extent;
use super::level::Level;
use super::rows::Lists;
use super::slots::Slots;
use super::supports::{SupportMinimum, keep_supported_within};
use super::worker::Worker;
use pellucid_bits::{Block, Simd, as_u32, transpose_64};
use std::sync::Arc;

/// The minimum number of candidates: with fewer, few steps follow.
const LEAST_CANDIDATES: usize = 6;

impl Base {
    /// Returns the merged rows as a base of their own.
    fn merged(&self, equal: &EqualRows, keeps_members: bool) -> Base {
        let (blocks, count) = (self.blocks, equal.distinct.len());
        let mut bits = vec![Block::ONES; count * blocks];
        let mut weights = vec![0; count];
        for (&row, &place) in equal.rows.iter().zip(&equal.places) {
            weights[place as usize] += self.weight(row);
            let to = &mut bits[place as usize * blocks..][..blocks];
            for (to, from) in to.iter_mut().zip(self.bits_of(row)) {
                to.0.iter_mut().zip(&from.0).for_each(|(to, from)| *to &= from);
            }
        }
        let members = keeps_members.then(|| {
            let mut members = vec![Vec::new(); count];
            for (&row, &place) in equal.rows.iter().zip(&equal.places) {
                self.each_original(row, |row| members[place as usize].push(row));
            }
            let mut lists = Lists::default();
            members.into_iter().for_each(|rows| lists.push(rows));
            lists
        });
        Base::of_merged_rows(bits, blocks, weights, members)
    }
}

impl Worker<'_> {
    /// Replaces the rows of a level whose candidates are set by merged rows, if that is likely to
    /// pay off. Returns whether it did.
    #[inline(always)]
    pub(super) fn merge<S: Simd>(
        &mut self,
        simd: S,
        below: &mut Level,
        extent: &Extent,
        slots: &mut Vec<Slots>,
        above: &Level,
    ) -> bool {
        let candidates = below.candidates.len();
        below.searched = above.searched;
        if candidates > MOST_CANDIDATES || !self.base.has_bits() {
            return false;
        }
        let is_due = self.tuning.merge.unwrap_or_else(|| {
            extent.words.len() > 1
                && candidates >= LEAST_CANDIDATES
                && candidates * 4 <= above.searched.saturating_mul(3)
                && self.equal_rows.is_due(candidates)
        });
        if is_due {
            below.searched = candidates;
        }
        is_due && self.merge_now(simd, below, extent, slots, above.slots)
    }

    /// Returns whether many concepts are likely below an extent: whether many candidates would have
    /// enough objects in pairs if they were independent.
    #[inline(always)]
    fn expects_many<S: Simd>(
        &self,
        simd: S,
        below: &Level,
        extent: &Extent,
        slots: &Slots,
    ) -> bool {
        // Two shares of n objects have m objects in common if each has the square root of m n.
        let product = self.min_support.max(1).saturating_mul(extent.support(slots));
        let minimum = SupportMinimum { slots, support: product.isqrt() };
        let mut many = 0;
        for group in 0..below.candidates.groups() {
            let all = (&*extent.words, &*extent.planes);
            let lanes = (below.candidates.len() - group * 8).min(8);
            let frequent = keep_supported_within(simd, &below.candidates, group, all, minimum);
            many += (frequent & u8::MAX >> (8 - lanes)).count_ones() as usize;
        }
        many >= LEAST_CANDIDATES
    }

    #[inline(never)]
    fn merge_now<S: Simd>(
        &mut self,
        simd: S,
        below: &mut Level,
        extent: &Extent,
        slots: &mut Vec<Slots>,
        above: usize,
    ) -> bool {
        let from = &slots[above];
        if self.tuning.merge == Some(true) {
            self.equal_rows.find_all(&below.candidates, extent, from);
        } else {
            let finds = self.expects_many(simd, below, extent, from)
                && self.equal_rows.find(&below.candidates, extent, from);
            self.equal_rows.note(below.candidates.len(), finds);
            if !finds {
                return false;
            }
        }
        let equal = &self.equal_rows;
        let base = slots[above].base.merged(equal, self.pool.terms.extents);
        if slots.len() < above + 2 {
            slots.push(Slots::new(&self.base));
        }
        let to = &mut slots[above + 1];
        to.set_base(Arc::new(base), equal.distinct.len());
        below.slots = above + 1;
        below.set_rows(&equal.distinct);
        below.set_rivals(to, self.min_support);
        below.by_rows = below.words == 1 && below.rivals.len() > self.tuning.rows;
        if below.by_rows {
            below.rivals.forget();
        }
        true
    }
}

impl Level {
    /// Replaces the rows, given the candidates of each.
    fn set_rows(&mut self, rows: &[u64]) {
        let count = self.candidates.len();
        self.words = rows.len().div_ceil(64);
        self.is_thin = false;
        self.candidates.clear(self.words, count);
        for (plane, rows) in rows.chunks(64).enumerate() {
            let mut square = [0; 64];
            square[..rows.len()].copy_from_slice(rows);
            transpose_64(&mut square);
            for (column, &word) in square.iter().enumerate().take(count) {
                *self.candidates.word_mut(plane, column) = word;
            }
        }
    }

    /// Sets the rivals to the columns of the mask that have enough objects. A rival with fewer
    /// contains no extent to list.
    fn set_rivals(&mut self, slots: &Slots, min_support: u64) {
        let Level { mask, rivals, words, .. } = self;
        let words = *words;
        let masks = || mask.iter().flat_map(|block| block.0).enumerate();
        rivals.clear(words, masks().map(|(_, set)| set.count_ones() as usize).sum());
        let mut kept = 0;
        for (number, set) in masks().filter(|&(_, set)| set != 0) {
            let ones = set.count_ones() as usize;
            for (plane, rows) in slots.rows.chunks(64).enumerate() {
                let square = slots.base.columns_of(number, rows);
                for (place, column) in pellucid_bits::words::members(&[set]).enumerate() {
                    *rivals.word_mut(plane, kept + place) = square[column];
                }
            }
            let first = kept;
            for rival in first..first + ones {
                let weigh = |plane| slots.weigh(as_u32(plane), rivals.word(plane, rival));
                if (0..words).map(weigh).sum::<u64>() >= min_support.max(1) {
                    for plane in 0..words {
                        *rivals.word_mut(plane, kept) = rivals.word(plane, rival);
                    }
                    kept += 1;
                }
            }
        }
        rivals.shorten(kept);
        rivals.close(words);
    }
}
