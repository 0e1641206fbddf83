//! Subtrees with few candidates, listed without a tree.
//!
//! With three candidates there are at most seven extents below a concept, regardless of the number
//! of rows: the intersections of the candidates. Each intersection is computed from one with one
//! candidate fewer, and is listed with the largest set of candidates that produces it.

use super::extent::Extent;
use super::level::Level;
use super::listing::BitExtent;
use super::node::ConceptNode;
use super::worker::Worker;
use pellucid_bits::Simd;

impl Worker<'_> {
    /// Lists all concepts below a concept with few candidates.
    #[inline(always)]
    pub(super) fn list_few<S: Simd, const W: usize>(&mut self, simd: S, node: &ConceptNode<'_>) {
        let ConceptNode { level, tried, extent, below, slots } = *node;
        let words = if W == 0 { extent.words.len() } else { W };
        let candidates = below.candidates.len();
        let mut intersections = std::mem::take(&mut self.intersections);
        intersections.clear();
        intersections.extend_from_slice(&extent.words[..words]);
        // Sets of candidates whose supersets produce nothing new.
        let mut exhausted = 0u32;
        for set in 1..1usize << candidates {
            let smaller = set & (set - 1);
            let last = set.trailing_zeros() as usize;
            let mut any = 0;
            for plane in 0..words {
                let word =
                    intersections[smaller * words + plane] & below.candidates.word(plane, last);
                intersections.push(word);
                any |= word;
            }
            if exhausted >> smaller & 1 == 1 || any == 0 {
                exhausted |= 1 << set;
                continue;
            }
            let extent_words = &intersections[set * words..];
            if lies_within_another(below, extent_words, set) {
                continue;
            }
            let Extent { words: to, planes } = &mut self.scratch;
            to.clear();
            to.extend_from_slice(&extent_words[..words]);
            planes.clear();
            planes.extend_from_slice(&extent.planes[..words]);
            let inner = &self.scratch;
            if (self.min_support > 1 && inner.support(slots) < self.min_support)
                || level.has_rival_of::<S, W>(simd, tried, inner, slots)
            {
                exhausted |= 1 << set;
                continue;
            }
            let mut keys = below.keys;
            self.listing.truncate_to(below.intent);
            let mut left = set;
            while left != 0 {
                let tag = below.tags.word(0, left.trailing_zeros() as usize);
                left &= left - 1;
                if self.listing.reads_concepts {
                    self.listing.attributes.push(u32::try_from(tag).expect("an attribute"));
                } else {
                    keys = keys.wrapping_add(tag);
                }
            }
            let rows = BitExtent { extent: &self.scratch, slots };
            self.listing.list(keys, below.intent, &rows);
        }
        self.intersections = intersections;
    }
}

/// Returns whether the intersection of a set of candidates lies within a candidate outside the set.
#[inline(always)]
fn lies_within_another(below: &Level, words: &[u64], set: usize) -> bool {
    for other in 0..below.candidates.len() {
        if set >> other & 1 == 1 {
            continue;
        }
        let mut outside = 0;
        for (plane, word) in words.iter().enumerate() {
            outside |= word & !below.candidates.word(plane, other);
            if outside != 0 {
                break;
            }
        }
        if outside == 0 {
            return true;
        }
    }
    false
}
