//! Conceptual scaling: a table of values becomes a table of crosses.
//!
//! Picture a questionnaire put to every row, with yes-or-no questions only: is the colour red, are there at most four legs. What
//! is asked of a column is its *scale*. A **nominal** one asks for each value (`colour=red`), an **ordinal** one whether
//! the value is at most (or at least) a threshold (`legs<=4`), an **interordinal** one both. Answers yes are crosses.
//!
//! ```
//! use pellucid_concepts::scale::{Scaling, scale};
//! use pellucid_data::{Column, Dataset};
//! use pellucid_data::Values;
//!
//! let legs = Column { name: "legs".into(), values: Values::Numeric(vec![4.0, 2.0, f64::NAN, 4.0].into()) };
//! let data = Dataset { name: "zoo".into(), columns: vec![legs], rows: 4, target: None, bags: None, notes: vec![], ..Dataset::default() };
//! let context = scale(&data, &Scaling::nominal())?;
//! assert_eq!(context.attributes.iter().collect::<Vec<_>>(), ["legs=2", "legs=4"]);
//! assert_eq!(context.relation.rows().collect::<Vec<_>>(), [&[1][..], &[0], &[], &[1]]);
//! # Ok::<(), pellucid_concepts::scale::ScaleError>(())
//! ```
//!
//! **Objects** are the rows, numbered from 1. In a data set with bags they are the bags, by name, and a bag has what one of its
//! rows has. **Columns** are asked in order; the target counts as a column, the last one, and the column that names
//! the bags does not. Only values that occur make attributes.

mod column;

use column::Scaled;
use pellucid_data::Values;
use pellucid_data::{Context, DataError, Dataset, Names};
use pellucid_data::{Relation, RelationError};
use thiserror::Error;

/// What is asked of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Scale {
    /// Is it this value: `colour=red`. With cuts, is a number in this interval: `legs in [2, 4]`.
    #[default]
    Nominal,
    /// Is a number at most this: `legs<=4`, for every value but the highest, which all are at most.
    AtMost,
    /// Is a number at least this: `legs>=4`, for every value but the lowest, which all are at least.
    AtLeast,
    /// Both of these.
    Interordinal,
    /// Is it so: one attribute named as the column, for columns of true and false, yes and no, 1 and 0.
    Flag,
    /// Nothing: the column is left out.
    Leave,
}

/// What becomes of a missing value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Missing {
    /// No question about it is answered yes.
    #[default]
    LeftOut,
    /// It is an attribute of its own, `colour is missing`, the last one of its column.
    Attribute,
}

/// How one column is scaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ColumnScaling {
    /// What is asked.
    pub scale: Scale,
    /// For numbers: at most this many thresholds, chosen so that about equally many rows lie between any two; none asks
    /// about every value.
    pub cuts: Option<usize>,
    /// What becomes of missing values.
    pub missing: Missing,
}

/// How a data set is scaled.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scaling {
    /// How every column is scaled for which nothing else is said. Where its scale does not fit (thresholds for
    /// categories, which have no order; a flag that is neither true nor false), the column is scaled nominally.
    pub every: ColumnScaling,
    /// Columns that are scaled in another way, by name; here a scale has to fit.
    pub columns: Vec<(String, ColumnScaling)>,
    /// The most crosses a context may get: thresholds at each of a million different values would fill any memory.
    pub most_crosses: u64,
}

impl Scaling {
    /// The most crosses, if nothing else is said: a gibibyte of them.
    pub const MOST_CROSSES: u64 = 1 << 28;

    /// Scales every column this way.
    #[must_use]
    pub fn new(scale: Scale) -> Scaling {
        let every = ColumnScaling { scale, ..ColumnScaling::default() };
        Scaling { every, columns: Vec::new(), most_crosses: Scaling::MOST_CROSSES }
    }

    /// One attribute for every pair of a column and a value.
    #[must_use]
    pub fn nominal() -> Scaling {
        Scaling::new(Scale::Nominal)
    }

    /// Numbers by upper thresholds, everything else nominally.
    #[must_use]
    pub fn ordinal() -> Scaling {
        Scaling::new(Scale::AtMost)
    }

    /// Numbers by upper and lower thresholds, everything else nominally.
    #[must_use]
    pub fn interordinal() -> Scaling {
        Scaling::new(Scale::Interordinal)
    }

    /// Cuts numbers at this many places at most.
    #[must_use]
    pub fn cuts(mut self, cuts: usize) -> Scaling {
        self.every.cuts = Some(cuts);
        self
    }

    /// Says what becomes of missing values.
    #[must_use]
    pub fn missing(mut self, missing: Missing) -> Scaling {
        self.every.missing = missing;
        self
    }

    /// Scales one column in another way.
    #[must_use]
    pub fn column(mut self, name: impl Into<String>, scaling: ColumnScaling) -> Scaling {
        self.columns.push((name.into(), scaling));
        self
    }

