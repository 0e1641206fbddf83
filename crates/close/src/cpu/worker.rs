//! One worker: takes a task, walks it without recursion, and takes the next one.
//!
//! A task starts with lists (`lists`) or with bits (`tree`). Lists lead to bits; bits stay bits. If
//! little is left below a concept, the walk ends there and the rest is listed at once (`few`,
//! `handful`).

use super::base::Base;
use super::bits::Start;
use super::context::{ColumnRange, View};
use super::equal_rows::EqualRows;
use super::extent::Extent;
use super::level::Level;
use super::listing::Listing;
use super::pool::{Branch, Pool};
use super::slots::Slots;
use super::tuning::Tuning;
use crate::Digest;
use pellucid_bits::{Kernel, Simd};
use std::sync::Arc;

/// A worker with its listing and scratch memory.
pub(super) struct Worker<'a> {
    pub(super) pool: &'a Pool<'a>,
    pub(super) listing: Listing<'a>,
    pub(super) tuning: Tuning,
    pub(super) min_support: u64,
    pub(super) base: Arc<Base>,
    pub(super) scratch: Extent,
    pub(super) intersections: Vec<u64>,
    pub(super) equal_rows: EqualRows,
    ticks: u32,
}

/// The position of a worker in the tree.
#[derive(Default)]
pub(super) struct Stack {
    /// Contexts of lists, each nested in the previous one.
    pub(super) contexts: Vec<ColumnRange>,
    /// Levels of bits, each nested in the previous one.
    pub(super) levels: Vec<Level>,
    pub(super) slots: Vec<Slots>,
    pub(super) depth: usize,
    pub(super) extent: Extent,
    pub(super) view: View,
}

/// The number of steps between two checks for idle workers, and between two reports.
const IDLE_CHECK_STEPS: u32 = 4;
const REPORT_STEPS: u32 = 512;

impl Kernel for Worker<'_> {
    type Output = (u64, Digest);

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> (u64, Digest) {
        let mut stack = Stack::default();
        while let Some(task) = self.pool.take() {
            self.listing.start(&task.intent);
            match task.branch {
                Branch::Lists(range) => stack.contexts.push(range),
                Branch::Bits(start) => Self::start(&mut stack, *start),
            }
            // At most one of the two has work at first, and lists produce more bits. The whole walk
            // is inlined at its call, so there is only one call.
            loop {
                self.walk_tree(simd, &mut stack);
                if !self.next_of_lists(simd, &mut stack) {
                    break;
                }
            }
        }
        self.listing.report();
        self.listing.outcome()
    }
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        pool: &'a Pool<'a>,
        base: &Arc<Base>,
        listing: Listing<'a>,
        tuning: Tuning,
    ) -> Worker<'a> {
        Worker {
            pool,
            listing,
            tuning,
            min_support: pool.terms.min_support,
            base: Arc::clone(base),
            scratch: Extent::default(),
            intersections: Vec::new(),
            equal_rows: EqualRows::default(),
            ticks: 0,
        }
    }

    /// Continues with another first level. The levels below it keep their memory.
    fn start(stack: &mut Stack, start: Start) {
        stack.depth = 0;
        match stack.levels.first_mut() {
            Some(level) => *level = start.level,
            None => stack.levels.push(start.level),
        }
        match stack.slots.first_mut() {
            Some(slots) => *slots = start.slots,
            None => stack.slots.push(start.slots),
        }
    }

    /// [`Worker::tick`] for a step that takes as long as many others.
    pub(super) fn tick_long(&mut self, stack: &mut Stack) -> bool {
        self.ticks |= IDLE_CHECK_STEPS - 1;
        self.tick(stack)
    }

    /// Called for every step. Returns whether to continue.
    #[inline(always)]
    pub(super) fn tick(&mut self, stack: &mut Stack) -> bool {
        self.ticks = self.ticks.wrapping_add(1);
        if !self.ticks.is_multiple_of(IDLE_CHECK_STEPS) && !self.tuning.always_shares {
            return true;
        }
        if self.pool.has_idle_worker() || self.tuning.always_shares {
            self.share(stack);
        }
        if self.ticks.is_multiple_of(REPORT_STEPS) {
            self.listing.report();
        }
        !self.pool.has_ended()
    }
}
