//! Handing work over to an idle worker.

use super::bits::Start;
use super::pool::{Branch, Task};
use super::worker::{Stack, Worker};

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
            if level.left() > 1 {
                if level.is_thin {
                    level.fill(&slots[level.slots]);
                }
                let intent = if self.listing.reads_concepts { level.intent } else { 0 };
                let intent = self.listing.attributes[..intent].to_vec();
                let slots = slots[level.slots].clone();
                let start = Start { level: level.hand_over(), slots };
                self.pool.give(Task { branch: Branch::Bits(Box::new(start)), intent });
                return;
            }
        }
    }
}
