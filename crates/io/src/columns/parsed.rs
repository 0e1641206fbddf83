//! The output of the table readers: columns with roles and positions.

use crate::cells::number_form::NumberForm;
use crate::cells::units::UnitHint;
use crate::columns::misfit::Misfits;
use crate::columns::roles::{AssignedRole, Roles};
use crate::source::error::Position;
use pellucid_data::{Column, DateFormat, MISSING, Message, Values};

/// The output of a reader: every column that is not ignored, with its role.
#[derive(Debug)]
pub(crate) struct ParsedTable {
    pub(crate) name: String,
    pub(crate) columns: Vec<ParsedColumn>,
    pub(crate) rows: usize,
    /// The position of each row in the file.
    pub(crate) positions: RowPositions,
    pub(crate) notes: Vec<Message>,
    /// The number format of the file.
    pub(crate) form: NumberForm,
    /// The names of all columns of the file.
    pub(crate) names: Vec<String>,
    /// Whether the first column here is also the first column of the file, which may name the bags.
    pub(crate) has_first_column: bool,
    /// Whether the target was assumed, not named by the caller.
    pub(crate) guessed_target: bool,
}

/// A column and what the readers found out about it.
#[derive(Debug)]
pub(crate) struct ParsedColumn {
    pub(crate) role: AssignedRole,
    pub(crate) column: Column,
    /// The cells that do not have the column's type.
    pub(crate) misfits: Misfits,
    /// The format of its dates, if it holds dates.
    pub(crate) date: Option<DateFormat>,
    /// The unit of its numbers, such as a currency.
    pub(crate) unit: UnitHint,
    /// The categories that a model knows for it.
    pub(crate) words: Vec<String>,
    /// Whether the file declares its values.
    pub(crate) declared: bool,
    /// Whether it was read as text only because it may name the bags.
    pub(crate) may_name_bags: bool,
    /// Whether it stays a feature even if it looks like an identifier.
    pub(crate) kept: bool,
    /// Why it is an identifier and not a feature.
    pub(crate) identifier: Option<IdentifierKind>,
    /// Whether its spellings were merged.
    pub(crate) merged_spellings: bool,
    /// Its name in the file, if that has blanks around it.
    pub(crate) header: Option<String>,
}

impl ParsedColumn {
    /// Creates a column as it was read; `index` is its index in the file.
    pub(crate) fn new(roles: &Roles, index: usize, column: Column) -> Self {
        Self {
            role: roles.of[index],
            column,
            misfits: Misfits::default(),
            date: roles.dates[index].clone(),
            unit: roles.units[index].clone(),
            words: roles.words[index].clone(),
            declared: false,
            may_name_bags: false,
            kept: roles.kept[index],
            identifier: None,
            merged_spellings: false,
            header: None,
        }
    }
}

/// The positions of rows in the file.
#[derive(Debug)]
pub(crate) enum RowPositions {
    /// The line of each row.
    Lines(Vec<u64>),
    /// Row numbers, for sources without lines such as Parquet files and data frames.
    Rows,
}

impl RowPositions {
    pub(crate) fn of(&self, row: usize) -> Position {
        match self {
            Self::Lines(lines) => {
                lines.get(row).map_or(Position::WholeFile, |&line| Position::Line(line))
            }
            Self::Rows => Position::Row(row as u64 + 1),
        }
    }
}

/// A nominal column that becomes the target, the bags or the row names.
#[derive(Debug, Clone)]
pub(crate) struct CodedColumn {
    pub(crate) name: String,
    pub(crate) codes: Vec<u32>,
    pub(crate) categories: Vec<String>,
}

/// Why a column is an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IdentifierKind {
    /// Nearly every row has its own text.
    Rows,
    /// Every bag has its own value.
    Bags,
    /// The column numbers the rows.
    Numbering,
}

/// Returns the categories of a column; readers make columns with these roles nominal.
pub(crate) fn into_coded(column: Column) -> CodedColumn {
    match column.values {
        Values::Nominal { codes, categories } => {
            CodedColumn { name: column.name, codes, categories }
        }
        other => CodedColumn {
            name: column.name,
            codes: vec![MISSING; other.len()],
            categories: Vec::new(),
        },
    }
}
