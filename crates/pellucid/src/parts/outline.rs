//! The distinct values and class counts of a table, without its rows.

use super::{HeadNumbers, Part};
use crate::io::{Choice, Column, DateUnit, GivenColumn, ReadError, ReadOptions, Values};
use crate::io::{Dataset, from_columns};
use crate::learn::model::Schema;
use crate::read::by_schema;
use crate::registry::{self, AnyLearner, Data};
use pellucid_bits::as_u32;
use pellucid_data::MISSING;
use pellucid_device::Machine;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The distinct values of each column and the number of examples of each class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    target: String,
    bag: Option<String>,
    columns: Vec<ColumnOutline>,
    classes: BTreeMap<String, u64>,
}

/// The distinct values of a column, with its type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ColumnOutline {
    name: String,
    values: DistinctValues,
    /// For dates, whether the numbers are days rather than seconds.
    days: Option<bool>,
    /// Whether the text is declared as categories.
    declared: bool,
}

/// The distinct values of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum DistinctValues {
    /// In ascending order.
    Numbers(Vec<f64>),
    /// In order of appearance.
    Text(Vec<String>),
    Booleans,
}

/// An error about the parts of the data.
#[derive(Debug, thiserror::Error)]
pub enum OutlineError {
    /// The columns of a part are not suitable.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The data is not suitable for the learner.
    #[error(transparent)]
    Learner(#[from] Box<registry::Error>),
    /// The columns of the parts differ.
    #[error("{0}")]
    Differ(String),
    /// The bytes are not an outline.
    #[error("cannot read the outline of a part: {0}")]
    Bytes(String),
}

impl Outline {
    /// Returns the outline of a part. All rows of a bag must be in the same part.
    ///
    /// # Errors
    /// When the columns are not suitable, or the target or the bag is not among them.
    pub fn of(
        columns: &[GivenColumn],
        target: &str,
        bag: Option<&str>,
        numbers: HeadNumbers,
    ) -> Result<Outline, OutlineError> {
        let options = options(target, bag);
        let is_role = |name: &str| name == target || Some(name) == bag;
        let (roles, features): (Vec<&GivenColumn>, Vec<&GivenColumn>) =
            columns.iter().partition(|given| is_role(&given.column.name));
        let data = from_columns("part", roles.into_iter().cloned().collect(), &options)?;
        let mut classes = BTreeMap::new();
        if let Some(target) = &data.target {
            for &code in &target.codes {
                *classes.entry(target.classes[code as usize].clone()).or_insert(0) += 1;
            }
        }
        let columns = features.into_iter().map(|given| ColumnOutline::of(given, numbers)).collect();
        Ok(Outline { target: target.to_owned(), bag: bag.map(str::to_owned), columns, classes })
    }

    /// Serializes the outline, for another process of the same version.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn to_bytes(&self) -> Result<Vec<u8>, OutlineError> {
        postcard::to_stdvec(self).map_err(|error| OutlineError::Bytes(error.to_string()))
    }

    /// Deserializes an outline.
    ///
    /// # Errors
    /// When the bytes are not an outline.
    pub fn from_bytes(bytes: &[u8]) -> Result<Outline, OutlineError> {
        postcard::from_bytes(bytes).map_err(|error| OutlineError::Bytes(error.to_string()))
    }

    /// Joins the outlines of two parts.
    ///
    /// # Errors
    /// When their columns differ.
    pub fn join(mut self, other: Outline) -> Result<Outline, OutlineError> {
        let names = |outline: &Outline| -> Vec<String> {
            outline.columns.iter().map(|column| column.name.clone()).collect()
        };
        if names(&self) != names(&other) {
            let (own, others) = (names(&self).join(", "), names(&other).join(", "));
            return Err(OutlineError::Differ(format!(
                "the parts have different columns: one has {own}; another has {others}"
            )));
        }
        for (own, other) in self.columns.iter_mut().zip(other.columns) {
            own.join(other)?;
        }
        for (class, count) in other.classes {
            *self.classes.entry(class).or_insert(0) += count;
        }
        Ok(self)
    }

    /// Returns a data set with each distinct value but none of the actual rows.
    ///
    /// # Errors
    /// When the columns are not suitable.
    pub fn head(&self) -> Result<Dataset, OutlineError> {
        let longest = self.columns.iter().map(|column| column.values.len()).max().unwrap_or(0);
        let rows = longest.max(self.classes.len());
        let words = |categories: Vec<String>, name: &str| {
            let codes = (0..rows).map(|row| as_u32(row % categories.len().max(1))).collect();
            let values = Values::Nominal { codes, categories };
            GivenColumn::from(Column { name: name.to_owned(), values })
        };
        let mut columns: Vec<GivenColumn> =
            self.columns.iter().map(|column| column.given(rows)).collect();
        columns.push(words(self.classes.keys().cloned().collect(), &self.target));
        if let Some(bag) = &self.bag {
            columns.push(words((0..rows).map(|row| row.to_string()).collect(), bag));
        }
        Ok(from_columns("data", columns, &options(&self.target, self.bag.as_deref()))?)
    }

