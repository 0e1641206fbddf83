//! Keeps the first rules of a stream in a given order, in bounded memory.

use super::{AssociationRule, RuleOrder};
use pellucid_close::SearchStop;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A rule with its order, so that the last rule is on top of a heap.
struct OrderedRule(AssociationRule, RuleOrder);

impl PartialEq for OrderedRule {
    fn eq(&self, other: &OrderedRule) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for OrderedRule {}

impl PartialOrd for OrderedRule {
    fn partial_cmp(&self, other: &OrderedRule) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OrderedRule {
    fn cmp(&self, other: &OrderedRule) -> Ordering {
        self.1.compare(&self.0, &other.0)
    }
}

pub(super) struct BestRules {
    order: RuleOrder,
    most: Option<u64>,
    kept: BinaryHeap<OrderedRule>,
    is_truncated: bool,
}

impl BestRules {
    pub(super) fn new(order: RuleOrder, most: Option<u64>) -> BestRules {
        BestRules { order, most, kept: BinaryHeap::new(), is_truncated: false }
    }

    pub(super) fn add(&mut self, rule: AssociationRule) {
        self.kept.push(OrderedRule(rule, self.order));
        if self.most.is_some_and(|most| self.kept.len() as u64 > most) {
            self.kept.pop();
            self.is_truncated = true;
        }
    }

    /// Returns the rules in order, and why the list may be incomplete.
    pub(super) fn finish(self, stop: SearchStop) -> (Vec<AssociationRule>, SearchStop) {
        let rules = self.kept.into_sorted_vec().into_iter().map(|ordered| ordered.0).collect();
        (
            rules,
            if stop == SearchStop::Complete && self.is_truncated {
                SearchStop::Limit
            } else {
                stop
            },
        )
    }
}
