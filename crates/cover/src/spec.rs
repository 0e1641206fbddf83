//! The specification: evaluates one row and one node at a time on the values themselves.
//!
//! This module does not use planes, tiles, slots or threads. It reads numbers and categories back
//! from the table and applies the definitions in [`pellucid_program`]. It is slow on purpose,
//! because it is the reference for every backend.

use crate::plan::{Hypothesis, Tallies};
use crate::table::{Labels, Space, Table};
use pellucid_bits::BitRows;
use pellucid_program::{Domain, Leaf, Node, Op, ProgramId, Programs};

/// Returns whether a program covers a row.
///
/// # Panics
/// When the program uses roles. Binding rejects such programs first.
#[must_use]
pub fn holds(table: &Table, programs: &Programs, root: ProgramId, row: usize) -> bool {
    match programs.node(root) {
        Node::Constant(value) => value,
        Node::Leaf(column, leaf) => leaf_covers(table, programs, column as usize, leaf, row),
        Node::Not(operand) => !holds(table, programs, operand, row),
        Node::And(operands) => operands.iter().all(|&operand| holds(table, programs, operand, row)),
        Node::Or(operands) => operands.iter().any(|&operand| holds(table, programs, operand, row)),
        Node::Related { .. } => unreachable!("a table of plain columns has no roles"),
    }
}

fn leaf_covers(
    table: &Table,
    programs: &Programs,
    column: usize,
    leaf: Leaf<'_>,
    row: usize,
) -> bool {
    // A missing value satisfies no comparison.
    let Some(rank) = table.rank(row, column) else { return false };
    match table.columns()[column].domain() {
        Domain::Boolean => rank == 1,
        Domain::Numeric(values) => {
            let number = values[rank as usize];
            match leaf {
                Leaf::Number(op, other) => op.holds(number, other),
                Leaf::Within(interval) => interval.contains(number),
                Leaf::AnyNumber(numbers) => numbers.contains(&number),
                Leaf::Is | Leaf::Category(..) | Leaf::AnyCategory(_) | Leaf::Contains(_) => false,
            }
        }
        Domain::Nominal(categories) => {
            let category = categories[rank as usize].as_str();
            match leaf {
                Leaf::Category(Op::NotEqual, text) => programs.category(text) != category,
                Leaf::Category(_, text) => programs.category(text) == category,
                Leaf::Contains(text) => category.contains(programs.category(text)),
                Leaf::AnyCategory(texts) => {
                    texts.iter().any(|&text| programs.category(text) == category)
                }
                Leaf::Is | Leaf::Number(..) | Leaf::Within(_) | Leaf::AnyNumber(_) => false,
            }
        }
    }
}

/// Counts, for each root, the covered examples of each class, or adds up their weights.
#[must_use]
pub fn tally(
    table: &Table,
    programs: &Programs,
    roots: &[ProgramId],
    labels: &Labels,
    hypothesis: Hypothesis,
) -> Tallies {
    let mut tallies = Tallies::zeros(roots.len(), labels.classes());
    let covers = |root: usize, row| holds(table, programs, roots[root], row);
    let weigh = |position, sums: &mut [u64]| labels.add_weights_at(position, sums);
    let sums = tallies.counts_mut().chunks_exact_mut(labels.classes());
    tally_by(table, labels.space(), hypothesis, covers, weigh, sums);
    tallies
}

/// Adds, for each root, the covered examples. `covers` decides by root and row; `count` adds the
/// example at a position.
pub(crate) fn tally_by<'a>(
    table: &Table,
    space: Space,
    hypothesis: Hypothesis,
    covers: impl Fn(usize, usize) -> bool,
    count: impl Fn(usize, &mut [u64]),
    counts: impl Iterator<Item = &'a mut [u64]>,
) {
    for (root, counts) in counts.enumerate() {
        let covered = |&row: &usize| covers(root, row);
        let mut count = |position: usize| count(position, counts);
        match (space, table.layout().bags()) {
            (Space::Rows, _) => {
                (0..table.rows())
                    .filter(covered)
                    .for_each(|row| count(table.layout().position(row)));
            }
            (Space::Bags, Some(bags)) => {
                let mut covered_rows = vec![0; bags.len()];
                (0..table.rows())
                    .filter(covered)
                    .for_each(|row| covered_rows[bags.bag_of(row) as usize] += 1);
                let positive = (0..bags.len()).filter(|&bag| hypothesis.holds(covered_rows[bag]));
                positive.for_each(|bag| count(bags.positions()[bag] as usize));
            }
            (Space::Bags, None) => {
                unreachable!("bag labels exist only for tables with bags")
            }
        }
    }
}

/// Returns the rows, in table order, that each root covers.
#[must_use]
pub fn cover(table: &Table, programs: &Programs, roots: &[ProgramId]) -> BitRows {
    cover_by(table, roots.len(), |root, row| holds(table, programs, roots[root], row))
}

/// Returns the rows that each of `roots` roots covers. `covers` decides by root and row.
pub(crate) fn cover_by(
    table: &Table,
    roots: usize,
    covers: impl Fn(usize, usize) -> bool,
) -> BitRows {
    let mut rows = BitRows::zeros(roots, table.rows());
    for root in 0..roots {
        (0..table.rows()).filter(|&row| covers(root, row)).for_each(|row| rows.set(root, row));
    }
    rows
}
