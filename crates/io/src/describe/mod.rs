//! Describes a table: the type, the role and the values of each column.
//!
//! [`describe`] reads a file exactly as [`read`](crate::read) does, and reports what it found: the
//! types, cells that do not have the type of their column, identifiers, and the target.
//!
//! ```
//! use pellucid_io::{ReadOptions, ColumnRole, describe_from};
//! let text = "size,colour,class\n1,red,a\n2,,b\n3,red,b\nx,blue,a\n5,red,a\n";
//! let table = describe_from(text.as_bytes(), "toys.csv", &ReadOptions::default())?;
//! assert_eq!((table.columns[0].missing, table.columns[0].misfits.count), (1, 1));
//! assert_eq!(table.columns[2].role, ColumnRole::Target { guessed: true });
//! # Ok::<(), pellucid_io::ReadError>(())
//! ```

mod show;

use std::collections::HashMap;
use std::hash::Hash;
use std::io::Read;
use std::path::Path;

use crate::assembly::frame::{GivenColumn, parse_columns};
use crate::assembly::load::{load, load_from};
use crate::assembly::read::{finish, read_bag_table, row_options};
use crate::columns::misfit::Misfits;
use crate::columns::name_words::{CODE, has_word};
use crate::columns::parsed::{ParsedColumn, ParsedTable};
use crate::columns::roles::AssignedRole;
use crate::source::error::ReadError;
use crate::source::options::ReadOptions;
use crate::typing::retype::counts;
use pellucid_data::{Dataset, DateFormat, Message, Values, message};

/// The description of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    /// The name of the table.
    pub name: String,
    /// The number of rows.
    pub rows: usize,
    /// The columns in the order of the file.
    pub columns: Vec<ColumnDescription>,
    /// The table of bags, if there is one.
    pub bags: Option<Box<Description>>,
    /// The assumptions of the reader, and what is unusual about the table.
    pub notes: Vec<Message>,
}

/// The description of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnDescription {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: ColumnRole,
    /// Its type and a summary of its values.
    pub content: ColumnContent,
    /// The number of missing values, including the misfits.
    pub missing: usize,
    /// The number of distinct values.
    pub distinct: usize,
    /// The cells that do not have the column's type.
    pub misfits: Misfits,
}

/// The role of a column, as given or assumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnRole {
    /// A feature.
    Attribute,
    /// The target of the prediction.
    Target {
        /// Whether it was assumed, not named by the caller.
        guessed: bool,
    },
    /// The column that groups rows into bags.
    Bag,
    /// The column that names the rows, as given by the caller.
    Id,
    /// A column that identifies rows or bags and is skipped.
    Identifier,
    /// A column of dates.
    Date,
    /// A column of numbers that may be codes rather than quantities.
    Code,
    /// A column with only one value.
    Constant,
    /// A column that was not read.
    Ignored,
}

impl ColumnRole {
    /// Returns the name of the role.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ColumnRole::Attribute => "attribute",
            ColumnRole::Target { .. } => "target",
            ColumnRole::Bag => "bag",
            ColumnRole::Id => "id",
            ColumnRole::Identifier => "identifier",
            ColumnRole::Date => "date",
            ColumnRole::Code => "code",
            ColumnRole::Constant => "constant",
            ColumnRole::Ignored => "ignored",
        }
    }
}

/// The type of a column and a summary of its values.
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnContent {
    /// Numbers.
    Numbers {
        /// The minimum and the maximum, unless all values are missing.
        range: Option<(f64, f64)>,
        /// The unit, such as a currency.
        unit: Option<String>,
    },
    /// Dates.
    Dates {
        /// The date format.
        format: DateFormat,
        /// The earliest and the latest date, as numbers.
        range: Option<(f64, f64)>,
    },
    /// Text.
    Words {
        /// The most common values with their row counts, the most common first.
        common: Vec<(String, usize)>,
    },
    /// Boolean values.
    Truths {
        /// The number of rows that are true.
        yes: usize,
        /// The number of rows that are false.
        no: usize,
    },
    /// The column was not read.
    Unread,
}

/// The number of common values to keep per column.
const MOST_COMMON: usize = 10;

/// Describes a file, or standard input if the path is `-`.
///
/// # Errors
/// Describes the problem and its position in the file.
pub fn describe(path: &Path, options: &ReadOptions) -> Result<Description, ReadError> {
    Ok(examine(path, options)?.0)
}

