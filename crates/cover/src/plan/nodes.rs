//! Conjunctions of tests and of other conjunctions, each distinct one stored once. Binding creates
//! them and planners read them.
//!
//! Disjunctions are negated conjunctions of negations, so a formula and its negation share one
//! node.

use hashbrown::HashTable;
use pellucid_bits::as_u32;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// A node or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Lit(u32);

impl Lit {
    /// Always true; its negation is always false.
    pub(crate) const TRUE: Lit = Lit(0);
    /// Always false.
    pub(crate) const FALSE: Lit = Lit(1);

    fn of(node: usize) -> Lit {
        // Each node takes at least 12 bytes, so memory runs out long before 2^31 nodes.
        Lit(as_u32(node << 1))
    }

    pub(crate) fn negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn node(self) -> usize {
        self.0 as usize >> 1
    }

    /// Returns the literal as an index. Each node has two.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// A test on the planes of one column. It is false for missing values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Test {
    /// The plane itself.
    Plane(u32),
    /// `rank > cut`. All rank bits of a missing value are clear, so no validity test is needed.
    Above(u32),
    /// `rank <= cut`, in columns with missing values. In other columns it is the negation of
    /// `Above`.
    AtMost(u32),
    /// `rank = cut`, for a cut greater than zero.
    Equal(u32),
    /// `rank != cut`, in columns with missing values.
    Unequal(u32),
}

impl Test {
    /// Returns the cut of a comparison by order.
    #[inline(always)]
    pub(crate) fn by_order(self) -> Option<u32> {
        match self {
            Test::Above(cut) | Test::AtMost(cut) => Some(cut),
            Test::Plane(_) | Test::Equal(_) | Test::Unequal(_) => None,
        }
    }

    /// Returns whether the test is a comparison by order.
    pub(crate) fn is_by_order(self) -> bool {
        self.by_order().is_some()
    }
}

/// The content of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeView<'a> {
    True,
    Leaf(u32, Test),
    /// The AND of two or more literals, in ascending order. None is itself a plain `And`.
    And(&'a [Lit]),
}

#[derive(Clone, Copy, Debug)]
enum StoredNode {
    True,
    Leaf(u32, Test),
    And { start: u32, len: u32 },
}

/// All distinct nodes.
#[derive(Debug)]
pub(crate) struct Nodes {
    nodes: Vec<StoredNode>,
    operands: Vec<Lit>,
    index: HashTable<u32>,
    /// By node: whether it is a leaf or a conjunction of leaves only.
    flat: Vec<bool>,
}

impl Default for Nodes {
    fn default() -> Nodes {
        let (nodes, operands, flat) = (Vec::new(), Vec::new(), Vec::new());
        let mut empty = Nodes { nodes, operands, index: HashTable::new(), flat };
        empty.intern(StoredNode::True);
        empty
    }
}

impl Nodes {
    /// Clears everything but keeps the allocated memory.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.operands.clear();
        self.index.clear();
        self.flat.clear();
        self.intern(StoredNode::True);
    }

    /// Returns whether a node is a leaf or a conjunction of leaves only.
    pub(crate) fn is_flat(&self, node: usize) -> bool {
        self.flat[node]
    }

    /// Returns the number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the content of a node.
    pub(crate) fn node(&self, node: usize) -> NodeView<'_> {
        view(&self.operands, self.nodes[node])
    }

    /// Returns the literal of a test on a column.
    pub(crate) fn test(&mut self, column: u32, test: Test) -> Lit {
        self.intern(StoredNode::Leaf(column, test))
    }

    /// Returns the AND of literals. The content of the list is lost.
    pub(crate) fn and(&mut self, lits: &mut Vec<Lit>) -> Lit {
        let mut index = 0;
        while index < lits.len() {
            match (lits[index].negated(), self.node(lits[index].node())) {
                (false, NodeView::True) => {
                    lits.swap_remove(index);
                }
                (true, NodeView::True) => return Lit::FALSE,
                (false, NodeView::And(inner)) => {
                    lits.swap_remove(index);
                    lits.extend_from_slice(inner);
                }
                _ => index += 1,
            }
        }
        lits.sort_unstable();
        lits.dedup();
        if lits.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Lit::FALSE;
        }
        match lits[..] {
            [] => Lit::TRUE,
            [single] => single,
            _ => {
                let (start, len) = (as_u32(self.operands.len()), as_u32(lits.len()));
                self.operands.extend_from_slice(lits);
                self.intern(StoredNode::And { start, len })
            }
        }
    }

    fn intern(&mut self, stored: StoredNode) -> Lit {
        let Nodes { nodes, operands, index, flat } = self;
        let hash = hash(operands, stored);
        let same = |&other: &u32| view(operands, nodes[other as usize]) == view(operands, stored);
        if let Some(&known) = index.find(hash, same) {
            if let StoredNode::And { start, .. } = stored {
                operands.truncate(start as usize);
            }
            return Lit::of(known as usize);
        }
        let id = nodes.len();
        flat.push(match view(operands, stored) {
            NodeView::True | NodeView::Leaf(..) => true,
            NodeView::And(lits) => {
                lits.iter().all(|lit| !matches!(nodes[lit.node()], StoredNode::And { .. }))
            }
        });
        nodes.push(stored);
        index.insert_unique(hash, as_u32(id), |&other| self::hash(operands, nodes[other as usize]));
        Lit::of(id)
    }
}

fn view(operands: &[Lit], stored: StoredNode) -> NodeView<'_> {
    match stored {
        StoredNode::True => NodeView::True,
        StoredNode::Leaf(column, test) => NodeView::Leaf(column, test),
        StoredNode::And { start, len } => {
            NodeView::And(&operands[start as usize..(start + len) as usize])
        }
    }
}

fn hash(operands: &[Lit], stored: StoredNode) -> u64 {
    let mut state = FxHasher::default();
    match view(operands, stored) {
        NodeView::True => {}
        NodeView::Leaf(column, test) => (column, test).hash(&mut state),
        NodeView::And(lits) => lits.hash(&mut state),
    }
    state.finish()
}
