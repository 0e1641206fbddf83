//! Recovery after a GPU is lost when concepts were already listed: the CPU lists the remaining
//! ones.
//!
//! A visited concept cannot be taken back, and the part of the tree on the lost GPU is gone. The
//! search therefore records an eight-byte fingerprint of every listed concept. After a loss the CPU
//! walks the whole tree again and lists the concepts without a fingerprint.

use crate::{ConceptView, Digest, SearchOutcome, SearchStop, Terms, Visitor};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The sums of the attribute keys for every set of four adjacent attributes. A fingerprint takes
/// one lookup per four attributes.
#[derive(Debug)]
pub(crate) struct KeySums(Vec<[u64; 16]>);

impl KeySums {
    pub(crate) fn new(attributes: usize) -> KeySums {
        let sums = |first: u32| {
            let mut sums = [0u64; 16];
            for (set, sum) in (0u32..).zip(&mut sums) {
                let members = (0..4).filter(|bit| set >> bit & 1 == 1);
                *sum = members.map(|bit| Digest::key(first + bit)).fold(0, u64::wrapping_add);
            }
            sums
        };
        KeySums((0u32..).step_by(4).take(attributes.div_ceil(4)).map(sums).collect())
    }

    /// Returns what an intent adds to a digest: 64 well-mixed bits derived from its attributes.
    fn fingerprint(&self, intent: &[u64]) -> u64 {
        let mut keys = 0u64;
        for (&word, sums) in intent.iter().zip(self.0.chunks(16)) {
            let mut left = word;
            for sums in sums {
                keys = keys.wrapping_add(sums[(left & 15) as usize]);
                left >>= 4;
            }
        }
        let mut digest = Digest::default();
        digest.add(keys);
        digest.sum()
    }
}

/// A visitor that records the concepts it has received.
#[derive(Debug)]
pub(crate) struct Recorder<'a, V> {
    visitor: &'a mut V,
    keys: &'a KeySums,
    fingerprints: Vec<u64>,
    /// The maximum number of fingerprints. If there are more, none are kept.
    most: usize,
    has_overflowed: bool,
}

impl<'a, V: Visitor> Recorder<'a, V> {
    pub(crate) fn new(visitor: &'a mut V, keys: &'a KeySums, most: usize) -> Recorder<'a, V> {
        Recorder { visitor, keys, fingerprints: Vec::new(), most, has_overflowed: false }
    }
}

impl<V: Visitor> Visitor for Recorder<'_, V> {
    const READS_CONCEPTS: bool = V::READS_CONCEPTS;

    fn visit(&mut self, concept: &ConceptView<'_>) {
        if self.fingerprints.len() < self.most {
            self.fingerprints.push(self.keys.fingerprint(concept.intent));
        } else if !self.has_overflowed {
            self.has_overflowed = true;
            self.fingerprints = Vec::new();
            self.most = 0;
        }
        self.visitor.visit(concept);
    }
}

/// The concepts that were listed before a device was lost, as ascending fingerprints.
#[derive(Debug)]
pub(crate) struct ListedConcepts(Vec<u64>);

impl ListedConcepts {
    /// Collects the fingerprints of all recorders. Returns `None` if one of them exceeded its
    /// limit.
    pub(crate) fn of<V>(recorders: Vec<Recorder<'_, V>>) -> Option<ListedConcepts> {
        let mut all = Vec::new();
        for mut recorder in recorders {
            if recorder.has_overflowed {
                return None;
            }
            all.append(&mut recorder.fingerprints);
        }
        all.sort_unstable();
        Some(ListedConcepts(all))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Lists the remaining concepts with a search that walks the whole tree. Returns `None` if two
    /// concepts share a fingerprint, because one of them was then left out.
    pub(crate) fn list_others<'v, V: Visitor>(
        &self,
        keys: &KeySums,
        terms: &Terms<'_>,
        visitors: &'v mut [V],
        search: impl FnOnce(&Terms<'_>, &mut [Remainder<'_, V>]) -> SearchOutcome,
    ) -> Option<SearchOutcome> {
        let known = self.0.len() as u64;
        let limit = Limit { most: terms.most, listed: known.into(), is_exceeded: false.into() };
        let remainder = |visitor: &'v mut V| Remainder {
            visitor,
            keys,
            known: &self.0,
            limit: &limit,
            skipped: 0,
            concepts: 0,
            digest: Digest::default(),
        };
        let mut remainders: Vec<Remainder<'_, V>> = visitors.iter_mut().map(remainder).collect();
        let stop =
            || limit.is_exceeded.load(Ordering::Relaxed) || terms.stop.is_some_and(|stop| stop());
        let walked = search(&Terms { most: None, stop: Some(&stop), ..*terms }, &mut remainders);
        let skipped: u64 = remainders.iter().map(|remainder| remainder.skipped).sum();
        let mut outcome = SearchOutcome {
            concepts: known,
            digest: Digest::from_sum(self.0.iter().fold(0, |sum, &one| sum.wrapping_add(one))),
            stop: walked.stop,
        };
        for remainder in &remainders {
            outcome.concepts += remainder.concepts;
            outcome.digest.merge(remainder.digest);
        }
        if limit.is_exceeded.load(Ordering::Relaxed) {
            outcome.stop = SearchStop::Limit;
        }
        if let Some(progress) = terms.progress {
            progress.store(outcome.concepts, Ordering::Relaxed);
        }
        (outcome.stop != SearchStop::Complete || skipped == known).then_some(outcome)
    }
}

/// The maximum number of concepts and the number listed so far.
#[derive(Debug)]
struct Limit {
    most: Option<u64>,
    listed: AtomicU64,
    is_exceeded: AtomicBool,
}

impl Limit {
    /// Returns whether one more concept may be listed.
    fn allows_one_more(&self) -> bool {
        let Some(most) = self.most else { return true };
        let allows = self.listed.fetch_add(1, Ordering::Relaxed) < most;
        if !allows {
            self.is_exceeded.store(true, Ordering::Relaxed);
        }
        allows
    }
}

/// A visitor that passes only the concepts that were not listed before to another visitor.
#[derive(Debug)]
pub(crate) struct Remainder<'a, V> {
    visitor: &'a mut V,
    keys: &'a KeySums,
    known: &'a [u64],
    limit: &'a Limit,
    skipped: u64,
    concepts: u64,
    digest: Digest,
}

impl<V: Visitor> Visitor for Remainder<'_, V> {
    fn visit(&mut self, concept: &ConceptView<'_>) {
        let fingerprint = self.keys.fingerprint(concept.intent);
        if self.known.binary_search(&fingerprint).is_ok() {
            self.skipped += 1;
        } else if self.limit.allows_one_more() {
            self.concepts += 1;
            self.digest.merge(Digest::from_sum(fingerprint));
            self.visitor.visit(concept);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_bits::words::{insert, members, words_for};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_fingerprint_equals_the_contribution_to_a_digest(
            attributes in 1usize..200,
            picks in prop::collection::vec(any::<usize>(), 0..20),
        ) {
            let mut intent = vec![0; words_for(attributes)];
            picks.iter().for_each(|pick| insert(&mut intent, pick % attributes));
            let key = |attribute: usize| Digest::key(u32::try_from(attribute).unwrap());
            let mut digest = Digest::default();
            digest.add(members(&intent).map(key).fold(0, u64::wrapping_add));
            prop_assert_eq!(KeySums::new(attributes).fingerprint(&intent), digest.sum());
        }
    }
}
