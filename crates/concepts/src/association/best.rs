//! The first so many of a stream of rules, in no more memory than they take.

use super::{AssociationRule, RuleOrder};
use pellucid_close::Stop;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Rules by their order, so that the last one lies on top of a heap.
struct Ranked(AssociationRule, RuleOrder);

impl PartialEq for Ranked {
    fn eq(&self, other: &Ranked) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Ranked) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Ranked) -> Ordering {
        self.1.compare(&self.0, &other.0)
    }
}

pub(super) struct Best {
    order: RuleOrder,
    most: Option<u64>,
    kept: BinaryHeap<Ranked>,
    left_out: bool,
}

impl Best {
    pub(super) fn new(order: RuleOrder, most: Option<u64>) -> Best {
        Best { order, most, kept: BinaryHeap::new(), left_out: false }
    }

    pub(super) fn add(&mut self, rule: AssociationRule) {
        self.kept.push(Ranked(rule, self.order));
        if self.most.is_some_and(|most| self.kept.len() as u64 > most) {
            self.kept.pop();
            self.left_out = true;
        }
    }

    /// What is kept, in order, and why it is not more.
    pub(super) fn finish(self, stop: Stop) -> (Vec<AssociationRule>, Stop) {
        let rules = self.kept.into_sorted_vec().into_iter().map(|ranked| ranked.0).collect();
        (rules, if stop == Stop::Complete && self.left_out { Stop::Most } else { stop })
    }
}
