//! A node of the search for the canonical base, and how conclusions are drawn there.

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

/// An intent on the way from the root to where the walk is.
#[derive(Default)]
pub(super) struct SearchNode {
    pub(super) intent: Vec<u64>,
    pub(super) extent: Vec<u64>,
    /// Attributes from here on are tried, from the last one down.
    pub(super) first: usize,
    /// The attribute after the next to be tried.
    pub(super) untried: usize,
    /// Implications that may fire below: nothing that the premise lacks lies before `first`. For each attribute there is a
    /// chain of those that lack it first, from the link in `chains` on.
    live: Vec<Link>,
    chains: Vec<u32>,
    /// How many implications were known when `live` was last brought up to date.
    seen: usize,
    /// For each attribute in `leads` what follows at once if it comes in.
    follows: Vec<u64>,
    leads: Vec<u64>,
}

/// An implication in a chain, and where the chain goes on; [`END`] where it does not.
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
        self.leads.clear();
        self.leads.resize(width, 0);
        // Whatever stands there is overwritten before it is read.
        self.follows.resize(width * attributes, 0);
    }

    /// The live implications that lack an attribute first.
    fn chain(&self, attribute: usize) -> impl Iterator<Item = u32> + '_ {
        let mut place = self.chains[attribute];
        std::iter::from_fn(move || {
            let link = self.live.get(place as usize)?;
            place = link.next;
            Some(link.implication)
        })
    }

    /// Takes in the implications that were found since.
    pub(super) fn catch_up(&mut self, known: &KnownImplications) {
        for implication in self.seen..known.len() {
            let implication = u32::try_from(implication).expect("numbered by 32 bits");
            self.consider(implication, known);
        }
        self.seen = known.len();
    }

    /// Takes over from the node above, to which an attribute was added, what may still fire.
    pub(super) fn inherit(
        &mut self,
        parent: &SearchNode,
        attribute: usize,
        known: &KnownImplications,
    ) {
        // What lacks an attribute before this one lacks it still.
        for lacked in attribute..parent.chains.len() {
            for implication in parent.chain(lacked) {
                self.consider(implication, known);
            }
        }
        // What was found since the parent caught up was found on the way here, and is fulfilled.
        self.seen = known.len();
    }

    /// Takes in an implication if it may fire below this node and has something to say there.
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
            if contains(&self.leads, lowest) {
                unite(follows, closed);
            } else {
                insert(&mut self.leads, lowest);
                follows.copy_from_slice(closed);
            }
        }
    }

    /// Adds an attribute and all that follows; whether nothing before the attribute came in.
    pub(super) fn conclude(
        &self,
        attribute: usize,
        known: &KnownImplications,
        set: &mut Vec<u64>,
    ) -> bool {
        let width = known.width;
        set.clear();
        set.extend_from_slice(&self.intent);
        insert(set, attribute);
        if !contains(&self.leads, attribute) {
            return true;
        }
        unite(set, &self.follows[attribute * width..][..width]);
        if brings_in_before(&self.intent, set, attribute) {
            return false;
        }
        loop {
            let mut fired = false;
            // Only what lacks first an attribute that came in can fire.
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
                        if brings_in_before(&self.intent, set, attribute) {
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
pub(super) fn brings_in_before(smaller: &[u64], larger: &[u64], number: usize) -> bool {
    let whole = number / 64;
    let differ = |word: usize| larger[word] & !smaller[word];
    (0..whole).any(|word| differ(word) != 0)
        || (!number.is_multiple_of(64) && differ(whole) & ((1 << (number % 64)) - 1) != 0)
}
