//! Programs on a table: what they mean in ranks.

use super::nodes::{Lit, NodeView, Nodes, Test};
use crate::table::{Column, Table};
use hashbrown::HashTable;
use pellucid_bits::as_u32;
use pellucid_program::{Domain, Leaf, Node, Op, ProgramId, Programs};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
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

/// All programs of a pool as far as they were met, on one table.
#[derive(Debug, Default)]
pub(crate) struct BoundPrograms {
    nodes: Nodes,
    /// By program: its literal, or nothing where it asks for what the table lacks.
    programs: Vec<Option<Lit>>,
    codes: CategoryCodes,
}

/// Finds the codes of categories, by column.
#[derive(Debug, Default)]
struct CategoryCodes(FxHashMap<u32, HashTable<u32>>);

impl CategoryCodes {
    /// Columns with fewer categories are searched one category after the other.
    const FEW: usize = 16;

    /// The code of a category of a column.
    fn find(&mut self, column: u32, categories: &[String], category: &str) -> Option<usize> {
        if categories.len() < Self::FEW {
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
    /// Forgets everything but keeps the memory it took.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.programs.clear();
        self.codes.0.clear();
    }

    /// What the programs are made of.
    pub(crate) fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    /// Binds every program of the pool that was not bound before. Operands come before what is made of them,
    /// so one pass in the order of the ids does it.
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
                any(self, &mut numbers.iter().map(|&number| place(values, number)))
            }
            (Domain::Nominal(categories), Leaf::Category(op, text)) => {
                let code = self.codes.find(number, categories, programs.category(text));
                let equal = self.equal(number, column, code);
                if op == Op::NotEqual { self.but_valid(number, column, equal) } else { equal }
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
            // The pool does not make such a leaf for a schema of this table.
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

    /// Where there is a value but `lit`, one test of this column, does not hold.
    fn but_valid(&mut self, number: u32, column: &Column, lit: Lit) -> Lit {
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

/// The place of a number among the distinct values.
fn place(values: &[f64], number: f64) -> Option<usize> {
    values.binary_search_by(|value| value.total_cmp(&number)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Comparing every category with every other one would take minutes.
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
