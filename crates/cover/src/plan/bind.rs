//! Programs on a table: what they mean in ranks.

use crate::table::{Column, Table};
use hashbrown::HashTable;
use pellucid_bits::as_u32;
use pellucid_program::{Domain, Leaf, Node, Op, ProgramId, Programs};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use thiserror::Error;

/// Why a program cannot be evaluated on a table.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum BindError {
    /// The table has no relations, or lacks a column.
    #[error("the program asks about a role or a column that the table lacks")]
    Roles,
    /// The pool was made for another schema.
    #[error("the programs are over {programs} columns and the table has {table}")]
    Schema {
        /// Columns of the pool's schema.
        programs: usize,
        /// Columns of the table.
        table: usize,
    },
}

/// A bound node or its negation.
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

/// What a bound node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoundNode<'a> {
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

/// All programs of a pool as far as they were met, on one table.
///
/// Disjunctions are negated conjunctions of negations, so that a formula and its negation share one node.
#[derive(Debug)]
pub(crate) struct Bound {
    nodes: Vec<Stored>,
    operands: Vec<Lit>,
    index: HashTable<u32>,
    /// By program: its literal, or nothing where it asks for what the table lacks.
    programs: Vec<Option<Lit>>,
    /// By node: whether it is made of leaves alone, or is one.
    flat: Vec<bool>,
}

impl Bound {
    pub(crate) fn new() -> Bound {
        let mut bound = Bound {
            nodes: Vec::new(),
            operands: Vec::new(),
            index: HashTable::new(),
            programs: Vec::new(),
            flat: Vec::new(),
        };
        bound.intern(Stored::True);
        bound
    }

    /// Forgets everything but keeps the memory it took.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.operands.clear();
        self.index.clear();
        self.programs.clear();
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

