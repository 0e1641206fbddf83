//! The walk through the tree of levels of bits.

use super::extent::Extent;
use super::level::Level;
use super::listing::BitExtent;
use super::node::ConceptNode;
use super::slots::Slots;
use super::supports::SupportMinimum;
use super::worker::{Stack, Worker};
use pellucid_bits::Simd;

impl Worker<'_> {
    /// Lists everything below the first level of the stack.
    #[inline(always)]
    pub(super) fn walk_tree<S: Simd>(&mut self, simd: S, stack: &mut Stack) {
        if stack.levels.is_empty() {
            return;
        }
        loop {
            // This comes before a candidate is taken, because work that is given away must not
            // include a candidate in progress.
            if !self.tick(stack) {
                return;
            }
            let Some(tried) = stack.levels[stack.depth].take() else {
                if stack.depth == 0 {
                    return;
                }
                stack.depth -= 1;
                let level = &mut stack.levels[stack.depth];
                if level.is_thin {
                    level.fill(&stack.slots[level.slots]);
                }
                continue;
            };
            let level = &mut stack.levels[stack.depth];
            stack.extent.of(&level.candidates, level.words, tried);
            if level.others.1 != 0 && level.lies_within_others(simd, &stack.extent) {
                level.alive[tried / 8] &= !(1 << (tried % 8));
                continue;
            }
            let goes_down = match stack.extent.words.len() {
                1 => self.step::<S, 1>(simd, stack, tried),
                2 => self.step::<S, 2>(simd, stack, tried),
                _ => self.step::<S, 0>(simd, stack, tried),
            };
            if goes_down {
                stack.depth += 1;
                self.trim(stack);
            }
        }
    }

    /// Lists the concept of one candidate. Returns whether there may be others below it.
    #[inline(always)]
    fn step<S: Simd, const W: usize>(&mut self, simd: S, stack: &mut Stack, tried: usize) -> bool {
        let Stack { levels, slots, depth, extent, .. } = stack;
        if levels.len() < *depth + 2 {
            levels.push(Level::default());
        }
        let (above, below) = levels.split_at_mut(*depth + 1);
        let (level, below) = (&mut above[*depth], &mut below[0]);
        self.list_one::<S, W>(simd, level, below, extent, &slots[level.slots], tried);
        if below.candidates.len() == 0 {
            level.add_rival(tried);
            return false;
        }
        let count = extent.count();
        if below.candidates.len() <= self.tuning.few || count <= self.tuning.handful {
            let is_few = below.candidates.len() <= self.tuning.few;
            if W != 1 && !is_few {
                below.candidates.pack(simd, &extent.words);
            }
            let node = ConceptNode { level, below, tried, extent, slots: &slots[level.slots] };
            if is_few {
                self.list_few::<S, W>(simd, &node);
            } else {
                self.list_handful::<S, W>(simd, &node, count);
            }
            level.add_rival(tried);
            return false;
        }
        below.mask.clear();
        below.mask.extend_from_slice(&level.mask);
        level.add_rival(tried);
        if self.merge(simd, below, extent, slots, level) {
            return self.sift::<S, 0>(simd, below, &slots[below.slots]);
        }
        below.by_rows =
            level.by_rows || (count <= 64 && level.rivals.len() + tried > self.tuning.rows);
        let packs = level.narrow::<S, W>(simd, tried, extent, count, below);
        if below.words < level.words {
            if slots.len() < level.slots + 2 {
                slots.push(Slots::new(&self.base));
            }
            let (from, to) = slots.split_at_mut(level.slots + 1);
            to[0].narrow(&from[level.slots], &extent.planes, &extent.words, packs);
            below.slots = level.slots + 1;
        }
        self.sift::<S, W>(simd, below, &slots[below.slots])
    }

    /// Lists the concept of a candidate and writes its remaining candidates to `below`.
    #[inline(always)]
    fn list_one<S: Simd, const W: usize>(
        &mut self,
        simd: S,
        level: &mut Level,
        below: &mut Level,
        extent: &Extent,
        slots: &Slots,
        tried: usize,
    ) {
        let support = self.min_support;
        let minimum = (support > 1).then_some(SupportMinimum { slots, support });
        self.listing.truncate_to(level.intent);
        let joined = self.listing.reads_concepts.then_some(&mut self.listing.attributes);
        level.narrow_candidates::<S, W>(simd, tried, extent, minimum, below, joined);
        below.intent = self.listing.attributes.len();
        let rows = BitExtent { extent, slots };
        self.listing.list(below.keys, level.intent, &rows);
    }

    /// Finds the candidates of a new level that are alive. Returns whether there are any.
    #[inline(always)]
    fn sift<S: Simd, const W: usize>(&mut self, simd: S, below: &mut Level, slots: &Slots) -> bool {
        let is_small = W == 1 || below.words == 1;
        if below.by_rows {
            if is_small {
                below.sift_by_rows::<S, 1>(simd, slots, &mut self.scratch)
            } else {
                below.sift_by_rows::<S, 0>(simd, slots, &mut self.scratch)
            }
        } else if is_small {
            below.sift::<S, 1>(simd)
        } else {
            below.sift::<S, W>(simd)
        }
    }
}
