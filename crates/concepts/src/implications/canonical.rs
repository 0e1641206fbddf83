//! The stem base, computed fast (`LinCbO` by Janostik, Konecny and Krajca).
//!
//! Ganter's enumeration of closed and pseudo-closed sets is walked as a tree. A node is an intent.
//! Its child for attribute *i* is the closure of the intent with *i* under the implications known
//! so far; as in Close-by-One, the child is discarded if the closure adds an attribute before *i*.
//! Attributes are tried in descending order, each with its whole subtree, so sets come in lectic
//! order and all smaller pseudo-intents are known when a set is tested.
//!
//! Closures dominate the cost. Three measures make them cheap:
//! - An implication whose premise has an attribute before *i* that the node lacks can only fire
//!   below the node in children that are discarded. Every node keeps the list of the others
//!   ([`SearchNode`]).
//! - The first step nearly always decides. A node computes once, for each attribute, what follows
//!   directly from adding it (`follows`). If that is nothing, the child is already closed.
//! - What follows from a set is in its closure, so the extent of the child is the set of the node's
//!   objects that have *i*.
//!
//! The walk depends on the order of the attributes, the base does not, so the search uses an order
//! of its own.

use super::node::{KnownImplications, SearchNode, adds_before};
use super::{BaseOptions, CanonicalBase, Implication};
use crate::bitmap::Bitmap;
use crate::clarify::equal_rows;
use pellucid_bits::words::{contains, count, full, insert, members, words_for};
use pellucid_close::SearchStop;
use pellucid_data::Relation;
use std::sync::atomic::Ordering::Relaxed;

/// The number of steps between two calls of the stop function.
const STOP_CHECK_INTERVAL: u64 = 1 << 10;

pub(super) fn base(relation: &Relation, options: &BaseOptions<'_>) -> CanonicalBase {
    let order = numbering(relation);
    let (bitmap, weights) = distinct_rows(relation, &order);
    let mut search = BaseSearch {
        width: words_for(relation.attributes()),
        options,
        weights: weights.iter().any(|&weight| weight != 1).then_some(weights),
        known: KnownImplications::new(words_for(relation.attributes())),
        supports: Vec::new(),
        nodes: Vec::new(),
        scratch: Scratch::default(),
        stop: SearchStop::Complete,
        steps: 0,
        bitmap,
    };
    search.run();
    let mut implications = search.implications(&order);
    implications.sort_unstable_by(Implication::order);
    CanonicalBase { implications, stop: search.stop }
}

/// The attributes in the order of the search: rare ones first.
fn numbering(relation: &Relation) -> Vec<u32> {
    let supports = relation.supports();
    let mut order: Vec<u32> = (0..).take(relation.attributes()).collect();
    order.sort_by_key(|&attribute| supports[attribute as usize]);
    order
}

/// Returns each distinct row once, renumbered, and the number of objects that have it.
fn distinct_rows(relation: &Relation, order: &[u32]) -> (Bitmap, Vec<u64>) {
    let mut number = vec![0; order.len()];
    (0u32..).zip(order).for_each(|(new, &old)| number[old as usize] = new);
    let groups = equal_rows(relation);
    let renumbered = groups.iter().map(|group| {
        let row = relation.row(group[0] as usize);
        row.iter().map(|&attribute| number[attribute as usize]).collect::<Vec<_>>()
    });
    let distinct = Relation::new(order.len(), renumbered).expect("numbers below their count");
    (Bitmap::new(&distinct), groups.iter().map(|group| group.len() as u64).collect())
}

#[derive(Default)]
struct Scratch {
    set: Vec<u64>,
    extent: Vec<u64>,
    intent: Vec<u64>,
}

struct BaseSearch<'a> {
    bitmap: Bitmap,
    /// The number of objects of each row, unless it is always 1.
    weights: Option<Vec<u64>>,
    options: &'a BaseOptions<'a>,
    width: usize,
    known: KnownImplications,
    supports: Vec<u64>,
    /// The current path, followed by nodes whose memory is reused.
    nodes: Vec<SearchNode>,
    scratch: Scratch,
    stop: SearchStop,
    steps: u64,
}

