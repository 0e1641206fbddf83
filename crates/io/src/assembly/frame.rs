//! Tables in memory, such as data frames. They are processed like tables from files, so that both
//! give the same data set.
//!
//! ```
//! use pellucid_io::{Column, GivenColumn, ReadOptions, Values, from_columns};
//! let column = |name: &str, values| GivenColumn::from(Column { name: name.to_owned(), values });
//! let age = column("age", Values::Numeric(vec![34.0, 61.0, f64::NAN].into()));
//! let categories = vec!["yes".to_owned(), "no".to_owned()];
//! let ill = column("ill", Values::Nominal { codes: vec![1, 0, 1], categories });
//! let data = from_columns("visits", vec![age, ill], &ReadOptions::default().target("ill"))?;
//! assert_eq!((data.columns.len(), data.require_classes()?.codes.as_slice()), (1, &[0, 1, 0][..]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::assembly::read::finish;
use crate::cells::number;
use crate::cells::number_form::NumberForm;
use crate::columns::categories::{CategoryCollector, reorder, sort_categories};
use crate::columns::date_unit::{self, DateUnit};
use crate::columns::parsed::{ParsedColumn, ParsedTable, RowPositions};
use crate::columns::roles::{self, AssignedRole, Suggestions};
use crate::source::error::{ReadError, ReadProblem, shorten};
use crate::source::options::ReadOptions;
use crate::typing::retype::counts;
use crate::typing::types::assign_types;
use pellucid_data::{Column, Dataset, Values, message};

/// A column of a data frame.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenColumn {
    /// Its name and values. Categories may be in any order, and some of them may never occur.
    pub column: Column,
    /// The unit of its numbers, if they are dates.
    pub date_unit: Option<DateUnit>,
    /// Whether the frame declares its values as categories. If so, they are never converted to
    /// numbers or dates.
    pub declared: bool,
}

impl From<Column> for GivenColumn {
    fn from(column: Column) -> GivenColumn {
        GivenColumn { column, date_unit: None, declared: false }
    }
}

/// Builds a data set from columns. Roles are assigned as for a file, and text columns are typed as
/// for a file: they may become dates, numbers with a unit, or identifiers. Columns that the frame
/// declares as categories keep their type.
///
/// # Errors
/// Fails if columns differ in length or share a name, and otherwise as for a file.
pub fn from_columns(
    name: &str,
    columns: Vec<GivenColumn>,
    options: &ReadOptions,
) -> Result<Dataset, ReadError> {
    let table = parse_columns(name, columns, options);
    let data = table.and_then(|table| finish(table, None, options));
    data.map_err(|error| error.in_file(name))
}

/// Assigns roles and types to the columns of a data frame.
pub(crate) fn parse_columns(
    name: &str,
    columns: Vec<GivenColumn>,
    options: &ReadOptions,
) -> Result<ParsedTable, ReadError> {
    let names: Vec<String> = columns.iter().map(|given| given.column.name.clone()).collect();
    roles::check_names(&names)?;
    let rows = columns.first().map_or(0, |given| given.column.values.len());
    let mut notes = Vec::new();
    let suggestions =
        Suggestions { target: roles::by_name(&names), target_last: true, ..Suggestions::default() };
    let roles = roles::assign(&names, options, suggestions, &mut notes)?;
    let mut kept = Vec::with_capacity(columns.len());
    for (index, given) in columns.into_iter().enumerate() {
        let GivenColumn { column: Column { name, values }, date_unit, declared } = given;
        if values.len() != rows {
            let (name, found) = (shorten(&name), values.len());
            let problem = message!("column '{name}' has {found} rows; expected {rows}");
            return Err(ReadProblem::Options(problem).into());
        }
        let role = roles.of[index];
        if role == AssignedRole::Ignored {
            continue;
        }
        let as_it_is = match role {
            AssignedRole::Feature | AssignedRole::Numeric => true,
            AssignedRole::Date => date_unit.is_some(),
            _ => false,
        };
        let values = if as_it_is { values } else { words(values)? };
        let mut parsed = ParsedColumn::new(&roles, index, Column { name, values: tidy(values) });
        parsed.declared = declared;
        if let Some(counted) = date_unit {
            date_unit::date(&mut parsed, counted);
        }
        kept.push(parsed);
    }
    let mut table = ParsedTable {
        name: name.to_owned(),
        columns: kept,
        rows,
        positions: RowPositions::Rows,
        notes,
        form: NumberForm { decimal: options.decimal.unwrap_or('.'), thousands: options.thousands },
        has_first_column: roles.of.first().is_some_and(|&role| role != AssignedRole::Ignored),
        guessed_target: roles.guessed_target,
        names,
    };
    assign_types(&mut table, options)?;
    Ok(table)
}

/// Converts numbers and Booleans to categories, with the text that a file would have.
fn words(values: Values) -> Result<Values, ReadProblem> {
    let mut collector = CategoryCollector::default();
    match values {
        Values::Numeric(numbers) => {
            for &value in &numbers {
                match value.is_nan() {
                    true => collector.push_missing(),
                    false => collector.push(&number::print(value))?,
                }
            }
        }
        Values::Boolean(truths) => {
            for truth in truths {
                match truth {
                    None => collector.push_missing(),
                    Some(truth) => collector.push(if truth { "true" } else { "false" })?,
                }
            }
        }
        nominal @ Values::Nominal { .. } => return Ok(nominal),
    }
    Ok(collector.in_given_order())
}

/// Removes categories that do not occur, and sorts the others.
fn tidy(values: Values) -> Values {
    let Values::Nominal { codes, categories } = values else { return values };
    let rows = counts(&codes, categories.len());
    let occurring: Vec<usize> = (0..categories.len()).filter(|&code| rows[code] > 0).collect();
    let (codes, categories) = reorder(&codes, &categories, &occurring);
    let (codes, categories) = sort_categories(codes, categories);
    Values::Nominal { codes, categories }
}
