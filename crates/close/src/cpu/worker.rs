//! One worker: down the tree and back up, without recursion, giving work away when asked.

use super::base::Base;
use super::bits::Start;
use super::context::{Stretch, View};
use super::extent::{Extent, Fewest};
use super::few::Few;
use super::level::Level;
use super::listing::{Bits, Listing};
use super::pool::{Pool, Task, Work};
use super::slots::Slots;
use super::tuning::Tuning;
use crate::{Digest, Visitor};
use pellucid_bits::{Kernel, Simd};

/// A worker and what it has in hand.
pub(super) struct Worker<'a, V> {
    pub(super) pool: &'a Pool<'a>,
    pub(super) listing: Listing<'a, V>,
    pub(super) tuning: Tuning,
    pub(super) min_support: u64,
    pub(super) base: &'a Base<'a>,
    pub(super) scratch: Extent,
    pub(super) made: Vec<u64>,
    ticks: u32,
}

/// Where a worker stands.
#[derive(Default)]
pub(super) struct Stack {
    /// Contexts of lists, each within the one before.
    pub(super) contexts: Vec<Stretch>,
    /// Levels of bits, each within the one before.
    pub(super) levels: Vec<Level>,
    pub(super) slots: Vec<Slots>,
    pub(super) depth: usize,
    extent: Extent,
    pub(super) view: View,
}

/// How many concepts pass between two looks at whether anyone is hungry, and between two reports.
const HUNGER: u32 = 16;
const REPORT: u32 = 512;

impl<V: Visitor> Kernel for Worker<'_, V> {
    type Output = (u64, Digest);

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> (u64, Digest) {
        let mut stack = Stack::default();
        while let Some(task) = self.pool.take() {
            self.listing.start(&task.intent);
            match task.work {
                Work::Lists(stretch) => stack.contexts.push(stretch),
                Work::Bits(start) => Self::start(&mut stack, *start),
            }
            // At most one of the two has work at first, and lists make more bits.
            self.finish(simd, &mut stack);
            while self.next_of_lists(simd, &mut stack) {
                self.finish(simd, &mut stack);
            }
        }
        self.listing.report();
        self.listing.outcome()
    }
}

