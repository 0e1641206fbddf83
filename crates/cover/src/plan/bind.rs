//! Binds programs to a table: values become ranks.

use super::nodes::{Lit, NodeView, Nodes, Test};
use crate::table::{Column, Table};
use hashbrown::HashTable;
use pellucid_bits::as_u32;
use pellucid_program::{Domain, Leaf, Node, Op, ProgramId, Programs};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use thiserror::Error;

/// The reason why a program cannot be evaluated on a table.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum BindError {
    /// The program uses a role or a column that the table does not have.
    #[error("the program uses a role or a column that the table does not have")]
    Roles,
    /// The pool was created for another schema.
    #[error("the programs use {programs} columns, but the table has {table}")]
    Schema {
        /// The number of columns in the pool's schema.
        programs: usize,
        /// The number of columns in the table.
        table: usize,
    },
}

/// The programs of a pool that were bound to one table so far.
#[derive(Debug, Default)]
pub(crate) struct BoundPrograms {
    nodes: Nodes,
    /// By program: its literal, or `None` if it uses something the table does not have.
    programs: Vec<Option<Lit>>,
    codes: CategoryCodes,
}

/// Finds the codes of categories, by column.
#[derive(Debug, Default)]
struct CategoryCodes(FxHashMap<u32, HashTable<u32>>);

impl CategoryCodes {
    /// Columns with fewer categories are searched linearly.
    const LINEAR_SEARCH_BELOW: usize = 16;

    /// Returns the code of a category of a column.
    fn find(&mut self, column: u32, categories: &[String], category: &str) -> Option<usize> {
        if categories.len() < Self::LINEAR_SEARCH_BELOW {
            return categories.iter().position(|other| other == category);
        }
        let text = |code: u32| categories[code as usize].as_str();
        let index = self.0.entry(column).or_insert_with(|| {
            let mut index = HashTable::with_capacity(categories.len());
            for code in 0..as_u32(categories.len()) {
                let same = |&other: &u32| text(other) == text(code);
                index.entry(hash(text(code)), same, |&other| hash(text(other))).or_insert(code);
            }
            index
        });
        index.find(hash(category), |&code| text(code) == category).map(|&code| code as usize)
    }
}

fn hash(text: &str) -> u64 {
    FxBuildHasher.hash_one(text)
}