/// Describes a table from any reader; see [`read_from`](crate::read_from).
///
/// # Errors
/// Describes the problem and its position in the input.
pub fn describe_from(
    mut reader: impl Read,
    name: &str,
    options: &ReadOptions,
) -> Result<Description, ReadError> {
    let table = load_from(&mut reader, name, &row_options(options))?;
    Ok(Description::examined(table, name, options)?.0)
}

/// Describes columns as [`describe`](crate::describe) describes the columns of a file.
///
/// # Errors
/// As [`from_columns`](crate::from_columns).
pub fn describe_columns(
    name: &str,
    columns: Vec<GivenColumn>,
    options: &ReadOptions,
) -> Result<Description, ReadError> {
    let table = parse_columns(name, columns, options).map_err(|error| error.in_file(name))?;
    Ok(Description::examined(table, name, options)?.0)
}

/// Describes a file and reads it. The data set is the result of [`read`](crate::read); if that
/// fails, it is `None`, and the last note of the description is the error.
///
/// # Errors
/// Describes the problem and its position in the file, if its columns cannot be read.
pub fn examine(
    path: &Path,
    options: &ReadOptions,
) -> Result<(Description, Option<Dataset>), ReadError> {
    let table = load(path, &row_options(options))?;
    Description::examined(table, &path.display().to_string(), options)
}

impl Description {
    fn examined(
        table: ParsedTable,
        file: &str,
        options: &ReadOptions,
    ) -> Result<(Self, Option<Dataset>), ReadError> {
        let bag_table = read_bag_table(options)?;
        let mut description = Self::of(&table);
        description.bags = bag_table.as_ref().map(|bag_table| Box::new(Self::of(bag_table)));
        match finish(table, bag_table, options) {
            Ok(data) => {
                description.notes.clone_from(&data.notes);
                Ok((description, Some(data)))
            }
            Err(error) => {
                let error = error.in_file(file);
                description.notes.push(message!("cannot learn from this table: ", error.message()));
                Ok((description, None))
            }
        }
    }

    fn of(table: &ParsedTable) -> Self {
        let ParsedTable { name, columns, rows, notes, names, guessed_target, .. } = table;
        let read = columns.iter().map(|parsed| {
            (parsed.column.name.as_str(), ColumnDescription::of(parsed, *guessed_target))
        });
        let names_of_file = names.iter().map(String::as_str);
        let in_order =
            in_order_of(names_of_file, read, |name| ColumnDescription::unread(name.to_owned()));
        let (name, notes) = (name.clone(), notes.clone());
        Self { name, rows: *rows, columns: in_order, bags: None, notes }
    }
}

/// Returns the columns in the order of the file's names, with `unread` for names without a column.
/// Columns that the file does not have, such as numbered bags, come last. Each name is looked up
/// once.
fn in_order_of<K: Copy + Eq + Hash, T>(
    names: impl Iterator<Item = K>,
    columns: impl Iterator<Item = (K, T)>,
    unread: impl Fn(K) -> T,
) -> Vec<T> {
    let (keys, mut columns): (Vec<K>, Vec<Option<T>>) =
        columns.map(|(name, column)| (name, Some(column))).unzip();
    let indices: HashMap<K, usize> = keys.into_iter().zip(0..).collect();
    let mut in_order: Vec<T> = names
        .map(|name| {
            let index = indices.get(&name);
            index.and_then(|&index| columns[index].take()).unwrap_or_else(|| unread(name))
        })
        .collect();
    in_order.extend(columns.into_iter().flatten());
    in_order
}

impl ColumnDescription {
    fn unread(name: String) -> Self {
        let (role, content) = (ColumnRole::Ignored, ColumnContent::Unread);
        Self { name, role, content, missing: 0, distinct: 0, misfits: Misfits::default() }
    }

