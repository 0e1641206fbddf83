//! The data set: feature columns, labels and bags.
//!
//! Readers return a [`Dataset`], and learners take it. Without bags each row is an example with a
//! label. With bags each bag is an example, and its rows are its instances.

#![forbid(unsafe_code)]

mod context;
mod csv;
mod date;
mod graph;
pub mod literal;
mod message;
mod missing;
mod number;
mod numbers;
mod ontology;
mod origin;
mod register;
mod relation;
mod select;
mod values;
mod visible;

pub use context::{Context, Names};
pub use csv::{CsvQuotes, as_spreadsheet_text, csv_cell};
pub use date::{DateFormat, DateFormatError, FIRST_YEAR};
pub use graph::{Dependency, DependencyGraph, GraphError};
pub use message::{Message, ParameterRef, parameter};
pub use missing::{MISSING_AMONG_NUMBERS, MISSING_MARKS, is_missing_among_numbers};
pub use number::{NumberTarget, TargetKind};
pub use numbers::Numbers;
pub use ontology::{
    Axiom, Datatype, Datum, EntityLabel, INDIVIDUAL, Ontology, Problem, RoleExpression,
};
pub use origin::{Ids, MergedClasses, Origin, Reading};
pub use pellucid_program::shorten;
pub use register::Register;
pub use relation::{Relation, RelationError};
use thiserror::Error;
pub use values::{MISSING, Values};
pub use visible::{is_obeyed, isolated, visible_line, visible_text};

/// Why a data set cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{name}: {problem}")]
pub struct DataError {
    /// The name of the data set.
    pub name: String,
    /// The problem.
    pub problem: DataProblem,
}

/// The reason why a data set is invalid.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DataProblem {
    /// A target with a single class.
    #[error("target column '{column}' has only one class ('{class}'); expected at least two")]
    OneClass {
        /// The target column.
        column: String,
        /// Its only class.
        class: String,
    },
    /// A numeric target where classes are expected.
    #[error("target column '{column}' is numeric; expected classes")]
    Number {
        /// The target column.
        column: String,
    },
    /// A numeric target with a single value.
    #[error("target column '{column}' has only one value ({value}); expected at least two")]
    OneNumber {
        /// The target column.
        column: String,
        /// The number, as text.
        value: String,
    },
    /// A data set without a target where one is expected.
    #[error("{}", self.message())]
    NoTarget,
    /// An inconsistency between columns, codes and rows: see [`Dataset::check`].
    #[error("the data set is inconsistent: {0}")]
    Inconsistent(String),
}

impl DataError {
    /// Returns the message, with the parameters in it.
    #[must_use]
    pub fn message(&self) -> Message {
        message!(self.name.as_str(), ": ", self.problem.message())
    }
}

impl DataProblem {
    /// Returns the message, with the parameters in it.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::NoTarget => {
                message!("found no target column; use `", parameter("target"), "` to choose one")
            }
            other => other.to_string().into(),
        }
    }
}

/// A table of features with labels and bags.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Dataset {
    /// The name of the relation, or the file name without its extension.
    pub name: String,
    /// The features, without target, bag and ignored columns.
    pub columns: Vec<Column>,
    /// The number of rows, which is the length of each column.
    pub rows: usize,
    /// The labels, one for each example.
    pub target: Option<ClassTarget>,
    /// The numeric target, one number per example. A data set has at most one of `target` and `number`.
    pub number: Option<NumberTarget>,
    /// The grouping of rows into bags.
    pub bags: Option<Bags>,
    /// The assumptions of the reader.
    pub notes: Vec<Message>,
    /// The names and lines of the rows, and how the file was read.
    pub origin: Origin,
    /// The group of each example, such as the person it belongs to; `None` if examples are independent.
    pub groups: Option<Vec<u32>>,
    /// The weight of each example in training; `None` if all weights are equal.
    pub weights: Option<Vec<f64>>,
}

/// One feature.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The name in the file, or `x` and the number of the column.
    pub name: String,
    /// The values, one per row.
    pub values: Values,
}

/// The labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassTarget {
    /// The name of the column.
    pub name: String,
    /// The classes in order; the last one is the positive class of a two-class problem.
    pub classes: Vec<String>,
    /// The class of each example, which is a bag if there are bags and otherwise a row.
    pub codes: Vec<u32>,
}

/// The grouping of rows into bags, numbered in order of first appearance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bags {
    /// The name of the column.
    pub name: String,
    /// The names of the bags.
    pub names: Vec<String>,
    /// The bag of each row; rows of one bag need not be adjacent.
    pub of_row: Vec<u32>,
}

impl Dataset {
    /// Returns the number of examples: bags, or rows if there are no bags.
    #[must_use]
    pub fn examples(&self) -> usize {
        self.bags.as_ref().map_or(self.rows, |bags| bags.names.len())
    }

    /// Returns the column heading for examples: the bag column, the column of row names, or `row`.
    #[must_use]
    pub fn heading(&self) -> &str {
        match (&self.bags, &self.origin.ids) {
            (Some(bags), _) => &bags.name,
            (None, Some(ids)) => &ids.name,
            (None, None) => "row",
        }
    }

