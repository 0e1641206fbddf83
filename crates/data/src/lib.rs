//! A data set before it is laid out: feature columns over rows, and beside them the labels and the bags.
//!
//! Readers return it, learners take it. Without bags a row is an example and carries the label; with bags the bag is the example, and its rows are its instances.

#![forbid(unsafe_code)]

mod context;
mod date;
pub mod literal;
mod missing;
mod number;
mod numbers;
mod ontology;
mod origin;
mod register;
mod relation;
mod select;
mod spreadsheet;
mod values;
mod visible;

pub use context::{Context, Names};
pub use date::{DateFormat, DateFormatError, FIRST_YEAR};
pub use missing::{MISSING_AMONG_NUMBERS, MISSING_MARKS, is_missing_among_numbers};
pub use number::{Aim, NumberTarget};
pub use numbers::Numbers;
pub use ontology::{Axiom, Datatype, Datum, INDIVIDUAL, Ontology, Problem, Step};
pub use origin::{Ids, MergedClasses, Origin, Reading};
pub use pellucid_program::shorten;
pub use register::Register;
pub use relation::{Relation, RelationError};
pub use spreadsheet::as_spreadsheet_text;
use thiserror::Error;
pub use values::{MISSING, Values};
pub use visible::{is_obeyed, isolated, visible_line, visible_text};

/// Why a data set cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{name}: {problem}")]
pub struct DataError {
    /// What the data set is called.
    pub name: String,
    /// What is wrong with it.
    pub problem: DataProblem,
}

/// What can be wrong with a data set.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DataProblem {
    /// A target that cannot be learned.
    #[error("target column '{column}' has one class only ('{class}'); two or more are needed")]
    OneClass {
        /// The target column.
        column: String,
        /// Its only class.
        class: String,
    },
    /// A number where classes are needed.
    #[error("target column '{column}' is a number, and classes are needed")]
    Number {
        /// The target column.
        column: String,
    },
    /// A number that is the same everywhere.
    #[error("target column '{column}' is {value} everywhere; there is nothing to learn")]
    OneNumber {
        /// The target column.
        column: String,
        /// The number, as text.
        value: String,
    },
    /// A target was needed and there is none.
    #[error("there is no target column; name one")]
    NoTarget,
    /// A broken promise between columns, codes and rows: see [`Dataset::check`].
    #[error("the data set is inconsistent: {0}")]
    Inconsistent(String),
}

/// A table of features with labels and bags.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Dataset {
    /// The relation's name or the file's stem.
    pub name: String,
    /// The features; target, bag and ignored columns are not among them.
    pub columns: Vec<Column>,
    /// How many rows there are; each column has that many values.
    pub rows: usize,
    /// The labels, one for each example.
    pub target: Option<Target>,
    /// The number that is to be predicted, one for each example, where the target is no class. There is at most one of the two.
    pub number: Option<NumberTarget>,
    /// The grouping of rows into bags.
    pub bags: Option<Bags>,
    /// Everything the reader assumed without being told.
    pub notes: Vec<String>,
    /// What the rows are called, where they stand in their file, and how that was read.
    pub origin: Origin,
    /// By example the group that it belongs to, such as a person of whom there are several; nothing where each stands for
    /// itself.
    pub groups: Option<Vec<u32>>,
    /// By example how much it counts when learned from; nothing where all count the same.
    pub weights: Option<Vec<f64>>,
}

/// One feature.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name in the file, or `x` and its number.
    pub name: String,
    /// Its values, one a row.
    pub values: Values,
}

/// The labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The column's name.
    pub name: String,
    /// The classes in order; the last is the positive one of a two-class problem.
    pub classes: Vec<String>,
    /// One class an example: a bag if there are bags, otherwise a row.
    pub codes: Vec<u32>,
}

/// The grouping of rows into bags, numbered in order of first appearance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bags {
    /// The column's name.
    pub name: String,
    /// The bags' names.
    pub names: Vec<String>,
    /// The bag of each row; rows of one bag need not be adjacent.
    pub of_row: Vec<u32>,
}

impl Dataset {
    /// How many examples there are: bags, or rows where there are no bags.
    #[must_use]
    pub fn examples(&self) -> usize {
        self.bags.as_ref().map_or(self.rows, |bags| bags.names.len())
    }

    /// What the examples are, as the head of a column: the column of bags, that of the rows' names, or `row`.
    #[must_use]
    pub fn heading(&self) -> &str {
        match (&self.bags, &self.origin.ids) {
            (Some(bags), _) => &bags.name,
            (None, Some(ids)) => &ids.name,
            (None, None) => "row",
        }
    }

    /// What an example is called: its bag's name, its row's name, or the row's number from 1.
    #[must_use]
    pub fn example_name(&self, example: usize) -> String {
        match &self.bags {
            Some(bags) => bags.names[example].clone(),
            None => self.row_id(example).map_or_else(|| (example + 1).to_string(), str::to_owned),
        }
    }

    /// What a row is called, if a column says so.
    #[must_use]
    pub fn row_id(&self, row: usize) -> Option<&str> {
        self.origin.ids.as_ref()?.of_row.get(row)?.as_deref()
    }

    /// The line of a row in its file, if it has one.
    #[must_use]
    pub fn line(&self, row: usize) -> Option<u64> {
        self.origin.lines.get(row).copied()
    }