    fn of(parsed: &ParsedColumn, guessed_target: bool) -> Self {
        let values = &parsed.column.values;
        let (content, distinct) = content(values, parsed.date.as_ref(), parsed.unit.known());
        let role = match parsed.role {
            AssignedRole::Target => ColumnRole::Target { guessed: guessed_target },
            AssignedRole::Bag => ColumnRole::Bag,
            AssignedRole::Id => ColumnRole::Id,
            AssignedRole::Ignored => ColumnRole::Ignored,
            _ if parsed.identifier.is_some() => ColumnRole::Identifier,
            _ if distinct <= 1 => ColumnRole::Constant,
            _ if parsed.date.is_some() => ColumnRole::Date,
            AssignedRole::Feature if is_code(&parsed.column.name, values, distinct) => {
                ColumnRole::Code
            }
            _ => ColumnRole::Attribute,
        };
        let (missing, misfits) = (values.missing(), parsed.misfits.clone());
        Self { name: parsed.column.name.clone(), role, content, missing, distinct, misfits }
    }
}

fn content(
    values: &Values,
    date: Option<&DateFormat>,
    unit: Option<&String>,
) -> (ColumnContent, usize) {
    match values {
        Values::Numeric(numbers) => {
            let mut known: Vec<f64> =
                numbers.iter().copied().filter(|number| !number.is_nan()).collect();
            known.sort_unstable_by(f64::total_cmp);
            let range = known.first().copied().zip(known.last().copied());
            known.dedup();
            let content = match date {
                Some(format) => ColumnContent::Dates { format: format.clone(), range },
                None => ColumnContent::Numbers { range, unit: unit.cloned() },
            };
            (content, known.len())
        }
        Values::Nominal { codes, categories } => {
            let rows = counts(codes, categories.len());
            let mut common: Vec<(&String, usize)> =
                categories.iter().zip(rows).filter(|&(_, rows)| rows > 0).collect();
            // Stable, so that equally common values keep their order.
            common.sort_by_key(|&(_, rows)| std::cmp::Reverse(rows));
            let distinct = common.len();
            let shown =
                common.into_iter().take(MOST_COMMON).map(|(word, rows)| (word.clone(), rows));
            (ColumnContent::Words { common: shown.collect() }, distinct)
        }
        Values::Boolean(truths) => {
            let count =
                |wanted: bool| truths.iter().filter(|&&truth| truth == Some(wanted)).count();
            let (yes, no) = (count(true), count(false));
            (ColumnContent::Truths { yes, no }, usize::from(yes > 0) + usize::from(no > 0))
        }
    }
}

/// Whether numbers look like codes: integers with few distinct values or with a name that suggests codes.
fn is_code(name: &str, values: &Values, distinct: usize) -> bool {
    const FEW: usize = 12;
    let Values::Numeric(numbers) = values else { return false };
    let known = numbers.iter().filter(|number| !number.is_nan());
    let whole = known.clone().all(|number| number.fract() == 0.0 && *number >= 0.0);
    let few = (3..=FEW).contains(&distinct) && known.count() >= 5 * distinct;
    whole && distinct > 2 && (few || has_word(name, &CODE))
}

#[cfg(test)]
mod tests {
    use super::in_order_of;
    use std::cell::Cell;
    use std::hash::{Hash, Hasher};

    thread_local! {
        static COMPARED: Cell<usize> = const { Cell::new(0) };
    }

    /// A name that counts its comparisons.
    #[derive(Clone, Copy, Debug)]
    struct Name(usize);

    impl PartialEq for Name {
        fn eq(&self, other: &Name) -> bool {
            COMPARED.set(COMPARED.get() + 1);
            self.0 == other.0
        }
    }

    impl Eq for Name {}

    impl Hash for Name {
        fn hash<H: Hasher>(&self, state: &mut H) {
            self.0.hash(state);
        }
    }

    #[test]
    fn columns_are_found_with_few_comparisons_each() {
        const COLUMNS: usize = 5000;
        // Every third column was not read, the others are in reverse order, and one is not in the file.
        let read = (0..COLUMNS).rev().filter(|name| name % 3 != 0).chain([COLUMNS + 7]);
        let found =
            in_order_of((0..COLUMNS).map(Name), read.map(|name| (Name(name), name + 1)), |_| 0);
        let wanted = (0..COLUMNS).map(|name| if name % 3 == 0 { 0 } else { name + 1 });
        assert_eq!(found, wanted.chain([COLUMNS + 8]).collect::<Vec<_>>());
        // A few hash collisions are expected; a linear search would take millions of comparisons.
        assert!(COMPARED.get() < 10 * COLUMNS, "{} comparisons", COMPARED.get());
    }
}
