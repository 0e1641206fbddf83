//! Computes the covering relation.
//!
//! For a concept (A, B) and an attribute m outside B, the objects of A that have m are the extent
//! of a lower concept D. D is a lower neighbor if and only if *every* attribute in D's intent but
//! not in B leads to D. So the algorithm counts the attributes that lead to each D and compares the
//! count with the difference in intent size.
//!
//! D is found without computing a closure. Every row has a random key, and the hash of an extent is
//! the sum of its keys. One pass over the rows of A adds each key to the sums of the attributes the
//! row has; the sum of m is then the hash of D. The [`IntentTable`] guarantees that listed concepts
//! have distinct hashes. The result is also checked against B and m: a D that has them all is below
//! the extent of m, which is then large enough to be listed. So the result is exact for iceberg
//! lattices too.
//!
//! Most concepts have few rows. For up to 64 rows the keys are single bits: the sums are then sets
//! of rows, the maximal ones are the lower neighbors, and only those are looked up.

use super::incidence::{Incidence, RowExtent};
use super::links::ConceptLinks;
use super::share::share;
use super::table::IntentTable;
use pellucid_bits::words::{contains, is_subset, members, words_for};
use std::sync::atomic::{AtomicU64, Ordering};

/// The search for the covering relation of the listed concepts.
pub(super) struct CoverSearch<'a> {
    pub(super) incidence: &'a Incidence,
    pub(super) keys: &'a [u64],
    pub(super) table: &'a IntentTable,
    pub(super) intents: &'a [u64],
    pub(super) sizes: &'a [u32],
    /// The last concept, if its extent is empty.
    pub(super) empty: Option<u32>,
}

/// The working memory of a thread.
struct Scratch {
    extent: RowExtent,
    /// For each attribute, the hash of the extent it leads to.
    sums: Vec<u64>,
    met: Vec<u64>,
    /// For each concept, the number of attributes that lead to it.
    lead_counts: Vec<u32>,
    /// The maximal sets of rows so far, each with an attribute that leads to it.
    largest: Vec<(u64, usize)>,
    below: Vec<u32>,
}

impl CoverSearch<'_> {
    /// Returns the lower neighbors of every concept, ascending; `None` if stopped. `progress` counts
    /// the concepts that are done.
    pub(super) fn lower(
        &self,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
        progress: Option<&AtomicU64>,
    ) -> Option<ConceptLinks> {
        let width = words_for(self.incidence.attributes());
        let scratch = || Scratch {
            extent: RowExtent::default(),
            sums: vec![0; width * 64],
            met: vec![0; width],
            lead_counts: vec![0; self.sizes.len()],
            largest: Vec::new(),
            below: Vec::new(),
        };
        let parts = share(threads, self.sizes.len(), stop, scratch, |scratch, range| {
            let mut links = ConceptLinks::new();
            let count = range.len() as u64;
            for concept in range {
                self.lower_of(concept, scratch);
                links.push(scratch.below.drain(..));
            }
            if let Some(progress) = progress {
                progress.fetch_add(count, Ordering::Relaxed);
            }
            links
        })?;
        Some(parts.iter().fold(ConceptLinks::new(), |mut all, part| {
            all.append(part);
            all
        }))
    }

    fn intent(&self, concept: usize) -> &[u64] {
        let width = words_for(self.incidence.attributes());
        &self.intents[concept * width..][..width]
    }

    fn lower_of(&self, concept: usize, scratch: &mut Scratch) {
        let intent = self.intent(concept);
        self.incidence.extent(intent, &mut scratch.extent);
        if scratch.extent.rows.len() <= 64 {
            self.lower_of_few(concept, scratch);
        } else {
            self.lower_of_many(concept, scratch);
        }
        // Attributes that no object here has lead to the empty extent, which is below all others.
        let is_last = scratch.met.iter().all(|&word| word == 0);
        match self.empty {
            Some(empty) if is_last && empty as usize != concept => scratch.below.push(empty),
            _ => {}
        }
        scratch.met.fill(0);
        scratch.below.sort_unstable();
    }

    /// Finds the lower neighbors of a concept with at most 64 rows, using sets of rows.
    fn lower_of_few(&self, concept: usize, scratch: &mut Scratch) {
        let Scratch { extent, sums, met, largest, below, .. } = scratch;
        let intent = self.intent(concept);
        // Sums of distinct bits are sets.
        let bits = extent.rows.iter().enumerate().map(|(bit, &row)| (row, 1 << bit));
        self.incidence.add_keys(bits, intent, sums, met);
        largest.clear();
        for attribute in members(met) {
            let set = std::mem::take(&mut sums[attribute]);
            if largest.iter().all(|&(other, _)| set & !other != 0) {
                largest.retain(|&(other, _)| other & !set != 0);
                largest.push((set, attribute));
            }
        }
        for &(set, attribute) in &*largest {
            let mut hash = 0u64;
            let mut left = set;
            while left != 0 {
                let row = extent.rows[left.trailing_zeros() as usize];
                hash = hash.wrapping_add(self.keys[row as usize]);
                left &= left - 1;
            }
            below.extend(self.concept_below(intent, attribute, hash));
        }
    }

    /// Finds the lower neighbors of a concept with any number of rows, by counting attributes.
    fn lower_of_many(&self, concept: usize, scratch: &mut Scratch) {
        let Scratch { extent, sums, met, lead_counts, below, .. } = scratch;
        let intent = self.intent(concept);
        let keys = extent.rows.iter().map(|&row| (row, self.keys[row as usize]));
        self.incidence.add_keys(keys, intent, sums, met);
        for attribute in members(met) {
            let hash = std::mem::take(&mut sums[attribute]);
            if let Some(other) = self.concept_below(intent, attribute, hash) {
                if lead_counts[other as usize] == 0 {
                    below.push(other);
                }
                lead_counts[other as usize] += 1;
            }
        }
        below.retain(|&other| {
            let leads = std::mem::take(&mut lead_counts[other as usize]);
            leads == self.sizes[other as usize] - self.sizes[concept]
        });
    }

    /// Returns the concept that an attribute leads to, if it is listed.
    fn concept_below(&self, intent: &[u64], attribute: usize, hash: u64) -> Option<u32> {
        let other = self.table.get(hash)?;
        let closed = self.intent(other as usize);
        (contains(closed, attribute) && is_subset(intent, closed)).then_some(other)
    }
}
