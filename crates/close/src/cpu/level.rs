//! One level of the search: the columns of a context restricted to the objects of one concept.
//!
//! A column is represented by its part within the extent. A column without such a part no longer
//! matters, and a column that contains the whole extent is in the intent. **Candidates** are still
//! to be tried, in order. **Rivals** come before them in the order of attributes. A candidate whose
//! part lies within that of a rival is not new: its closure would contain the rival, so the concept
//! is found where the rival is tried.
//!
//! This single test covers both the canonicity test of Close-by-One and the inheritance of
//! failures. A candidate that lies within a column tried before it does so in every concept below
//! as well, so it is dropped at once, both as a candidate and as a rival.

use super::columns::Columns;
use super::extent::{Extent, cut};
use super::supports::{SupportMinimum, keep_supported};
use pellucid_bits::{Block, Simd, as_u32};

/// The columns within one extent.
#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    /// The number of words of a column.
    pub(super) words: usize,
    pub(super) rivals: Columns,
    pub(super) candidates: Columns,
    /// The tag of each candidate: its attribute, or the key of the attribute if concepts are only
    /// counted.
    pub(super) tags: Columns,
    /// The column of the base for each candidate.
    pub(super) origins: Columns,
    /// The rivals as a set of columns of the base, and whether `rivals` is unused in favor of it.
    pub(super) mask: Vec<Block>,
    pub(super) by_rows: bool,
    /// Whether the columns were released, and the rows at that time.
    pub(super) is_thin: bool,
    pub(super) rows: Vec<u64>,
    /// The candidates, eight per byte, that were not found to lie within an earlier column.
    pub(super) alive: Vec<u8>,
    /// The candidate to try next, and the first one that another worker tries instead.
    pub(super) next: usize,
    pub(super) end: usize,
    /// The candidates before `next` that other workers try, as start and end. A candidate may lie
    /// within one of them without being marked.
    pub(super) others: (usize, usize),
    /// The sum of the keys of the intent.
    pub(super) keys: u64,
    /// The number of attributes of the intent, if concepts are read.
    pub(super) intent: usize,
    /// The index of the slots of the bits.
    pub(super) slots: usize,
    /// The number of candidates when equal rows were searched last.
    pub(super) searched: usize,
}