    /// How a column is scaled, and whether that was said of it alone; what was said last counts.
    fn of(&self, name: &str) -> (ColumnScaling, bool) {
        let own = self.columns.iter().rfind(|(column, _)| column == name);
        own.map_or((self.every, false), |(_, scaling)| (*scaling, true))
    }
}

/// Why a data set cannot be scaled.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ScaleError {
    /// The data set does not fit together.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A column was named that is not there.
    #[error("there is no column '{name}' to scale; there are {known}")]
    UnknownColumn {
        /// The name.
        name: String,
        /// The columns there are.
        known: String,
    },
    /// Thresholds for categories.
    #[error("column '{column}' has categories, which have no order; numbers were expected")]
    NoOrder {
        /// The column.
        column: String,
    },
    /// A flag that is none.
    #[error(
        "column '{column}' holds '{found}'; true and false, yes and no, or 1 and 0 were expected"
    )]
    NotFlag {
        /// The column.
        column: String,
        /// What is neither true nor false.
        found: String,
    },
    /// More crosses than the caller allows.
    #[error(
        "column '{column}' brings the crosses to {crosses}, more than {most}; fewer cuts make fewer, and most_crosses allows more"
    )]
    TooMany {
        /// The column.
        column: String,
        /// How many there would be, this column included.
        crosses: u64,
        /// The limit in force.
        most: u64,
    },
    /// More attributes than can be numbered.
    #[error(transparent)]
    Relation(#[from] RelationError),
}

/// Scales a data set.
///
/// # Errors
/// Says which column cannot be scaled as told, and why.
pub fn scale(data: &Dataset, scaling: &Scaling) -> Result<Context, ScaleError> {
    data.check()?;
    let target = data.target.as_ref().map(|target| {
        let (codes, categories) = (target.codes.clone(), target.classes.clone());
        (target.name.as_str(), Values::Nominal { codes, categories })
    });
    let features = data.columns.iter().map(|column| (column.name.as_str(), &column.values));
    let columns: Vec<(&str, &Values)> =
        features.chain(target.iter().map(|(name, values)| (*name, values))).collect();
    for (name, _) in &scaling.columns {
        if !columns.iter().any(|(known, _)| known == name) {
            return Err(unknown(name, &columns));
        }
    }
    let mut crosses = 0;
    let mut attributes = 0;
    let mut scaled = Vec::with_capacity(columns.len());
    for (name, values) in columns {
        let (how, own) = scaling.of(name);
        let column = Scaled::new(name, values, how, own, attributes)?;
        crosses += column.crosses();
        if crosses > scaling.most_crosses {
            let (column, most) = (name.to_owned(), scaling.most_crosses);
            return Err(ScaleError::TooMany { column, crosses, most });
        }
        attributes += column.names.len();
        scaled.push(column);
    }
    let relation = Relation::new(attributes, rows(data, &scaled))?;
    let objects = match &data.bags {
        Some(bags) => bags.names.iter().collect(),
        None => Names::Numbered { first: 1, count: data.rows },
    };
    let names = scaled.into_iter().flat_map(|column| column.names).collect();
    let mut context = Context::new(data.name.as_str(), objects, names, relation);
    context.notes.clone_from(&data.notes);
    if data.bags.is_some() {
        context.notes.push("objects are bags; a bag has what one of its rows has".to_owned());
    }
    Ok(context)
}

fn unknown(name: &str, columns: &[(&str, &Values)]) -> ScaleError {
    const SHOWN: usize = 8;
    let mut known: Vec<String> =
        columns.iter().take(SHOWN).map(|(name, _)| format!("'{name}'")).collect();
    if columns.len() > SHOWN {
        known.push(format!("{} more", columns.len() - SHOWN));
    }
    ScaleError::UnknownColumn { name: name.to_owned(), known: known.join(", ") }
}

/// The attributes of every object: of its row or rows, and of its label.
fn rows(data: &Dataset, scaled: &[Scaled]) -> impl Iterator<Item = Vec<u32>> {
    let (features, target) = scaled.split_at(data.columns.len());
    let mut rows_of: Vec<Vec<usize>> = Vec::new();
    if let Some(bags) = &data.bags {
        rows_of.resize(bags.names.len(), Vec::new());
        bags.of_row.iter().enumerate().for_each(|(row, &bag)| rows_of[bag as usize].push(row));
    }
    (0..data.examples()).map(move |example| {
        let mut attributes = Vec::new();
        let alone = [example];
        for &row in rows_of.get(example).map_or(&alone[..], Vec::as_slice) {
            features.iter().for_each(|column| column.append(row, &mut attributes));
        }
        target.iter().for_each(|column| column.append(example, &mut attributes));
        attributes
    })
}