    pub(crate) fn node(&self, node: usize) -> BoundNode<'_> {
        view(&self.operands, self.nodes[node])
    }

    /// Binds every program of the pool that was not bound before. Operands come before what is made of them, so one
    /// pass in the order of the ids does it.
    pub(crate) fn extend(&mut self, programs: &Programs, table: &Table) -> Result<(), BindError> {
        if programs.schema().len() < table.columns().len() {
            return Err(BindError::Schema {
                programs: programs.schema().len(),
                table: table.columns().len(),
            });
        }
        let mut lits = Vec::new();
        for id in programs.ids_from(self.programs.len()) {
            let lit = match programs.node(id) {
                Node::Constant(value) => Some(if value { Lit::TRUE } else { Lit::FALSE }),
                // A pool may know of more than the table holds, if that is behind the table's columns.
                Node::Leaf(column, _) if column as usize >= table.columns().len() => None,
                Node::Leaf(column, leaf) => Some(self.leaf(programs, table, column, leaf)),
                Node::Not(operand) => self.programs[operand.index()].map(|lit| !lit),
                Node::And(operands) => {
                    self.collect(operands, false, &mut lits).then(|| self.and(&mut lits))
                }
                Node::Or(operands) => {
                    self.collect(operands, true, &mut lits).then(|| !self.and(&mut lits))
                }
                Node::Related { .. } => None,
            };
            self.programs.push(lit);
        }
        Ok(())
    }

    /// Gathers the literals of operands, negated or not; false where one has none.
    fn collect(&self, operands: &[ProgramId], negate: bool, lits: &mut Vec<Lit>) -> bool {
        lits.clear();
        let known = operands.iter().map_while(|operand| self.programs[operand.index()]);
        lits.extend(known.map(|lit| if negate { !lit } else { lit }));
        lits.len() == operands.len()
    }

    /// The literal of a program that was met.
    pub(crate) fn of(&self, program: ProgramId) -> Result<Lit, BindError> {
        self.programs[program.index()].ok_or(BindError::Roles)
    }

    fn leaf(&mut self, programs: &Programs, table: &Table, number: u32, leaf: Leaf<'_>) -> Lit {
        let column = &table.columns()[number as usize];
        let any = |bound: &mut Bound, ranks: &mut dyn Iterator<Item = Option<usize>>| {
            let mut lits: Vec<Lit> = ranks.map(|rank| !bound.equal(number, column, rank)).collect();
            !bound.and(&mut lits)
        };
        match (column.domain(), leaf) {
            (Domain::Boolean, _) => self.test(number, Test::Plane(column.planes().start)),
            (Domain::Numeric(values), Leaf::Number(op, other)) => {
                self.compare(number, column, values, op, other)
            }
            (Domain::Numeric(values), Leaf::Within(interval)) => {
                let above = if interval.low.closed { Op::GreaterEqual } else { Op::Greater };
                let below = if interval.high.closed { Op::LessEqual } else { Op::Less };
                let above = self.compare(number, column, values, above, interval.low.value);
                let below = self.compare(number, column, values, below, interval.high.value);
                self.and(&mut vec![above, below])
            }
            (Domain::Numeric(values), Leaf::AnyNumber(numbers)) => {
                any(self, &mut numbers.iter().map(|&number| place(values, number)))
            }
            (Domain::Nominal(categories), Leaf::Category(op, text)) => {
                let equal = self.equal(number, column, code(categories, programs.category(text)));
                if op == Op::NotEqual { self.but_valid(number, column, equal) } else { equal }
            }
            (Domain::Nominal(categories), Leaf::AnyCategory(texts)) => {
                any(self, &mut texts.iter().map(|&text| code(categories, programs.category(text))))
            }
            (Domain::Nominal(categories), Leaf::Contains(text)) => {
                let text = programs.category(text);
                let having = (0..categories.len()).filter(|&code| categories[code].contains(text));
                any(self, &mut having.map(Some))
            }
            // The pool does not make such a leaf for a schema of this table.
            _ => Lit::FALSE,
        }
    }

    fn compare(&mut self, number: u32, column: &Column, values: &[f64], op: Op, other: f64) -> Lit {
        let at_most = |bound: &mut Bound, count: usize| match count {
            0 => Lit::FALSE,
            count if count == values.len() => bound.valid(number, column),
            count => bound.at_most(number, column, count - 1),
        };
        let above = |bound: &mut Bound, count: usize| match count {
            0 => bound.valid(number, column),
            count if count == values.len() => Lit::FALSE,
            count => bound.test(number, Test::Above(as_u32(count - 1))),
        };
        let below = || values.partition_point(|&value| value < other);
        let up_to = || values.partition_point(|&value| value <= other);
        match op {
            Op::Less => at_most(self, below()),
            Op::LessEqual => at_most(self, up_to()),
            Op::Greater => above(self, up_to()),
            Op::GreaterEqual => above(self, below()),
            Op::Equal => self.equal(number, column, place(values, other)),
            Op::NotEqual => {
                let equal = self.equal(number, column, place(values, other));
                self.but_valid(number, column, equal)
            }
        }
    }

    /// `rank = rank`, or never when there is no such rank.
    fn equal(&mut self, number: u32, column: &Column, rank: Option<usize>) -> Lit {
        let planes = column.planes().len();
        match rank {
            None => Lit::FALSE,
            // Categories that no row has may lie beyond the planes.
            Some(rank) if rank >> planes != 0 => Lit::FALSE,
            Some(0) if planes == 0 => self.valid(number, column),
            Some(0) => self.at_most(number, column, 0),
            Some(rank) if rank + 1 == column.ranks() => {
                self.test(number, Test::Above(as_u32(rank - 1)))
            }
            Some(rank) => self.test(number, Test::Equal(as_u32(rank))),
        }
    }

    fn at_most(&mut self, number: u32, column: &Column, rank: usize) -> Lit {
        match column.validity() {
            None => !self.test(number, Test::Above(as_u32(rank))),
            Some(_) => self.test(number, Test::AtMost(as_u32(rank))),
        }
    }

    /// Where there is a value but `lit`, one test of this column, does not hold.
    fn but_valid(&mut self, number: u32, column: &Column, lit: Lit) -> Lit {
        if column.validity().is_none() {
            return !lit;
        }
        match (lit.negated(), self.node(lit.node())) {
            (false, BoundNode::Leaf(_, Test::Equal(rank))) => {
                self.test(number, Test::Unequal(rank))
            }
            (false, BoundNode::Leaf(_, Test::AtMost(rank))) => self.test(number, Test::Above(rank)),
            (false, BoundNode::Leaf(_, Test::Above(rank))) => self.test(number, Test::AtMost(rank)),
            _ => {
                let valid = self.valid(number, column);
                self.and(&mut vec![valid, !lit])
            }
        }
    }

    fn valid(&mut self, number: u32, column: &Column) -> Lit {
        column.validity().map_or(Lit::TRUE, |plane| self.test(number, Test::Plane(plane)))
    }

    fn test(&mut self, column: u32, test: Test) -> Lit {
        self.intern(Stored::Leaf(column, test))
    }

    fn and(&mut self, lits: &mut Vec<Lit>) -> Lit {
        let mut index = 0;
        while index < lits.len() {
            match (lits[index].negated(), self.node(lits[index].node())) {
                (false, BoundNode::True) => {
                    lits.swap_remove(index);
                }
                (true, BoundNode::True) => return Lit::FALSE,
                (false, BoundNode::And(inner)) => {
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
        let Bound { nodes, operands, index, flat, .. } = self;
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
            BoundNode::True | BoundNode::Leaf(..) => true,
            BoundNode::And(lits) => {
                lits.iter().all(|lit| !matches!(nodes[lit.node()], Stored::And { .. }))
            }
        });
        nodes.push(stored);
        index.insert_unique(hash, as_u32(id), |&other| self::hash(operands, nodes[other as usize]));
        Lit::of(id)
    }
}

fn view(operands: &[Lit], stored: Stored) -> BoundNode<'_> {
    match stored {
        Stored::True => BoundNode::True,
        Stored::Leaf(column, test) => BoundNode::Leaf(column, test),
        Stored::And { start, len } => {
            BoundNode::And(&operands[start as usize..(start + len) as usize])
        }
    }
}

fn hash(operands: &[Lit], stored: Stored) -> u64 {
    let mut state = FxHasher::default();
    match view(operands, stored) {
        BoundNode::True => {}
        BoundNode::Leaf(column, test) => (column, test).hash(&mut state),
        BoundNode::And(lits) => lits.hash(&mut state),
    }
    state.finish()
}

/// The place of a number among the distinct values.
fn place(values: &[f64], number: f64) -> Option<usize> {
    values.binary_search_by(|value| value.total_cmp(&number)).ok()
}

fn code(categories: &[String], category: &str) -> Option<usize> {
    categories.iter().position(|other| other == category)
}
