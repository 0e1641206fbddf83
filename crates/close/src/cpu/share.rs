//! Handing work over to an idle worker.
//!
//! A worker keeps the first half of the candidates and hands over the second half. For the other
//! worker the first half are rivals, as they would be once they were tried. What trying them would
//! also show is which later candidates lie within them; the other worker tests that for each
//! candidate.

use super::bits::Start;
use super::level::Level;
use super::pool::{Branch, Task};
use super::worker::{Stack, Worker};

/// The minimum number of remaining candidates: with fewer, there are at most seven concepts.
const LEAST_LEFT: usize = 4;

impl Level {
    /// Returns the number of candidates that are alive and left for this worker.
    fn left(&self) -> usize {
        self.alive_before(self.end).saturating_sub(self.alive_before(self.next))
    }

    /// Returns the number of candidates that are alive and come before another one.
    fn alive_before(&self, candidate: usize) -> usize {
        let ones = |alive: &u8| alive.count_ones() as usize;
        let whole = candidate / 8;
        let partly = self.alive.get(whole).map_or(0, |alive| alive & !(u8::MAX << (candidate % 8)));
        self.alive.iter().take(whole).map(ones).sum::<usize>() + ones(&partly)
    }

    fn is_alive(&self, candidate: usize) -> bool {
        self.alive[candidate / 8] >> (candidate % 8) & 1 == 1
    }

    /// Returns the first candidate of the second half of those that are left, if there are enough.
    fn middle(&self) -> Option<usize> {
        let left = self.left();
        let mut candidates = (self.next..self.end).filter(|&candidate| self.is_alive(candidate));
        if left < LEAST_LEFT { None } else { candidates.nth(left / 2) }
    }

    /// Returns a copy for another worker, which takes over the candidates from `first` on.
    fn hand_over(&mut self, first: usize) -> Level {
        let (start, end) = self.others;
        let mut half = Level {
            rivals: self.rivals.copied(self.words),
            candidates: self.candidates.copied(self.words),
            tags: self.tags.copied(1),
            origins: self.origins.copied(1),
            mask: self.mask.clone(),
            rows: Vec::new(),
            alive: self.alive.clone(),
            slots: 0,
            next: first,
            others: (if end == 0 { self.next } else { start }, first),
            ..*self
        };
        for candidate in self.next..first {
            if self.is_alive(candidate) {
                half.add_rival(candidate);
            }
        }
        self.end = first;
        half
    }
}

impl Worker<'_> {
    /// Hands over the part of the work that is highest in the tree and can be split.
    #[cold]
    #[inline(never)]
    pub(super) fn share(&mut self, stack: &mut Stack) {
        for range in &mut stack.contexts {
            if let Some(half) = range.split_half() {
                let intent = half.context.intent.clone();
                self.pool.give(Task { branch: Branch::Lists(half), intent });
                return;
            }
        }
        let Stack { levels, slots, depth, .. } = stack;
        for level in levels.iter_mut().take(*depth + 1) {
            let Some(middle) = level.middle() else { continue };
            if level.is_thin {
                level.fill(&slots[level.slots]);
            }
            let intent = if self.listing.reads_concepts { level.intent } else { 0 };
            let intent = self.listing.attributes[..intent].to_vec();
            let slots = slots[level.slots].clone();
            let start = Start { level: level.hand_over(middle), slots };
            self.pool.give(Task { branch: Branch::Bits(Box::new(start)), intent });
            return;
        }
    }
}