    /// How many classes the labels have; data without labels count as one class.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.target.as_ref().map_or(1, |target| target.classes.len().max(1))
    }

    /// The class of every example, all of the first where there are no labels.
    #[must_use]
    pub fn example_codes(&self) -> Vec<u32> {
        self.target.as_ref().map_or_else(|| vec![0; self.examples()], |target| target.codes.clone())
    }

    /// The class of every row: that of its bag where rows are grouped.
    #[must_use]
    pub fn row_codes(&self) -> Vec<u32> {
        let codes = self.example_codes();
        match &self.bags {
            None => codes,
            Some(bags) => bags.of_row.iter().map(|&bag| codes[bag as usize]).collect(),
        }
    }

    /// The target, if it can be learned: there is one, and at least two of its classes occur.
    ///
    /// # Errors
    /// Says that there is no target, or which single class it has.
    pub fn require_classes(&self) -> Result<&Target, DataError> {
        let fail = |problem| DataError { name: self.name.clone(), problem };
        let target = match self.aim() {
            Aim::Classes(target) => target,
            Aim::Number(number) => {
                return Err(fail(DataProblem::Number { column: number.name.clone() }));
            }
            Aim::Nothing => return Err(fail(DataProblem::NoTarget)),
        };
        let first = target.codes.first().copied().unwrap_or(0);
        if target.codes.iter().any(|&code| code != first) {
            return Ok(target);
        }
        let class = usize::try_from(first).ok().and_then(|code| target.classes.get(code));
        let class = class.cloned().unwrap_or_default();
        Err(fail(DataProblem::OneClass { column: target.name.clone(), class }))
    }

    /// Looks whether the parts fit together; readers promise that they do, builders by hand may ask.
    ///
    /// # Errors
    /// Names the first part that does not fit.
    pub fn check(&self) -> Result<(), DataError> {
        self.first_misfit().map_or(Ok(()), |misfit| {
            Err(DataError { name: self.name.clone(), problem: DataProblem::Inconsistent(misfit) })
        })
    }

    fn first_misfit(&self) -> Option<String> {
        for column in &self.columns {
            if column.values.len() != self.rows {
                let found = column.values.len();
                return Some(format!(
                    "column '{}' has {found} values, not {}",
                    column.name, self.rows
                ));
            }
            if let Values::Nominal { codes, categories } = &column.values {
                let known = |code: u32| code == MISSING || code_within(code, categories.len());
                if !codes.iter().all(|&code| known(code)) {
                    return Some(format!("a code of column '{}' has no category", column.name));
                }
                if has_repeats(categories) {
                    return Some(format!("column '{}' lists a category twice", column.name));
                }
            }
        }
        if has_repeats(&self.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>()) {
            return Some("two columns have one name".to_owned());
        }
        if let Some(bags) = &self.bags {
            if bags.of_row.len() != self.rows {
                return Some(format!("{} rows have a bag, not {}", bags.of_row.len(), self.rows));
            }
            // Numbered by first appearance: a bag either was seen or is the next new one.
            let mut seen = 0;
            for &bag in &bags.of_row {
                if bag > seen {
                    return Some(format!("bag {bag} appears before bag {seen}"));
                }
                seen = seen.max(bag + 1);
            }
            if usize::try_from(seen).ok() != Some(bags.names.len()) {
                return Some(format!("{seen} bags have rows, {} have names", bags.names.len()));
            }
            if has_repeats(&bags.names) {
                return Some("two bags have one name".to_owned());
            }
        }
        let named = self.origin.ids.as_ref().map_or(self.rows, |ids| ids.of_row.len());
        if named != self.rows {
            return Some(format!("{named} rows have a name, not {}", self.rows));
        }
        let lines = self.origin.lines.len();
        if lines != 0 && lines != self.rows {
            return Some(format!("{lines} rows have a line, not {}", self.rows));
        }
        let sizes = [
            ("a group", self.groups.as_ref().map(Vec::len)),
            ("a weight", self.weights.as_ref().map(Vec::len)),
        ];
        for (what, size) in sizes {
            if let Some(found) = size.filter(|&found| found != self.examples()) {
                return Some(format!("{found} examples have {what}, not {}", self.examples()));
            }
        }
        if let Some(number) = &self.number {
            if self.target.is_some() {
                return Some("the target is both classes and a number".to_owned());
            }
            if number.values.len() != self.examples() {
                let (found, needed) = (number.values.len(), self.examples());
                return Some(format!("the target has {found} numbers for {needed} examples"));
            }
            // NaN stands for a number that is not known, as in data to predict.
            if number.values.iter().any(|value| value.is_infinite()) {
                return Some("a number of the target is not finite".to_owned());
            }
        }
        if let Some(target) = &self.target {
            if target.codes.len() != self.examples() {
                let (found, needed) = (target.codes.len(), self.examples());
                return Some(format!("the target has {found} labels for {needed} examples"));
            }
            let is_known = |code: u32| code == MISSING || code_within(code, target.classes.len());
            if !target.codes.iter().all(|&code| is_known(code)) {
                return Some("a label has no class".to_owned());
            }
            if has_repeats(&target.classes) {
                return Some("the target lists a class twice".to_owned());
            }
        }
        None
    }
}

fn code_within(code: u32, length: usize) -> bool {
    usize::try_from(code).is_ok_and(|code| code < length)
}

fn has_repeats(names: &[String]) -> bool {
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}