    /// Returns the number of examples of each class, in the order of the classes of the head.
    ///
    /// # Errors
    /// As [`Outline::head`].
    pub fn examples(&self) -> Result<Vec<u64>, OutlineError> {
        let head = self.head()?;
        let classes = head.target.map_or_else(Vec::new, |target| target.classes);
        Ok(classes.iter().map(|class| self.classes.get(class).copied().unwrap_or(0)).collect())
    }

    /// Prepares a part for a learner. This outline is that of all parts.
    ///
    /// # Errors
    /// When the part does not match the outline, or is not suitable.
    pub fn part(
        &self,
        learner: &dyn AnyLearner,
        columns: Vec<GivenColumn>,
        machine: Machine,
    ) -> Result<Box<dyn Part>, OutlineError> {
        let head = Data::Table(self.head()?);
        let schema = learner.part_schema(&head).map_err(Box::new)?;
        let rows = Data::Table(self.read(columns, &schema)?);
        Ok(learner.part(&head, &rows, machine).map_err(Box::new)?)
    }

    /// Reads the rows of a part with the schema of the whole.
    fn read(&self, columns: Vec<GivenColumn>, schema: &Schema) -> Result<Dataset, OutlineError> {
        let mut reading = by_schema(options(&self.target, self.bag.as_deref()), schema);
        reading.threads = None;
        Ok(from_columns("data", columns, &reading)?)
    }
}

fn options(target: &str, bag: Option<&str>) -> ReadOptions {
    let mut options = ReadOptions::default().target(target);
    options.bag = bag.map_or(Choice::None, |bag| Choice::Column(bag.to_owned()));
    // A part does not show which columns are row identifiers.
    options.keep_identifiers = true;
    options
}

impl DistinctValues {
    fn len(&self) -> usize {
        match self {
            DistinctValues::Numbers(numbers) => numbers.len(),
            DistinctValues::Text(words) => words.len(),
            DistinctValues::Booleans => 2,
        }
    }
}

impl ColumnOutline {
    fn of(given: &GivenColumn, which: HeadNumbers) -> ColumnOutline {
        let values = match &given.column.values {
            Values::Numeric(numbers) if which == HeadNumbers::Range => {
                let finite = numbers.iter().copied().filter(|number| number.is_finite());
                let ends = [finite.clone().reduce(f64::min), finite.reduce(f64::max)];
                DistinctValues::Numbers(sorted(ends.into_iter().flatten().collect()))
            }
            Values::Numeric(numbers) => {
                let known = numbers.iter().filter(|number| !number.is_nan());
                DistinctValues::Numbers(sorted(known.map(|number| number + 0.0).collect()))
            }
            Values::Nominal { codes, categories } => {
                let mut occurs = vec![false; categories.len()];
                for &code in codes.iter().filter(|&&code| code != MISSING) {
                    occurs[code as usize] = true;
                }
                let known = categories.iter().zip(occurs).filter(|(_, occurs)| *occurs);
                DistinctValues::Text(known.map(|(word, _)| word.clone()).collect())
            }
            Values::Boolean(_) => DistinctValues::Booleans,
        };
        let days = given.date_unit.map(|date_unit| date_unit == DateUnit::Days);
        ColumnOutline { name: given.column.name.clone(), values, days, declared: given.declared }
    }

    fn join(&mut self, other: ColumnOutline) -> Result<(), OutlineError> {
        let alike = self.days == other.days;
        // A column without values fits any type.
        if other.is_blank() {
            return Ok(());
        }
        if self.is_blank() {
            *self = other;
            return Ok(());
        }
        match (&mut self.values, other.values) {
            (DistinctValues::Numbers(own), DistinctValues::Numbers(others)) if alike => {
                own.extend(others);
                *own = sorted(std::mem::take(own));
            }
            (DistinctValues::Text(own), DistinctValues::Text(others)) => {
                own.extend(others);
                own.sort_unstable();
                own.dedup();
                self.declared |= other.declared;
            }
            (DistinctValues::Booleans, DistinctValues::Booleans) => {}
            _ => {
                let problem = format!("column '{}' has different types in the parts", self.name);
                return Err(OutlineError::Differ(problem));
            }
        }
        Ok(())
    }

    /// Whether the column has no values and an unknown type.
    fn is_blank(&self) -> bool {
        self.days.is_none()
            && matches!(&self.values, DistinctValues::Numbers(numbers) if numbers.is_empty())
    }

    /// Returns the column with each distinct value once, followed by missing values.
    fn given(&self, rows: usize) -> GivenColumn {
        let values = match &self.values {
            DistinctValues::Numbers(numbers) => {
                let mut numbers = numbers.clone();
                numbers.resize(rows, f64::NAN);
                Values::Numeric(numbers.into())
            }
            DistinctValues::Text(words) => {
                let code = |row: usize| if row < words.len() { as_u32(row) } else { MISSING };
                let codes = (0..rows).map(code).collect();
                Values::Nominal { codes, categories: words.clone() }
            }
            DistinctValues::Booleans => {
                Values::Boolean((0..rows).map(|row| (row < 2).then_some(row == 1)).collect())
            }
        };
        let date_unit = self.days.map(|days| if days { DateUnit::Days } else { DateUnit::Seconds });
        let column = Column { name: self.name.clone(), values };
        GivenColumn { column, date_unit, declared: self.declared }
    }
}

fn sorted(mut numbers: Vec<f64>) -> Vec<f64> {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.dedup();
    numbers
}
