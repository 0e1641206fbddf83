//! The lower neighbors of a concept.
//!
//! Every attribute outside the intent generates a smallest larger intent. It belongs to a lower
//! neighbor if and only if all attributes it adds have the same number of objects in the extent
//! (Lindig 2000).

use crate::bitmap::{Bitmap, common, intersect};
use pellucid_bits::words::{contains, members};

/// Finds lower neighbors, with reusable memory.
pub(super) struct Neighbors<'a> {
    bitmap: &'a Bitmap,
    /// For each attribute, the number of objects of the extent that have it.
    counts: Vec<u64>,
    found: Vec<(Vec<u64>, u64)>,
}

impl Neighbors<'_> {
    pub(super) fn new(bitmap: &Bitmap) -> Neighbors<'_> {
        Neighbors { bitmap, counts: vec![0; bitmap.attributes()], found: Vec::new() }
    }

    /// Finds the lower neighbors whose support satisfies `is_enough`, which must be monotone in the
    /// support.
    pub(super) fn of(&mut self, intent: &[u64], extent: &[u64], is_enough: impl Fn(u64) -> bool) {
        self.found.clear();
        for (attribute, count) in self.counts.iter_mut().enumerate() {
            *count = common(extent, self.bitmap.column(attribute));
        }
        let mut done = intent.to_vec();
        let mut closed = Vec::new();
        for attribute in 0..self.counts.len() {
            let support = self.counts[attribute];
            if contains(&done, attribute) || !is_enough(support) {
                continue;
            }
            let mut below = extent.to_vec();
            intersect(&mut below, self.bitmap.column(attribute));
            self.bitmap.intent_into(&below, intent, &mut closed);
            let added = closed.iter().zip(intent).map(|(c, i)| c & !i).collect::<Vec<_>>();
            if members(&added).all(|other| self.counts[other] == support) {
                // Every attribute that it adds leads to the same neighbor.
                done.iter_mut().zip(&added).for_each(|(done, new)| *done |= new);
                self.found.push((closed.clone(), support));
            }
        }
    }

    /// Returns the neighbors found last: intents and supports.
    pub(super) fn found(&self) -> impl Iterator<Item = (&[u64], u64)> {
        self.found.iter().map(|(intent, support)| (intent.as_slice(), *support))
    }
}