impl Level {
    /// Returns the next candidate that is alive and marks it as tried.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Option<usize> {
        let mut group = self.next / 8;
        let mut alive = *self.alive.get(group)? & u8::MAX << (self.next % 8);
        while alive == 0 {
            group += 1;
            alive = *self.alive.get(group)?;
        }
        let candidate = group * 8 + alive.trailing_zeros() as usize;
        self.next = candidate + 1;
        (candidate < self.end).then_some(candidate)
    }

    /// Starts with the first candidate. No other worker tries any.
    #[inline(always)]
    pub(super) fn rewind(&mut self) {
        self.next = 0;
        self.end = self.candidates.len();
        self.others = (0, 0);
    }

    /// Marks all candidates as alive.
    pub(super) fn mark_all_alive(&mut self) {
        let candidates = self.candidates.len();
        self.alive.clear();
        self.alive.resize(candidates / 8, u8::MAX);
        if !candidates.is_multiple_of(8) {
            self.alive.push(!(u8::MAX << (candidates % 8)));
        }
        self.rewind();
    }

    /// Writes the candidates after `tried`, restricted to its extent, to `below`. Adds `tried` and
    /// the candidates in the intent of the extent to `joined`, or only sums their keys if concepts
    /// are counted. Candidates within the extent are marked as not alive on this level.
    #[inline(always)]
    pub(super) fn narrow_candidates<S: Simd, const W: usize>(
        &mut self,
        simd: S,
        tried: usize,
        extent: &Extent,
        minimum: Option<SupportMinimum<'_>>,
        below: &mut Level,
        mut joined: Option<&mut Vec<u32>>,
    ) {
        let (words, planes) = cut::<W>(extent);
        let first = (tried + 1) / 8;
        below.candidates.reset(words.len(), self.candidates.len() - first * 8);
        below.tags.reset(1, self.candidates.len() - first * 8);
        below.origins.reset(1, self.candidates.len() - first * 8);
        if let Some(joined) = &mut joined {
            self.push_tags(tried / 8, 1 << (tried % 8), joined);
        }
        let mut sum = simd.splat(false);
        let mut lanes = u8::MAX << ((tried + 1) % 8);
        for group in first..self.candidates.groups() {
            let valid = self.alive[group] & lanes;
            lanes = u8::MAX;
            if valid == 0 {
                continue;
            }
            let (mut within, mut missing, mut outside) =
                (simd.splat(false), simd.splat(false), simd.splat(false));
            for (&word, &plane) in words.iter().zip(planes) {
                let column = simd.load(self.candidates.block(plane as usize, group));
                let word = simd.splat_word(word);
                within = simd.or(within, simd.and(column, word));
                missing = simd.or(missing, simd.and_not(word, column));
                outside = simd.or(outside, simd.and_not(column, word));
            }
            let none = simd.zero_words(within);
            let all = simd.zero_words(missing) & valid;
            let mut inside = simd.zero_words(outside) & valid;
            let mut kept = valid & !none & !all;
            if all != 0 {
                if let Some(joined) = &mut joined {
                    self.push_tags(group, all, joined);
                } else {
                    let tags = simd.load(self.tags.block(0, group));
                    sum = simd.add_words(sum, simd.keep_words(tags, all));
                }
            }
            if self.words > words.len() {
                inside = self.without_other_objects(group, inside, planes);
            }
            self.alive[group] &= !inside;
            if let Some(minimum) = minimum
                && kept != 0
            {
                kept &= keep_supported(simd, &self.candidates, group, (words, planes), minimum);
            }
            if kept == 0 {
                continue;
            }
            for (to, (&word, &plane)) in words.iter().zip(planes).enumerate() {
                let column = simd.load(self.candidates.block(plane as usize, group));
                below.candidates.append(simd, to, simd.and(column, simd.splat_word(word)), kept);
            }
            below.tags.append(simd, 0, simd.load(self.tags.block(0, group)), kept);
            below.origins.append(simd, 0, simd.load(self.origins.block(0, group)), kept);
            let count = kept.count_ones() as usize;
            below.candidates.grow(count);
            below.tags.grow(count);
            below.origins.grow(count);
        }
        if joined.is_none() {
            let tag = self.tags.word(0, tried);
            below.keys = self.keys.wrapping_add(tag).wrapping_add(simd.sum_words(sum));
        }
    }

    /// Appends the tags of some candidates of a group.
    #[inline(always)]
    pub(super) fn push_tags(&self, group: usize, mut lanes: u8, to: &mut Vec<u32>) {
        while lanes != 0 {
            let tag = self.tags.word(0, group * 8 + lanes.trailing_zeros() as usize);
            to.push(u32::try_from(tag).expect("an attribute"));
            lanes &= lanes - 1;
        }
    }

    /// Returns the candidates that have no object in any other plane.
    #[inline(always)]
    fn without_other_objects(&self, group: usize, mut inside: u8, planes: &[u32]) -> u8 {
        let mut left = inside;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let mut known = 0;
            for plane in 0..self.words {
                if planes.get(known) == Some(&as_u32(plane)) {
                    known += 1;
                } else if self.candidates.word(plane, group * 8 + lane) != 0 {
                    inside &= !(1 << lane);
                    break;
                }
            }
        }
        inside
    }

    /// Completes the level `below`, whose candidates are set: adds rivals, unless it tests by rows,
    /// and removes the words that its extent does not need. Returns whether objects were packed
    /// side by side.
    #[inline(always)]
    pub(super) fn narrow<S: Simd, const W: usize>(
        &self,
        simd: S,
        tried: usize,
        extent: &Extent,
        count: usize,
        below: &mut Level,
    ) -> bool {
        if below.by_rows {
            // The level may have been used before, with other rivals over fewer rows.
            below.rivals.forget();
        } else {
            self.narrow_rivals::<S, W>(simd, tried, extent, below);
        }
        below.words = extent.words.len();
        below.is_thin = false;
        below.slots = self.slots;
        let packs = W != 1 && count.div_ceil(64) * 2 <= extent.words.len();
        if packs {
            below.candidates.pack(simd, &extent.words);
            if !below.by_rows {
                below.rivals.pack(simd, &extent.words);
            }
            below.words = count.div_ceil(64);
        }
        packs
    }

    /// Writes all columns before `tried`, restricted to its extent, to the rivals of `below`.
    #[inline(always)]
    fn narrow_rivals<S: Simd, const W: usize>(
        &self,
        simd: S,
        tried: usize,
        extent: &Extent,
        below: &mut Level,
    ) {
        let (words, planes) = cut::<W>(extent);
        below.rivals.reset(words.len(), self.rivals.len() + tried);
        for group in 0..self.rivals.groups() {
            append_within::<S>(
                simd,
                &self.rivals,
                group,
                u8::MAX,
                words,
                planes,
                &mut below.rivals,
            );
        }
        for group in 0..tried.div_ceil(8) {
            let before = if tried - group * 8 < 8 { !(u8::MAX << (tried % 8)) } else { u8::MAX };
            let valid = self.alive[group] & before;
            append_within::<S>(
                simd,
                &self.candidates,
                group,
                valid,
                words,
                planes,
                &mut below.rivals,
            );
        }
        below.rivals.close(words.len());
    }
}

/// Appends the nonempty parts of the columns of a group within an extent.
#[inline(always)]
fn append_within<S: Simd>(
    simd: S,
    columns: &Columns,
    group: usize,
    valid: u8,
    words: &[u64],
    planes: &[u32],
    to: &mut Columns,
) {
    let mut within = simd.splat(false);
    for (&word, &plane) in words.iter().zip(planes) {
        let column = simd.load(columns.block(plane as usize, group));
        within = simd.or(within, simd.and(column, simd.splat_word(word)));
    }
    let kept = !simd.zero_words(within) & valid;
    if kept == 0 {
        return;
    }
    for (place, (&word, &plane)) in words.iter().zip(planes).enumerate() {
        let column = simd.load(columns.block(plane as usize, group));
        to.append(simd, place, simd.and(column, simd.splat_word(word)), kept);
    }
    to.grow(kept.count_ones() as usize);
}
