//! What `pellucid-bench logic` measures: the cells of the paper's tables, and some of our own.

use crate::arguments::LogicTable;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Conjunction,
    Disjunction,
    Some,
    Only,
    /// `min 2`.
    Min,
    /// `max 2`.
    Max,
    /// Some value of at least a number.
    AtLeastValue,
    /// Some value that is a text.
    EqualText,
    /// Some value with a text in it.
    ContainText,
}

impl Operation {
    pub(super) fn name(self) -> &'static str {
        match self {
            Operation::Conjunction => "conjunction",
            Operation::Disjunction => "disjunction",
            Operation::Some => "some",
            Operation::Only => "only",
            Operation::Min => "min 2",
            Operation::Max => "max 2",
            Operation::AtLeastValue => "number >=",
            Operation::EqualText => "text =",
            Operation::ContainText => "text contains",
        }
    }

    /// Whether values are asked for, and not individuals.
    pub(super) fn of_values(self) -> bool {
        matches!(self, Operation::AtLeastValue | Operation::EqualText | Operation::ContainText)
    }
}

/// The distribution of the assertions of a role over individuals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// One individual has them all, each with its own object. In the paper all values are equal;
    /// equal assertions count once, so a single assertion is left.
    SingleSubject,
    /// One individual has them all, each with its own value.
    SingleSubjectManyValues,
    /// Each individual has one, with its own object; all values are equal.
    UniqueSubjects,
    /// Each individual has one, with its own value.
    UniqueSubjectsManyValues,
    /// Each individual has one, with an object drawn at random.
    RandomObjects,
    /// Few individuals have most of them; objects are drawn at random.
    Skewed,
}

impl Layout {
    pub(super) fn name(self) -> &'static str {
        match self {
            Layout::SingleSubject => "single subject",
            Layout::SingleSubjectManyValues => "single subject, many values",
            Layout::UniqueSubjects => "unique subjects",
            Layout::UniqueSubjectsManyValues => "unique subjects, many values",
            Layout::RandomObjects => "random objects",
            Layout::Skewed => "skewed degrees",
        }
    }
}

/// One figure to be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) table: LogicTable,
    pub(super) operation: Operation,
    pub(super) layout: Option<Layout>,
    pub(super) individuals: usize,
    /// How many concepts are joined; 0 for restrictions.
    pub(super) concepts: usize,
    /// As the paper counts them; 0 without a role.
    pub(super) assertions: usize,
    /// How many are asked together.
    pub(super) hypotheses: usize,
}

impl Cell {
    /// Whether whole hypotheses are measured, and not an operator.
    pub(super) fn is_whole(&self) -> bool {
        self.table == LogicTable::Vi
    }

    fn joined(table: LogicTable, operation: Operation, individuals: usize, number: usize) -> Cell {
        let concepts = number;
        Cell { table, operation, layout: None, individuals, concepts, assertions: 0, hypotheses: 1 }
    }

    fn related(table: LogicTable, operation: Operation, layout: Layout, assertions: usize) -> Cell {
        let layout = Some(layout);
        let individuals = assertions;
        Cell { table, operation, layout, individuals, concepts: 0, assertions, hypotheses: 1 }
    }
}

/// Hypotheses of a batch of our own rows.
pub(super) const BATCH: usize = 512;

/// The cells of some tables, those of one world after the other.
pub(super) fn cells(tables: &[LogicTable], quick: bool) -> Vec<Cell> {
    tables.iter().flat_map(|&table| of_table(table, quick)).collect()
}

fn of_table(table: LogicTable, quick: bool) -> Vec<Cell> {
    let sizes: &[usize] = if quick {
        &[10, 1_000]
    } else {
        &[10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000]
    };
    let million = if quick { 1_000 } else { 1_000_000 };
    let both = [Layout::SingleSubject, Layout::UniqueSubjects];
    let restrictions = |operations: &[Operation], layouts: &[Layout]| {
        let mut cells = Vec::new();
        for &layout in layouts {
            for &size in sizes {
                let cell = |&operation| Cell::related(table, operation, layout, size);
                cells.extend(operations.iter().map(cell));
            }
        }
        cells
    };
    match table {
        LogicTable::Ii => {
            let operations = [Operation::Conjunction, Operation::Disjunction];
            let of_5 = sizes.iter().flat_map(|&size| {
                operations.map(|operation| Cell::joined(table, operation, size, 5))
            });
            let of_many = [1, 2, 4, 8, 16, 32].into_iter().flat_map(|number| {
                operations.map(|operation| Cell::joined(table, operation, million, number))
            });
            of_5.chain(of_many).collect()
        }
        LogicTable::Iii => restrictions(&[Operation::Some, Operation::Only], &both),
        LogicTable::Iv => restrictions(&[Operation::Min, Operation::Max], &both),
        LogicTable::V => {
            let values = [Operation::AtLeastValue, Operation::EqualText, Operation::ContainText];
            let layouts =
                [Layout::SingleSubject, Layout::SingleSubjectManyValues, Layout::UniqueSubjects];
            restrictions(&values, &layouts)
        }
        LogicTable::Vi => {
            let numbers: &[usize] =
                if quick { &[1, 10] } else { &[1, 10, 100, 200, 400, 600, 800, 1_000, 10_000] };
            let cell = |&hypotheses| Cell {
                hypotheses,
                ..Cell::joined(table, Operation::Conjunction, million, 5)
            };
            numbers.iter().map(cell).collect()
        }
        LogicTable::Own => {
            let mut cells = Vec::new();
            for layout in [Layout::RandomObjects, Layout::Skewed] {
                let operations = [Operation::Some, Operation::Only, Operation::Min, Operation::Max];
                cells.extend(
                    operations.map(|operation| Cell::related(table, operation, layout, million)),
                );
            }
            for layout in [Layout::UniqueSubjects, Layout::RandomObjects, Layout::Skewed] {
                cells.extend([Operation::Some, Operation::Min].map(|operation| Cell {
                    hypotheses: BATCH,
                    ..Cell::related(table, operation, layout, million)
                }));
            }
            let values = [Operation::AtLeastValue, Operation::EqualText, Operation::ContainText];
            let many = Layout::UniqueSubjectsManyValues;
            cells.extend(values.map(|operation| Cell::related(table, operation, many, million)));
            cells
        }
    }
}