impl BoundPrograms {
    /// Clears everything but keeps the allocated memory.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.programs.clear();
        self.codes.0.clear();
    }

    /// Returns the nodes that the programs consist of.
    pub(crate) fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    /// Binds every program of the pool that is not bound yet. Operands precede the programs that
    /// use them, so one pass in the order of the ids is enough.
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
                // A pool may have more columns than the table, as long as they come after the
                // table's columns.
                Node::Leaf(column, _) if column as usize >= table.columns().len() => None,
                Node::Leaf(column, leaf) => Some(self.leaf(programs, table, column, leaf)),
                Node::Not(operand) => self.programs[operand.index()].map(|lit| !lit),
                Node::And(operands) => {
                    self.collect(operands, false, &mut lits).then(|| self.nodes.and(&mut lits))
                }
                Node::Or(operands) => {
                    self.collect(operands, true, &mut lits).then(|| !self.nodes.and(&mut lits))
                }
                Node::Related { .. } => None,
            };
            self.programs.push(lit);
        }
        Ok(())
    }

    /// Collects the literals of operands, negated if `negate` is set. Returns false if an operand
    /// has no literal.
    fn collect(&self, operands: &[ProgramId], negate: bool, lits: &mut Vec<Lit>) -> bool {
        lits.clear();
        let known = operands.iter().map_while(|operand| self.programs[operand.index()]);
        lits.extend(known.map(|lit| if negate { !lit } else { lit }));
        lits.len() == operands.len()
    }

    /// Returns the literal of a bound program.
    pub(crate) fn of(&self, program: ProgramId) -> Result<Lit, BindError> {
        self.programs[program.index()].ok_or(BindError::Roles)
    }

    fn leaf(&mut self, programs: &Programs, table: &Table, number: u32, leaf: Leaf<'_>) -> Lit {
        let column = &table.columns()[number as usize];
        let any = |bound: &mut BoundPrograms, ranks: &mut dyn Iterator<Item = Option<usize>>| {
            let mut lits: Vec<Lit> = ranks.map(|rank| !bound.equal(number, column, rank)).collect();
            !bound.nodes.and(&mut lits)
        };
        match (column.domain(), leaf) {
            (Domain::Boolean, _) => self.nodes.test(number, Test::Plane(column.planes().start)),
            (Domain::Numeric(values), Leaf::Number(op, other)) => {
                self.compare(number, column, values, op, other)
            }
            (Domain::Numeric(values), Leaf::Within(interval)) => {
                let above = if interval.low.closed { Op::GreaterEqual } else { Op::Greater };
                let below = if interval.high.closed { Op::LessEqual } else { Op::Less };
                let above = self.compare(number, column, values, above, interval.low.value);
                let below = self.compare(number, column, values, below, interval.high.value);
                self.nodes.and(&mut vec![above, below])
            }
            (Domain::Numeric(values), Leaf::AnyNumber(numbers)) => {
                any(self, &mut numbers.iter().map(|&number| rank_of(values, number)))
            }
            (Domain::Nominal(categories), Leaf::Category(op, text)) => {
                let code = self.codes.find(number, categories, programs.category(text));
                let equal = self.equal(number, column, code);
                if op == Op::NotEqual { self.valid_but_not(number, column, equal) } else { equal }
            }
            (Domain::Nominal(categories), Leaf::AnyCategory(texts)) => {
                let find = |&text| self.codes.find(number, categories, programs.category(text));
                let codes: Vec<Option<usize>> = texts.iter().map(find).collect();
                any(self, &mut codes.into_iter())
            }
            (Domain::Nominal(categories), Leaf::Contains(text)) => {
                let text = programs.category(text);
                let having = (0..categories.len()).filter(|&code| categories[code].contains(text));
                any(self, &mut having.map(Some))
            }
            // The pool never creates such a leaf for the schema of this table.
            _ => Lit::FALSE,
        }
    }

    fn compare(&mut self, number: u32, column: &Column, values: &[f64], op: Op, other: f64) -> Lit {
        let at_most = |bound: &mut BoundPrograms, count: usize| match count {
            0 => Lit::FALSE,
            count if count == values.len() => bound.valid(number, column),
            count => bound.at_most(number, column, count - 1),
        };
        let above = |bound: &mut BoundPrograms, count: usize| match count {
            0 => bound.valid(number, column),
            count if count == values.len() => Lit::FALSE,
            count => bound.nodes.test(number, Test::Above(as_u32(count - 1))),
        };
        let below = || values.partition_point(|&value| value < other);
        let up_to = || values.partition_point(|&value| value <= other);
        match op {
            Op::Less => at_most(self, below()),
            Op::LessEqual => at_most(self, up_to()),
            Op::Greater => above(self, up_to()),
            Op::GreaterEqual => above(self, below()),
            Op::Equal => self.equal(number, column, rank_of(values, other)),
            Op::NotEqual => {
                let equal = self.equal(number, column, rank_of(values, other));
                self.valid_but_not(number, column, equal)
            }
        }
    }

    /// Returns the test `rank = rank`, or false if there is no such rank.
    fn equal(&mut self, number: u32, column: &Column, rank: Option<usize>) -> Lit {
        let planes = column.planes().len();
        match rank {
            None => Lit::FALSE,
            // Categories that occur in no row may have ranks beyond the planes.
            Some(rank) if rank >> planes != 0 => Lit::FALSE,
            Some(0) if planes == 0 => self.valid(number, column),
            Some(0) => self.at_most(number, column, 0),
            Some(rank) if rank + 1 == column.ranks() => {
                self.nodes.test(number, Test::Above(as_u32(rank - 1)))
            }
            Some(rank) => self.nodes.test(number, Test::Equal(as_u32(rank))),
        }
    }

    fn at_most(&mut self, number: u32, column: &Column, rank: usize) -> Lit {
        match column.validity() {
            None => !self.nodes.test(number, Test::Above(as_u32(rank))),
            Some(_) => self.nodes.test(number, Test::AtMost(as_u32(rank))),
        }
    }

    /// Returns the literal for rows that have a value but for which `lit`, a test on this column,
    /// is false.
    fn valid_but_not(&mut self, number: u32, column: &Column, lit: Lit) -> Lit {
        if column.validity().is_none() {
            return !lit;
        }
        match (lit.negated(), self.nodes.node(lit.node())) {
            (false, NodeView::Leaf(_, Test::Equal(rank))) => {
                self.nodes.test(number, Test::Unequal(rank))
            }
            (false, NodeView::Leaf(_, Test::AtMost(rank))) => {
                self.nodes.test(number, Test::Above(rank))
            }
            (false, NodeView::Leaf(_, Test::Above(rank))) => {
                self.nodes.test(number, Test::AtMost(rank))
            }
            _ => {
                let valid = self.valid(number, column);
                self.nodes.and(&mut vec![valid, !lit])
            }
        }
    }

    fn valid(&mut self, number: u32, column: &Column) -> Lit {
        column.validity().map_or(Lit::TRUE, |plane| self.nodes.test(number, Test::Plane(plane)))
    }
}

/// Returns the rank of a number among the distinct values.
fn rank_of(values: &[f64], number: f64) -> Option<usize> {
    values.binary_search_by(|value| value.total_cmp(&number)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A quadratic search would take minutes.
    #[test]
    fn codes_of_many_categories_are_found() {
        for count in [3, 15, 16, 200_000] {
            let mut categories: Vec<String> = (0..count).map(|code| format!("c{code}")).collect();
            categories.push("c1".to_owned());
            let mut codes = CategoryCodes::default();
            for code in 0..count {
                assert_eq!(codes.find(0, &categories, &format!("c{code}")), Some(code));
            }
            assert_eq!(codes.find(0, &categories, "other"), None);
            assert_eq!(codes.find(1, &categories[..1], "c1"), None);
        }
    }
}
