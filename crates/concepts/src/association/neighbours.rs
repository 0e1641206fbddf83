//! The neighbours below an intent: the next larger intents, with nothing in between.
//!
//! For every attribute that is not in the intent there is a smallest intent with both. It is a neighbour exactly if all that it
//! brings in leaves the same number of objects (Lindig 2000): an attribute that leaves more leads to something in
//! between.

use crate::bitmap::{Bitmap, common, intersect};
use pellucid_bits::words::{contains, members};

/// Finds neighbours, and keeps the memory for it.
pub(super) struct Neighbours<'a> {
    bitmap: &'a Bitmap,
    /// For each attribute how many objects of the extent have it.
    counts: Vec<u64>,
    found: Vec<(Vec<u64>, u64)>,
}

impl Neighbours<'_> {
    pub(super) fn new(bitmap: &Bitmap) -> Neighbours<'_> {
        Neighbours { bitmap, counts: vec![0; bitmap.attributes()], found: Vec::new() }
    }

    /// Finds the neighbours below a concept that have as many objects as wanted. What is wanted must be wanted of more
    /// objects too.
    pub(super) fn of(&mut self, intent: &[u64], extent: &[u64], wanted: impl Fn(u64) -> bool) {
        self.found.clear();
        for (attribute, count) in self.counts.iter_mut().enumerate() {
            *count = common(extent, self.bitmap.column(attribute));
        }
        let mut done = intent.to_vec();
        let mut closed = Vec::new();
        for attribute in 0..self.counts.len() {
            let support = self.counts[attribute];
            if contains(&done, attribute) || !wanted(support) {
                continue;
            }
            let mut below = extent.to_vec();
            intersect(&mut below, self.bitmap.column(attribute));
            self.bitmap.intent_into(&below, intent, &mut closed);
            let news = closed.iter().zip(intent).map(|(c, i)| c & !i).collect::<Vec<_>>();
            if members(&news).all(|other| self.counts[other] == support) {
                // All that it brings in leads to the same neighbour.
                done.iter_mut().zip(&news).for_each(|(done, new)| *done |= new);
                self.found.push((closed.clone(), support));
            }
        }
    }

    /// What was found last: intents and how many objects have them.
    pub(super) fn found(&self) -> impl Iterator<Item = (&[u64], u64)> {
        self.found.iter().map(|(intent, support)| (intent.as_slice(), *support))
    }
}