impl BaseSearch<'_> {
    fn run(&mut self) {
        let everything = full(self.bitmap.objects());
        if self.support(&everything) < self.options.min_support {
            return;
        }
        let nothing = vec![0; self.width];
        let intent = self.bitmap.intent(&everything);
        if intent != nothing {
            self.scratch.set = nothing;
            self.scratch.intent.clone_from(&intent);
            self.scratch.extent.clone_from(&everything);
            self.record();
        }
        let attributes = self.bitmap.attributes();
        let mut root = SearchNode::default();
        (root.intent, root.extent, root.untried) = (intent, everything, attributes);
        self.nodes.push(root);
        self.nodes[0].prepare(self.width, attributes);
        let mut depth = 0;
        while self.stop == SearchStop::Complete {
            let node = &mut self.nodes[depth];
            if node.untried == node.first {
                if depth == 0 {
                    break;
                }
                depth -= 1;
                continue;
            }
            node.untried -= 1;
            if !contains(&node.intent, node.untried) && self.try_child(depth) {
                depth += 1;
            }
        }
    }

    /// Adds the next attribute. Returns whether the walk continues below.
    fn try_child(&mut self, depth: usize) -> bool {
        self.steps += 1;
        if self.steps.is_multiple_of(STOP_CHECK_INTERVAL)
            && self.options.stop.is_some_and(|stop| stop())
        {
            self.stop = SearchStop::Requested;
            return false;
        }
        let node = &mut self.nodes[depth];
        node.update(&self.known);
        let attribute = node.untried;
        if !node.close_with(attribute, &self.known, &mut self.scratch.set) {
            return false;
        }
        let extent = &mut self.scratch.extent;
        extent.clear();
        extent.extend(node.extent.iter().zip(self.bitmap.column(attribute)).map(|(a, b)| a & b));
        if self.options.min_support > 0
            && self.support(&self.scratch.extent) < self.options.min_support
        {
            return false;
        }
        let Scratch { set, extent, intent } = &mut self.scratch;
        self.bitmap.intent_into(extent, set, intent);
        if intent != set {
            self.record();
        }
        if self.stop != SearchStop::Complete
            || adds_before(&self.nodes[depth].intent, &self.scratch.intent, attribute)
        {
            return false;
        }
        self.descend(depth, attribute);
        true
    }

    /// Creates the child node from the scratch memory.
    fn descend(&mut self, depth: usize, attribute: usize) {
        if self.nodes.len() == depth + 1 {
            self.nodes.push(SearchNode::default());
        }
        let (above, below) = self.nodes.split_at_mut(depth + 1);
        let (parent, child) = (&above[depth], &mut below[0]);
        std::mem::swap(&mut child.intent, &mut self.scratch.intent);
        std::mem::swap(&mut child.extent, &mut self.scratch.extent);
        (child.first, child.untried) = (attribute + 1, self.bitmap.attributes());
        child.prepare(self.width, self.bitmap.attributes());
        child.inherit(parent, attribute, &self.known);
    }

    /// Records a pseudo-intent: the set, its closure and its extent are in the scratch memory.
    fn record(&mut self) {
        let recorded = self.supports.len() as u64;
        if self.options.most == Some(recorded) {
            self.stop = SearchStop::Limit;
            return;
        }
        self.known.push(&self.scratch.set, &self.scratch.intent);
        self.supports.push(self.support(&self.scratch.extent));
        if let Some(progress) = self.options.progress {
            progress.store(recorded + 1, Relaxed);
        }
    }

    fn support(&self, extent: &[u64]) -> u64 {
        match &self.weights {
            Some(weights) => members(extent).map(|row| weights[row]).sum(),
            None => count(extent),
        }
    }

    /// Returns all implications, in the attribute numbers of the relation.
    fn implications(&self, order: &[u32]) -> Vec<Implication> {
        let renumbered = |set: &mut dyn Iterator<Item = u64>| {
            let set: Vec<u64> = set.collect();
            let mut own = vec![0; self.width];
            members(&set).for_each(|new| insert(&mut own, order[new] as usize));
            own.into_boxed_slice()
        };
        (0..self.supports.len())
            .map(|index| {
                let (premise, closed) = (self.known.premise(index), self.known.closure(index));
                Implication {
                    premise: renumbered(&mut premise.iter().copied()),
                    conclusion: renumbered(&mut closed.iter().zip(premise).map(|(c, p)| c & !p)),
                    support: self.supports[index],
                }
            })
            .collect()
    }
}
