//! What a file holds, column by column, and what each column is probably for.
//!
//! Picture somebody who goes through a spreadsheet with a pencil before anything is learned from it: these are numbers, but not
//! in line 17; this names the rows; that is what you want to predict, I suppose. [`describe`] reads a file exactly as
//! [`read`](crate::read) does, and tells what it saw.
//!
//! ```
//! use pellucid_io::{ReadOptions, Role, describe_from};
//! let text = "size,colour,class\n1,red,a\n2,,b\n3,red,b\nx,blue,a\n5,red,a\n";
//! let told = describe_from(text.as_bytes(), "toys.csv", &ReadOptions::default())?;
//! assert_eq!((told.columns[0].missing, told.columns[0].misfits.count), (1, 1));
//! assert_eq!(told.columns[2].role, Role::Target { guessed: true });
//! # Ok::<(), pellucid_io::ReadError>(())
//! ```

mod show;

use std::collections::HashMap;
use std::hash::Hash;
use std::io::Read;
use std::path::Path;

use crate::assemble::{Part, Parts};
use crate::error::ReadError;
use crate::misfit::Misfits;
use crate::options::ReadOptions;
use crate::read::{finish, load, load_from, of_bags, of_rows};
use crate::retype::counts;
use crate::roles::ColumnRole;
use crate::words::{CODE, has_word};
use pellucid_data::{Dataset, DateFormat, Values};

/// What a file holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    /// What the table is called.
    pub name: String,
    /// How many rows there are.
    pub rows: usize,
    /// The columns in the order of the file.
    pub columns: Vec<ColumnDescription>,
    /// The table of bags, where there is one.
    pub bags: Option<Box<Description>>,
    /// What was assumed, and what is odd.
    pub notes: Vec<String>,
}

/// What a column holds.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnDescription {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub role: Role,
    /// What its cells are.
    pub content: Content,
    /// How many cells have no value, those that do not fit among them.
    pub missing: usize,
    /// How many different values there are.
    pub distinct: usize,
    /// The cells that do not fit the type of the others.
    pub misfits: Misfits,
}

/// What a column is for, as far as can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Something to learn from.
    Attribute,
    /// What is to be predicted.
    Target {
        /// Whether nobody said so.
        guessed: bool,
    },
    /// It says which rows belong together.
    Bag,
    /// It names the rows, as was told.
    Id,
    /// It names rows or bags, and is left out.
    Identifier,
    /// It holds dates.
    Date,
    /// Its numbers may be codes and no quantities.
    Code,
    /// It has one value only.
    Constant,
    /// It was to be left out.
    Ignored,
}

impl Role {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Role::Attribute => "attribute",
            Role::Target { .. } => "target",
            Role::Bag => "bag",
            Role::Id => "id",
            Role::Identifier => "identifier",
            Role::Date => "date",
            Role::Code => "code",
            Role::Constant => "constant",
            Role::Ignored => "ignored",
        }
    }
}

/// What the cells of a column are.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Numbers from the least to the greatest; nothing where all are missing.
    Numbers {
        /// The least and the greatest.
        range: Option<(f64, f64)>,
        /// What stands beside them, such as a currency.
        unit: Option<String>,
    },
    /// Dates from the earliest to the latest.
    Dates {
        /// How they are written.
        format: DateFormat,
        /// The earliest and the latest, as numbers.
        range: Option<(f64, f64)>,
    },
    /// Words, the most common first, each with the number of its rows.
    Words {
        /// The most common ones.
        common: Vec<(String, usize)>,
    },
    /// Truth values: how many are true and how many false.
    Truths {
        /// How many are true.
        yes: usize,
        /// How many are false.
        no: usize,
    },
    /// It was not read.
    Unread,
}

/// How many words of a column are told.
const TOLD: usize = 10;

/// Describes a file; standard input if the path is `-`.
///
/// # Errors
/// Says what is wrong with the file and where.
pub fn describe(path: &Path, options: &ReadOptions) -> Result<Description, ReadError> {
    Ok(examine(path, options)?.0)
}

/// Describes anything that yields bytes; see [`read_from`](crate::read_from).
///
/// # Errors
/// Says what is wrong with the input and where.
pub fn describe_from(
    mut reader: impl Read,
    name: &str,
    options: &ReadOptions,
) -> Result<Description, ReadError> {
    let parts = load_from(&mut reader, name, &of_rows(options))?;
    Ok(Description::examined(parts, name, options)?.0)
}

/// Describes a file and reads it: the data set is what [`read`](crate::read) gives, and there is none where that would be an error,
/// of which the description's last note tells.
///
/// # Errors
/// Says what is wrong with the file and where, if its columns cannot even be told.
pub fn examine(
    path: &Path,
    options: &ReadOptions,
) -> Result<(Description, Option<Dataset>), ReadError> {
    let parts = load(path, &of_rows(options))?;
    Description::examined(parts, &path.display().to_string(), options)
}

