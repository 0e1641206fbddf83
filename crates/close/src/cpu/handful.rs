//! Extents of at most eight rows, listed without a tree.
//!
//! Below a concept of at most eight rows every extent fits into a byte. The extents are all
//! intersections of the bytes of the candidates, and each is new if and only if it lies within no
//! rival. The order of the candidates no longer matters. The intersections are therefore built one
//! candidate at a time, and each is tested once.

use super::extent::Extent;
use super::listing::BitExtent;
use super::node::ConceptNode;
use super::worker::Worker;
use pellucid_bits::Simd;

/// The maximum number of rows.
pub(super) const MOST: usize = 8;

/// A set of bytes.
#[derive(Clone, Copy, Default)]
struct Bytes([u64; 4]);

impl Bytes {
    /// Inserts a byte and returns whether it was missing.
    #[inline(always)]
    fn insert(&mut self, byte: u64) -> bool {
        let (word, bit) = (&mut self.0[(byte >> 6 & 3) as usize], 1 << (byte & 63));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

impl Worker<'_> {
    /// Lists all concepts below a concept of at most eight rows. If `W` is not 1, the candidates
    /// are packed.
    #[inline(always)]
    pub(super) fn list_handful<S: Simd, const W: usize>(
        &mut self,
        simd: S,
        node: &ConceptNode<'_>,
        count: usize,
    ) {
        let candidates = &node.below.candidates;
        let outer = node.extent.words[0];
        let mut columns = Bytes::default();
        if W == 1 && count <= 6 {
            // All bytes fit into one word, which stays in a register.
            let mut set = 0u64;
            for candidate in 0..candidates.len() {
                set |= 1 << (simd.pack_bits(candidates.word(0, candidate), outer) & 63);
            }
            columns.0[0] = set;
        } else {
            for candidate in 0..candidates.len() {
                let column = candidates.word(0, candidate);
                columns.insert(if W == 1 { simd.pack_bits(column, outer) } else { column });
            }
        }
        let mut extents = [0u8; 256];
        extents[0] = u8::MAX >> (MOST - count);
        let mut len = 1;
        let mut seen = Bytes::default();
        seen.insert(0);
        seen.insert(u64::from(extents[0]));
        for word in 0..if count <= 6 { 1 } else { 4 } {
            let mut left = columns.0[word];
            while left != 0 {
                let column = word as u64 * 64 + u64::from(left.trailing_zeros());
                left &= left - 1;
                let mut more = len;
                for known in 0..len {
                    let extent = column & u64::from(extents[known]);
                    if !seen.insert(extent) {
                        continue;
                    }
                    if self.list_if_new::<S, W>(simd, node, extent) {
                        extents[more] = extent.to_le_bytes()[0];
                        more += 1;
                    } else if known == 0 {
                        // The column lies within a rival, and so does everything within the column.
                        break;
                    }
                }
                len = more;
            }
        }
    }

    #[inline(always)]
    fn list_if_new<S: Simd, const W: usize>(
        &mut self,
        simd: S,
        node: &ConceptNode<'_>,
        packed: u64,
    ) -> bool {
        let ConceptNode { level, below, tried, extent: outer, slots } = *node;
        let extent = &mut self.scratch;
        extent.spread::<S, W>(simd, outer, packed);
        if level.has_rival_of::<S, W>(simd, tried, extent, slots) {
            return false;
        }
        if self.min_support > 1 && extent.support(slots) < self.min_support {
            return false;
        }
        let probe = simd.splat_word(if W == 1 { extent.words[0] } else { packed });
        let mut sum = simd.splat(false);
        self.listing.truncate_to(below.intent);
        let mut lanes = below.candidates.len();
        for group in 0..below.candidates.groups() {
            let column = simd.load(below.candidates.block(0, group));
            let mut all = simd.zero_words(simd.and_not(probe, column));
            if lanes < 8 {
                all &= !(u8::MAX << lanes);
            }
            lanes = lanes.saturating_sub(8);
            if self.listing.reads_concepts {
                below.push_tags(group, all, &mut self.listing.attributes);
            } else {
                let tags = simd.load(below.tags.block(0, group));
                sum = simd.add_words(sum, simd.keep_words(tags, all));
            }
        }
        let keys = if self.listing.reads_concepts {
            0
        } else {
            below.keys.wrapping_add(simd.sum_words(sum))
        };
        let rows = BitExtent { extent: &self.scratch, slots };
        self.listing.list(keys, below.intent, &rows);
        true
    }
}

impl Extent {
    /// Sets this extent to the bits of `outer` that `packed` selects.
    #[inline(always)]
    fn spread<S: Simd, const W: usize>(&mut self, simd: S, outer: &Extent, mut packed: u64) {
        if W == 1 && self.words.len() == 1 {
            self.words[0] = simd.spread_bits(packed, outer.words[0]);
            self.planes[0] = outer.planes[0];
            return;
        }
        self.words.clear();
        self.planes.clear();
        for (&plane, &word) in outer.planes.iter().zip(&outer.words) {
            self.words.push(simd.spread_bits(packed, word));
            self.planes.push(plane);
            packed >>= word.count_ones();
        }
    }
}
