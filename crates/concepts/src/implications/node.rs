//! A node of the search for the stem base, with the implications that may apply below it.

use super::unite;
use pellucid_bits::words::{contains, insert, is_subset};

/// The implications found so far: premises and their closures, one after the other.
pub(super) struct KnownImplications {
    width: usize,
    premises: Vec<u64>,
    closures: Vec<u64>,
    count: usize,
}

impl KnownImplications {
    pub(super) fn new(width: usize) -> KnownImplications {
        KnownImplications { width, premises: Vec::new(), closures: Vec::new(), count: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn push(&mut self, premise: &[u64], closure: &[u64]) {
        self.premises.extend_from_slice(premise);
        self.closures.extend_from_slice(closure);
        self.count += 1;
    }

    pub(super) fn premise(&self, index: usize) -> &[u64] {
        &self.premises[index * self.width..][..self.width]
    }

    pub(super) fn closure(&self, index: usize) -> &[u64] {
        &self.closures[index * self.width..][..self.width]
    }
}

/// An intent on the path from the root to the current node.
#[derive(Default)]
pub(super) struct SearchNode {
    pub(super) intent: Vec<u64>,
    pub(super) extent: Vec<u64>,
    /// Attributes from here on are tried, in descending order.
    pub(super) first: usize,
    /// One more than the next attribute to try.
    pub(super) untried: usize,
    /// Implications that may fire below this node: their premises lack no attribute before `first`.
    /// For each attribute, `chains` links those whose first lacking attribute it is.
    live: Vec<Link>,
    chains: Vec<u32>,
    /// The number of implications known when `live` was last updated.
    seen: usize,
    /// For each attribute in `triggers`, what follows directly from adding it.
    follows: Vec<u64>,
    triggers: Vec<u64>,
}

/// An implication in a chain, and the next link; [`END`] ends the chain.
#[derive(Clone, Copy)]
struct Link {
    implication: u32,
    next: u32,
}

const END: u32 = u32::MAX;

impl SearchNode {
    pub(super) fn prepare(&mut self, width: usize, attributes: usize) {
        self.live.clear();
        self.chains.clear();
        self.chains.resize(attributes, END);
        self.seen = 0;
        self.triggers.clear();
        self.triggers.resize(width, 0);
        // The old contents are overwritten before they are read.
        self.follows.resize(width * attributes, 0);
    }

    /// The live implications whose first lacking attribute is this one.
    fn chain(&self, attribute: usize) -> impl Iterator<Item = u32> + '_ {
        let mut next = self.chains[attribute];
        std::iter::from_fn(move || {
            let link = self.live.get(next as usize)?;
            next = link.next;
            Some(link.implication)
        })
    }

    /// Adds the implications found since the last update.
    pub(super) fn update(&mut self, known: &KnownImplications) {
        for implication in self.seen..known.len() {
            let implication = u32::try_from(implication).expect("numbered by 32 bits");
            self.consider(implication, known);
        }
        self.seen = known.len();
    }

    /// Takes over from the parent, to which an attribute was added, the implications that may still
    /// fire.
    pub(super) fn inherit(
        &mut self,
        parent: &SearchNode,
        attribute: usize,
        known: &KnownImplications,
    ) {
        // Premises that lack an attribute before this one still lack it.
        for lacked in attribute..parent.chains.len() {
            for implication in parent.chain(lacked) {
                self.consider(implication, known);
            }
        }
        // Implications found since the parent was updated were found on the path to here and are
        // satisfied.
        self.seen = known.len();
    }

    /// Adds an implication if it may fire below this node and adds attributes there.
    fn consider(&mut self, implication: u32, known: &KnownImplications) {
        let width = known.width;
        let index = implication as usize;
        let (premise, closed) = (known.premise(index), known.closure(index));
        let mut lacking = 0;
        let mut lowest = None;
        for (word, (premise, intent)) in premise.iter().zip(&self.intent).enumerate() {
            let missing = premise & !intent;
            if missing != 0 && lowest.is_none() {
                let missed = word * 64 + missing.trailing_zeros() as usize;
                if missed < self.first {
                    return;
                }
                lowest = Some(missed);
            }
            lacking += missing.count_ones();
        }
        let Some(lowest) = lowest else { return };
        if is_subset(closed, &self.intent) {
            return;
        }
        let link = u32::try_from(self.live.len()).expect("numbered by 32 bits");
        self.live.push(Link { implication, next: self.chains[lowest] });
        self.chains[lowest] = link;
        if lacking == 1 {
            let follows = &mut self.follows[lowest * width..][..width];
            if contains(&self.triggers, lowest) {
                unite(follows, closed);
            } else {
                insert(&mut self.triggers, lowest);
                follows.copy_from_slice(closed);
            }
        }
    }

    /// Adds an attribute and everything that follows. Returns whether no attribute before it was
    /// added.
    pub(super) fn close_with(
        &self,
        attribute: usize,
        known: &KnownImplications,
        set: &mut Vec<u64>,
    ) -> bool {
        let width = known.width;
        set.clear();
        set.extend_from_slice(&self.intent);
        insert(set, attribute);
        if !contains(&self.triggers, attribute) {
            return true;
        }
        unite(set, &self.follows[attribute * width..][..width]);
        if adds_before(&self.intent, set, attribute) {
            return false;
        }
        loop {
            let mut fired = false;
            // Only implications whose first lacking attribute was added can fire.
            for word in 0..width {
                let mut came = set[word] & !self.intent[word];
                while came != 0 {
                    let lacked = word * 64 + came.trailing_zeros() as usize;
                    came &= came - 1;
                    for implication in self.chain(lacked) {
                        let index = implication as usize;
                        let closed = known.closure(index);
                        if !is_subset(known.premise(index), set) || is_subset(closed, set) {
                            continue;
                        }
                        unite(set, closed);
                        fired = true;
                        if adds_before(&self.intent, set, attribute) {
                            return false;
                        }
                    }
                }
            }
            if !fired {
                return true;
            }
        }
    }
}

/// Whether a larger set has a member below some number that a smaller one lacks.
pub(super) fn adds_before(smaller: &[u64], larger: &[u64], number: usize) -> bool {
    let whole = number / 64;
    let differ = |word: usize| larger[word] & !smaller[word];
    (0..whole).any(|word| differ(word) != 0)
        || (!number.is_multiple_of(64) && differ(whole) & ((1 << (number % 64)) - 1) != 0)
}
