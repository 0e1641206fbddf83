use crate::plan::LeafJob;
use crate::plan::Test;
use crate::table::{Column, Table};
use pellucid_bits::as_u32;
use pellucid_program::{Domain, Expr, Op, Value};
use thiserror::Error;

/// A comparison of a column with one of its own values, or the opposite comparison.
///
/// | column | the comparison | its opposite |
/// |---|---|---|
/// | numeric | `column > value` | `column <= value` |
/// | nominal | `column = category` | `column != category` |
/// | boolean | `column` | `not column` |
///
/// The value is given by its rank, so a literal is two small numbers. A missing value satisfies no
/// comparison, as everywhere, and `not` is applied afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal {
    column: u32,
    /// The rank, and in the lowest bit whether the comparison is the opposite one.
    code: u32,
}

impl Literal {
    /// Creates the comparison of a column with its value of the given rank, or the opposite
    /// comparison.
    ///
    /// # Panics
    /// When the column or the rank is 2^31 or more. No table is that large.
    #[must_use]
    #[inline]
    pub fn new(column: u32, rank: u32, opposite: bool) -> Literal {
        assert!(
            column >> 31 == 0 && rank >> 31 == 0,
            "the column or rank of a literal must be below 2^31"
        );
        Literal { column, code: rank << 1 | u32::from(opposite) }
    }

    /// Returns the column that is compared.
    #[must_use]
    #[inline]
    pub fn column(self) -> u32 {
        self.column
    }

    /// Returns the rank of the value it is compared with.
    #[must_use]
    #[inline]
    pub fn rank(self) -> u32 {
        self.code >> 1
    }

    /// Returns whether this is the opposite comparison.
    #[must_use]
    #[inline]
    pub fn is_opposite(self) -> bool {
        self.code & 1 == 1
    }

    /// Returns the opposite comparison of the same column and value.
    #[must_use]
    #[inline]
    pub fn opposite(self) -> Literal {
        Literal { code: self.code ^ 1, ..self }
    }

    /// The rank, and in the lowest bit whether the comparison is the opposite one.
    #[inline]
    pub(super) fn code(self) -> u32 {
        self.code
    }

    /// Returns the literal as a number. Equal literals have equal numbers.
    #[inline]
    pub(super) fn number(self) -> u64 {
        u64::from(self.column) << 32 | u64::from(self.code)
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the number is split into halves")]
    pub(super) fn from_number(number: u64) -> Literal {
        Literal { column: (number >> 32) as u32, code: number as u32 }
    }

    /// Returns whether the table has this column and value.
    #[must_use]
    pub fn fits(self, table: &Table) -> bool {
        let column = table.columns().get(self.column as usize);
        column.is_some_and(|column| self.code < end_of_codes(column))
    }

    /// Returns the literal as an expression.
    ///
    /// # Panics
    /// When it does not [fit](Literal::fits) the table.
    #[must_use]
    pub fn expr(self, table: &Table) -> Expr {
        let column = &table.columns()[self.column as usize];
        let name = column.name().to_owned();
        let op = |plain, opposite| if self.is_opposite() { opposite } else { plain };
        match column.domain() {
            Domain::Numeric(values) => {
                let value = Value::Number(values[self.rank() as usize]);
                Expr::Compare(name, op(Op::Greater, Op::LessEqual), value)
            }
            Domain::Nominal(categories) => {
                let value = Value::Text(categories[self.rank() as usize].clone());
                Expr::Compare(name, op(Op::Equal, Op::NotEqual), value)
            }
            Domain::Boolean if self.is_opposite() => Expr::Not(Box::new(Expr::Is(name))),
            Domain::Boolean => Expr::Is(name),
        }
    }

    /// Returns whether the literal covers a row, according to the specification.
    pub(super) fn covers(self, table: &Table, row: usize) -> bool {
        let rank = table.rank(row, self.column as usize);
        let (mine, opposite) = (self.rank(), self.is_opposite());
        match table.columns()[self.column as usize].domain() {
            Domain::Boolean => (rank == Some(1)) != opposite,
            Domain::Numeric(_) => rank.is_some_and(|rank| (rank > mine) != opposite),
            Domain::Nominal(_) => rank.is_some_and(|rank| (rank == mine) != opposite),
        }
    }

    /// Returns the test that a device computes for the literal.
    pub(super) fn job(self, columns: &[Column]) -> LeafJob {
        let column = &columns[self.column as usize];
        let (rank, opposite) = (self.rank(), self.is_opposite());
        let planes = column.planes().len();
        let by_order = |cut, above: bool| match column.validity() {
            None => (Test::Above(cut), !above),
            Some(_) if above => (Test::Above(cut), false),
            Some(_) => (Test::AtMost(cut), false),
        };
        let (test, negate) = match column.domain() {
            Domain::Boolean => (Test::Plane(column.planes().start), opposite),
            Domain::Numeric(_) => by_order(rank, !opposite),
            // Categories that occur in no row may have ranks beyond the planes. No rank is above
            // the highest one, so that test is always false.
            Domain::Nominal(_) if u64::from(rank) >> planes != 0 => {
                by_order(u32::MAX.unbounded_shr(32 - as_u32(planes)), !opposite)
            }
            Domain::Nominal(_) if rank == 0 => by_order(0, opposite),
            Domain::Nominal(_) => match (column.validity(), opposite) {
                (None, opposite) => (Test::Equal(rank), opposite),
                (Some(_), false) => (Test::Equal(rank), false),
                (Some(_), true) => (Test::Unequal(rank), false),
            },
        };
        LeafJob { column: self.column, test, negate }
    }
}

/// Returns the number of values of a column that a literal may refer to. A boolean column has one,
/// because it is not compared with a value.
fn comparable_values(column: &Column) -> usize {
    if *column.domain() == Domain::Boolean { 1 } else { column.ranks() }
}

/// Returns one past the largest [code](Literal::code) that fits a column. Every value has two
/// codes.
pub(super) fn end_of_codes(column: &Column) -> u32 {
    u32::try_from(2 * comparable_values(column)).unwrap_or(u32::MAX)
}

/// The reason why a literal does not fit a table.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LiteralError {
    /// The table has no such column.
    #[error(
        "a literal uses column {column}, but the table has {columns} columns (numbered from 0)"
    )]
    Column {
        /// The number of the column.
        column: u32,
        /// The number of columns in the table.
        columns: usize,
    },
    /// The column has no such value.
    #[error(
        "a literal compares column '{column}' with rank {rank}; expected a rank below {values}"
    )]
    Rank {
        /// The name of the column.
        column: String,
        /// The rank in the literal.
        rank: u32,
        /// The number of values a literal may refer to.
        values: usize,
    },
}

impl LiteralError {
    /// Describes why a literal does not fit the table.
    pub(super) fn new(literal: Literal, table: &Table) -> LiteralError {
        match table.columns().get(literal.column as usize) {
            None => LiteralError::Column { column: literal.column, columns: table.columns().len() },
            Some(column) => LiteralError::Rank {
                column: column.name().to_owned(),
                rank: literal.rank(),
                values: comparable_values(column),
            },
        }
    }
}
