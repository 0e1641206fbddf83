//! Conjunctions of tests and of each other, every distinct one once: what programs mean, and what planners
//! read.
//!
//! Disjunctions are negated conjunctions of negations, so that a formula and its negation share one node.

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
        // Nodes take 12 bytes or more each: memory ends long before 2^31 of them.
        Lit(as_u32(node << 1))
    }

    pub(crate) fn negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn node(self) -> usize {
        self.0 as usize >> 1
    }

    /// The literal as an index: two per node.
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

/// A test on the planes of one column, false on missing values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Test {
    /// The plane itself.
    Plane(u32),
    /// `rank > cut`. Missing values have all rank bits clear, so no other test is needed.
    Above(u32),
    /// `rank <= cut`, in columns with missing values; in others it is the negation of `Above`.
    AtMost(u32),
    /// `rank = cut`, for a cut above zero.
    Equal(u32),
    /// `rank != cut`, in columns with missing values.
    Unequal(u32),
}

impl Test {
    /// The cut of a comparison by order.
    #[inline(always)]
    pub(crate) fn by_order(self) -> Option<u32> {
        match self {
            Test::Above(cut) | Test::AtMost(cut) => Some(cut),
            Test::Plane(_) | Test::Equal(_) | Test::Unequal(_) => None,
        }
    }

    /// Whether it is a comparison by order.
    pub(crate) fn is_by_order(self) -> bool {
        self.by_order().is_some()
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeView<'a> {
    True,
    Leaf(u32, Test),
    /// All of them; ascending, two or more, none a plain `And`.
    And(&'a [Lit]),
}

#[derive(Clone, Copy, Debug)]
enum Stored {
    True,
    Leaf(u32, Test),
    And { start: u32, len: u32 },
}

/// All nodes that were met.
#[derive(Debug)]
pub(crate) struct Nodes {
    nodes: Vec<Stored>,
    operands: Vec<Lit>,
    index: HashTable<u32>,
    /// By node: whether it is made of leaves alone, or is one.
    flat: Vec<bool>,
}

impl Default for Nodes {
    fn default() -> Nodes {
        let (nodes, operands, flat) = (Vec::new(), Vec::new(), Vec::new());
        let mut empty = Nodes { nodes, operands, index: HashTable::new(), flat };
        empty.intern(Stored::True);
        empty
    }
}

impl Nodes {
    /// Forgets everything but keeps the memory it took.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.operands.clear();
        self.index.clear();
        self.flat.clear();
        self.intern(Stored::True);
    }

    /// Whether a node is a leaf, or a conjunction of leaves alone.
    pub(crate) fn is_flat(&self, node: usize) -> bool {
        self.flat[node]
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// What a node is.
    pub(crate) fn node(&self, node: usize) -> NodeView<'_> {
        view(&self.operands, self.nodes[node])
    }

    /// A test on a column.
    pub(crate) fn test(&mut self, column: u32, test: Test) -> Lit {
        self.intern(Stored::Leaf(column, test))
    }

    /// All of some literals; what was in the list is lost.
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
                self.intern(Stored::And { start, len })
            }
        }
    }

    fn intern(&mut self, stored: Stored) -> Lit {
        let Nodes { nodes, operands, index, flat } = self;
        let hash = hash(operands, stored);
        let same = |&other: &u32| view(operands, nodes[other as usize]) == view(operands, stored);
        if let Some(&known) = index.find(hash, same) {
            if let Stored::And { start, .. } = stored {
                operands.truncate(start as usize);
            }
            return Lit::of(known as usize);
        }
        let id = nodes.len();
        flat.push(match view(operands, stored) {
            NodeView::True | NodeView::Leaf(..) => true,
            NodeView::And(lits) => {
                lits.iter().all(|lit| !matches!(nodes[lit.node()], Stored::And { .. }))
            }
        });
        nodes.push(stored);
        index.insert_unique(hash, as_u32(id), |&other| self::hash(operands, nodes[other as usize]));
        Lit::of(id)
    }
}

fn view(operands: &[Lit], stored: Stored) -> NodeView<'_> {
    match stored {
        Stored::True => NodeView::True,
        Stored::Leaf(column, test) => NodeView::Leaf(column, test),
        Stored::And { start, len } => {
            NodeView::And(&operands[start as usize..(start + len) as usize])
        }
    }
}

fn hash(operands: &[Lit], stored: Stored) -> u64 {
    let mut state = FxHasher::default();
    match view(operands, stored) {
        NodeView::True => {}
        NodeView::Leaf(column, test) => (column, test).hash(&mut state),
        NodeView::And(lits) => lits.hash(&mut state),
    }
    state.finish()
}
