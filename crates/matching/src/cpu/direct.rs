use crate::{CodeDomain, Test, TestList, spec};
use std::borrow::Cow;

/// Every condition as a list of tests, slot by slot. The other matching methods are built from it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Direct {
    conditions: Vec<TestList>,
    /// The occupied slots, one bit each.
    taken: Vec<u64>,
}

impl Direct {
    /// Returns the list of a slot for writing, and marks the slot as occupied.
    pub(crate) fn list(&mut self, slot: usize) -> &mut TestList {
        if self.conditions.len() <= slot {
            self.conditions.resize_with(slot + 1, TestList::default);
            self.taken.resize(self.conditions.len().div_ceil(64), 0);
        }
        self.taken[slot / 64] |= 1 << (slot % 64);
        &mut self.conditions[slot]
    }

    pub(crate) fn clear(&mut self, slot: usize) {
        if let Some(word) = self.taken.get_mut(slot / 64) {
            *word &= !(1 << (slot % 64));
        }
    }

    pub(crate) fn is_taken(&self, slot: usize) -> bool {
        self.taken.get(slot / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }

    /// Returns the tests of an occupied slot.
    pub(crate) fn tests(&self, slot: usize) -> Cow<'_, [Test]> {
        self.conditions[slot].tests()
    }

    /// Returns the number of slots used so far.
    pub(crate) fn slots(&self) -> usize {
        self.conditions.len()
    }

    /// Returns the occupied slots, ascending.
    pub(crate) fn taken(&self) -> impl Iterator<Item = usize> + '_ {
        pellucid_bits::words::members(&self.taken)
    }

    pub(crate) fn matched(&self, domains: &[CodeDomain], codes: &[u32], into: &mut Vec<u32>) {
        into.clear();
        for slot in self.taken() {
            let satisfied = |test: Test| {
                let attribute = test.attribute as usize;
                spec::satisfies(domains[attribute], &test, codes[attribute])
            };
            if self.conditions[slot].all(satisfied) {
                into.push(pellucid_bits::as_u32(slot));
            }
        }
    }
}