impl<'a, V: Visitor> Worker<'a, V> {
    pub(super) fn new(
        pool: &'a Pool<'a>,
        base: &'a Base<'a>,
        listing: Listing<'a, V>,
        tuning: Tuning,
    ) -> Worker<'a, V> {
        Worker {
            pool,
            listing,
            tuning,
            min_support: pool.terms.min_support,
            base,
            scratch: Extent::default(),
            made: Vec::new(),
            ticks: 0,
        }
    }

    fn start(stack: &mut Stack, start: Start) {
        stack.depth = 0;
        stack.levels.clear();
        stack.levels.push(start.level);
        stack.slots.clear();
        stack.slots.push(start.slots);
    }

    /// To be called for every step; says whether to go on.
    #[inline(always)]
    pub(super) fn tick(&mut self, stack: &mut Stack) -> bool {
        self.ticks = self.ticks.wrapping_add(1);
        if !self.ticks.is_multiple_of(HUNGER) {
            return true;
        }
        if self.pool.is_anyone_hungry() {
            self.share(stack);
        }
        if self.ticks.is_multiple_of(REPORT) {
            self.listing.report();
        }
        !self.pool.has_ended()
    }

    /// Lists everything below the stack's first level.
    #[inline(always)]
    fn finish<S: Simd>(&mut self, simd: S, stack: &mut Stack) {
        if stack.levels.is_empty() {
            return;
        }
        loop {
            // Before a candidate is taken: what is given away must not know of one that is half done.
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
                    level.fill(self.base, &stack.slots[level.slots]);
                }
                continue;
            };
            let level = &stack.levels[stack.depth];
            stack.extent.of(&level.candidates, level.words, tried);
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

    /// Lists the concept of one candidate, and says whether there may be others below it.
    #[inline(always)]
    fn step<S: Simd, const W: usize>(&mut self, simd: S, stack: &mut Stack, tried: usize) -> bool {
        let Stack { levels, slots, depth, extent, .. } = stack;
        if levels.len() < *depth + 2 {
            levels.push(Level::default());
        }
        let (above, below) = levels.split_at_mut(*depth + 1);
        let (level, below) = (&mut above[*depth], &mut below[0]);

        let weights = self.base.weights();
        let fewest = (self.min_support > 1).then(|| Fewest {
            slots: &slots[level.slots],
            weights,
            support: self.min_support,
        });
        self.listing.back_to(level.intent);
        if V::LOOKS {
            let tag = u32::try_from(level.tags.word(0, tried)).expect("an attribute");
            self.listing.attributes.push(tag);
        }
        let joined = &mut self.listing.attributes;
        if V::LOOKS {
            level.narrow_candidates::<S, W, true>(simd, tried, extent, fewest, below, joined);
        } else {
            level.narrow_candidates::<S, W, false>(simd, tried, extent, fewest, below, joined);
        }
        below.intent = self.listing.attributes.len();
        let found = Bits { extent, slots: &slots[level.slots], base: self.base };
        self.listing.list(below.keys, level.intent, &found);
        if below.candidates.len() == 0 {
            level.becomes_rival(tried);
            return false;
        }
        let count = extent.count();
        if below.candidates.len() <= self.tuning.few || count <= self.tuning.handful {
            let is_few = below.candidates.len() <= self.tuning.few;
            if W != 1 && !is_few {
                below.candidates.pack(simd, &extent.words);
            }
            let within = Few { level, below, tried, extent, slots: &slots[level.slots] };
            if is_few {
                self.list_few::<S, W>(simd, &within);
            } else {
                self.list_handful::<S, W>(simd, &within, count);
            }
            level.becomes_rival(tried);
            return false;
        }
        below.mask.clear();
        below.mask.extend_from_slice(&level.mask);
        level.becomes_rival(tried);
        below.by_rows =
            level.by_rows || (count <= 64 && level.rivals.len() + tried > self.tuning.rows);
        if !below.by_rows {
            level.narrow_rivals::<S, W>(simd, tried, extent, below);
        }
        below.words = extent.words.len();
        below.next = 0;
        below.is_thin = false;
        below.slots = level.slots;
        let packs = W != 1 && count.div_ceil(64) * 2 <= extent.words.len();
        if packs {
            below.candidates.pack(simd, &extent.words);
            if !below.by_rows {
                below.rivals.pack(simd, &extent.words);
            }
            below.words = count.div_ceil(64);
        }
        if below.words < level.words {
            if slots.len() < level.slots + 2 {
                slots.push(Slots::default());
            }
            let (from, to) = slots.split_at_mut(level.slots + 1);
            to[0].narrow(&from[level.slots], &extent.planes, &extent.words, packs);
            below.slots = level.slots + 1;
        }
        let is_small = W == 1 || below.words == 1;
        if below.by_rows {
            let slots = &slots[below.slots];
            if is_small {
                below.sift_by_rows::<S, 1>(simd, self.base, slots, &mut self.scratch)
            } else {
                below.sift_by_rows::<S, 0>(simd, self.base, slots, &mut self.scratch)
            }
        } else if is_small {
            below.sift::<S, 1>(simd)
        } else {
            below.sift::<S, W>(simd)
        }
    }

    /// Hands over the highest piece of work that can be divided.
    #[cold]
    #[inline(never)]
    fn share(&mut self, stack: &mut Stack) {
        for stretch in &mut stack.contexts {
            if let Some(half) = stretch.halved() {
                let intent = half.context.intent.clone();
                self.pool.give(Task { work: Work::Lists(half), intent });
                return;
            }
        }
        let Stack { levels, slots, depth, .. } = stack;
        for level in levels.iter_mut().take(*depth + 1) {
            if level.left() > 1 {
                if level.is_thin {
                    level.fill(self.base, &slots[level.slots]);
                }
                let intent = if V::LOOKS { level.intent } else { 0 };
                let intent = self.listing.attributes[..intent].to_vec();
                let slots = slots[level.slots].clone();
                let start = Start { level: level.handed_over(), slots };
                self.pool.give(Task { work: Work::Bits(Box::new(start)), intent });
                return;
            }
        }
    }
}