    /// Returns the name of an example: the name of the bag or the row, or the number of the row from 1.
    #[must_use]
    pub fn example_name(&self, example: usize) -> String {
        match &self.bags {
            Some(bags) => bags.names[example].clone(),
            None => self.row_id(example).map_or_else(|| (example + 1).to_string(), str::to_owned),
        }
    }

    /// Returns the name of a row, if a column names the rows.
    #[must_use]
    pub fn row_id(&self, row: usize) -> Option<&str> {
        self.origin.ids.as_ref()?.of_row.get(row)?.as_deref()
    }

    /// Returns the line of a row in its file, if the file has lines.
    #[must_use]
    pub fn line(&self, row: usize) -> Option<u64> {
        self.origin.lines.get(row).copied()
    }

    /// Returns the number of classes; 1 for data without labels.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.target.as_ref().map_or(1, |target| target.classes.len().max(1))
    }

    /// Returns the class of every example; the first class for data without labels.
    #[must_use]
    pub fn example_codes(&self) -> Vec<u32> {
        self.target.as_ref().map_or_else(|| vec![0; self.examples()], |target| target.codes.clone())
    }

    /// Returns the class of every row, which is the class of its bag if there are bags.
    #[must_use]
    pub fn row_codes(&self) -> Vec<u32> {
        let codes = self.example_codes();
        match &self.bags {
            None => codes,
            Some(bags) => bags.of_row.iter().map(|&bag| codes[bag as usize]).collect(),
        }
    }

    /// Returns the target, if at least two of its classes occur.
    ///
    /// # Errors
    /// Fails if there is no target, if it is numeric, or if only one class occurs.
    pub fn require_classes(&self) -> Result<&ClassTarget, DataError> {
        let fail = |problem| DataError { name: self.name.clone(), problem };
        let target = match self.target_kind() {
            TargetKind::Classes(target) => target,
            TargetKind::Number(number) => {
                return Err(fail(DataProblem::Number { column: number.name.clone() }));
            }
            TargetKind::Nothing => return Err(fail(DataProblem::NoTarget)),
        };
        let first = target.codes.first().copied().unwrap_or(0);
        if target.codes.iter().any(|&code| code != first) {
            return Ok(target);
        }
        let class = usize::try_from(first).ok().and_then(|code| target.classes.get(code));
        let class = class.cloned().unwrap_or_default();
        Err(fail(DataProblem::OneClass { column: target.name.clone(), class }))
    }

    /// Checks the data set for consistency. Readers return consistent data sets; others may need the check.
    ///
    /// # Errors
    /// Describes the first inconsistency.
    pub fn check(&self) -> Result<(), DataError> {
        self.first_misfit().map_or(Ok(()), |misfit| {
            Err(DataError { name: self.name.clone(), problem: DataProblem::Inconsistent(misfit) })
        })
    }

    /// Returns the first inconsistency.
    fn first_misfit(&self) -> Option<String> {
        for column in &self.columns {
            if column.values.len() != self.rows {
                let found = column.values.len();
                return Some(format!(
                    "column '{}' has {found} values; expected {}",
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
            return Some("two columns have the same name".to_owned());
        }
        let in_bags = self.bags.as_ref().and_then(|bags| bags.first_misfit(self.rows));
        in_bags.or_else(|| self.origin_misfit()).or_else(|| self.target_misfit())
    }

    /// Returns the first inconsistency of names, lines, groups and weights.
    fn origin_misfit(&self) -> Option<String> {
        let named = self.origin.ids.as_ref().map_or(self.rows, |ids| ids.of_row.len());
        if named != self.rows {
            return Some(format!("{named} rows have a name; expected {}", self.rows));
        }
        let lines = self.origin.lines.len();
        if lines != 0 && lines != self.rows {
            return Some(format!("{lines} rows have a line; expected {}", self.rows));
        }
        let sizes = [
            ("a group", self.groups.as_ref().map(Vec::len)),
            ("a weight", self.weights.as_ref().map(Vec::len)),
        ];
        for (what, size) in sizes {
            if let Some(found) = size.filter(|&found| found != self.examples()) {
                return Some(format!("{found} examples have {what}; expected {}", self.examples()));
            }
        }
        None
    }

    /// Returns the first inconsistency of the target.
    fn target_misfit(&self) -> Option<String> {
        if let Some(number) = &self.number {
            if self.target.is_some() {
                return Some("the target has both classes and numbers".to_owned());
            }
            if number.values.len() != self.examples() {
                let (found, needed) = (number.values.len(), self.examples());
                return Some(format!("the target has {found} numbers for {needed} examples"));
            }
            // NaN is a missing number, as in data to predict.
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

impl Bags {
    /// Returns the first inconsistency with a table of some number of rows.
    fn first_misfit(&self, rows: usize) -> Option<String> {
        if self.of_row.len() != rows {
            return Some(format!("{} rows have a bag; expected {rows}", self.of_row.len()));
        }
        // Bags are numbered by first appearance: each bag was seen before or has the next number.
        let mut seen = 0;
        for &bag in &self.of_row {
            if bag > seen {
                return Some(format!("bag {bag} appears before bag {seen}"));
            }
            seen = seen.max(bag + 1);
        }
        if usize::try_from(seen).ok() != Some(self.names.len()) {
            return Some(format!("{seen} bags have rows, but {} have names", self.names.len()));
        }
        has_repeats(&self.names).then(|| "two bags have the same name".to_owned())
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