impl Description {
    pub(crate) fn examined(
        parts: Parts,
        file: &str,
        options: &ReadOptions,
    ) -> Result<(Self, Option<Dataset>), ReadError> {
        let second = of_bags(options)?;
        let mut told = Self::of(&parts);
        told.bags = second.as_ref().map(|second| Box::new(Self::of(second)));
        match finish(parts, second, options) {
            Ok(data) => {
                told.notes.clone_from(&data.notes);
                Ok((told, Some(data)))
            }
            Err(error) => {
                let error = error.in_file(file);
                told.notes.push(format!("nothing can be learned from this as it is: {error}"));
                Ok((told, None))
            }
        }
    }

    fn of(parts: &Parts) -> Self {
        let Parts { name, columns, rows, notes, names, guessed_target, .. } = parts;
        let read = columns
            .iter()
            .map(|part| (part.column.name.as_str(), ColumnDescription::of(part, *guessed_target)));
        let names_of_file = names.iter().map(String::as_str);
        let in_order =
            in_order_of(names_of_file, read, |name| ColumnDescription::unread(name.to_owned()));
        let (name, notes) = (name.clone(), notes.clone());
        Self { name, rows: *rows, columns: in_order, bags: None, notes }
    }
}

/// The columns in the order of the file's names, with `unread` for names without a column; columns whose names the file
/// does not have, as those of numbered bags, come last. Every name is looked up once, however many there are.
fn in_order_of<K: Copy + Eq + Hash, T>(
    names: impl Iterator<Item = K>,
    columns: impl Iterator<Item = (K, T)>,
    unread: impl Fn(K) -> T,
) -> Vec<T> {
    let (keys, mut columns): (Vec<K>, Vec<Option<T>>) =
        columns.map(|(name, column)| (name, Some(column))).unzip();
    let places: HashMap<K, usize> = keys.into_iter().zip(0..).collect();
    let mut in_order: Vec<T> = names
        .map(|name| {
            let place = places.get(&name);
            place.and_then(|&place| columns[place].take()).unwrap_or_else(|| unread(name))
        })
        .collect();
    in_order.extend(columns.into_iter().flatten());
    in_order
}

impl ColumnDescription {
    fn unread(name: String) -> Self {
        let (role, content) = (Role::Ignored, Content::Unread);
        Self { name, role, content, missing: 0, distinct: 0, misfits: Misfits::default() }
    }

    fn of(part: &Part, guessed_target: bool) -> Self {
        let values = &part.column.values;
        let (content, distinct) = content(values, part.date.as_ref(), part.beside.unit());
        let role = match part.role {
            ColumnRole::Target => Role::Target { guessed: guessed_target },
            ColumnRole::Bag => Role::Bag,
            ColumnRole::Id => Role::Id,
            ColumnRole::Ignored => Role::Ignored,
            _ if part.naming.is_some() => Role::Identifier,
            _ if distinct <= 1 => Role::Constant,
            _ if part.date.is_some() => Role::Date,
            ColumnRole::Feature if is_code(&part.column.name, values, distinct) => Role::Code,
            _ => Role::Attribute,
        };
        let (missing, misfits) = (values.missing(), part.misfits.clone());
        Self { name: part.column.name.clone(), role, content, missing, distinct, misfits }
    }
}

fn content(values: &Values, date: Option<&DateFormat>, unit: Option<&String>) -> (Content, usize) {
    match values {
        Values::Numeric(numbers) => {
            let mut known: Vec<f64> =
                numbers.iter().copied().filter(|number| !number.is_nan()).collect();
            known.sort_unstable_by(f64::total_cmp);
            let range = known.first().copied().zip(known.last().copied());
            known.dedup();
            let content = match date {
                Some(format) => Content::Dates { format: format.clone(), range },
                None => Content::Numbers { range, unit: unit.cloned() },
            };
            (content, known.len())
        }
        Values::Nominal { codes, categories } => {
            let rows = counts(codes, categories.len());
            let mut common: Vec<(&String, usize)> =
                categories.iter().zip(rows).filter(|&(_, rows)| rows > 0).collect();
            // Stable, so that equally common ones keep their order.
            common.sort_by_key(|&(_, rows)| std::cmp::Reverse(rows));
            let distinct = common.len();
            let told = common.into_iter().take(TOLD).map(|(word, rows)| (word.clone(), rows));
            (Content::Words { common: told.collect() }, distinct)
        }
        Values::Boolean(truths) => {
            let count =
                |wanted: bool| truths.iter().filter(|&&truth| truth == Some(wanted)).count();
            let (yes, no) = (count(true), count(false));
            (Content::Truths { yes, no }, usize::from(yes > 0) + usize::from(no > 0))
        }
    }
}

/// Whether numbers look like codes: whole ones, and few of them or with a telling name.
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

    /// A name that counts how often it is compared.
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
        // Every third was not read, the others come in another order, and one is not in the file.
        let read = (0..COLUMNS).rev().filter(|name| name % 3 != 0).chain([COLUMNS + 7]);
        let found =
            in_order_of((0..COLUMNS).map(Name), read.map(|name| (Name(name), name + 1)), |_| 0);
        let wanted = (0..COLUMNS).map(|name| if name % 3 == 0 { 0 } else { name + 1 });
        assert_eq!(found, wanted.chain([COLUMNS + 8]).collect::<Vec<_>>());
        // Chance puts a few names into one place of the table; one by one it would be millions.
        assert!(COMPARED.get() < 10 * COLUMNS, "{} comparisons", COMPARED.get());
    }
}
