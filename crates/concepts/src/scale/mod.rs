//! Conceptual scaling: derives a formal context from a table of values.
//!
//! The *scale* of a column determines its attributes. A **nominal** scale has one attribute per
//! value (`color=red`), an **ordinal** scale one per threshold (`legs<=4`), an **interordinal**
//! scale thresholds in both directions.
//!
//! ```
//! use pellucid_concepts::scale::{Scaling, scale};
//! use pellucid_data::{Column, Dataset};
//! use pellucid_data::Values;
//!
//! let values = Values::Numeric(vec![4.0, 2.0, f64::NAN, 4.0].into());
//! let columns = vec![Column { name: "legs".into(), values }];
//! let data = Dataset { name: "zoo".into(), columns, rows: 4, ..Dataset::default() };
//! let context = scale(&data, &Scaling::nominal())?;
//! assert_eq!(context.attributes.iter().collect::<Vec<_>>(), ["legs=2", "legs=4"]);
//! assert_eq!(context.relation.rows().collect::<Vec<_>>(), [&[1][..], &[0], &[], &[1]]);
//! # Ok::<(), pellucid_concepts::scale::ScaleError>(())
//! ```
//!
//! **Objects** are the rows, numbered from 1. In a data set with bags they are the bags, and a bag
//! has the attributes of all of its rows. **Columns** are scaled in order. The target is the last
//! column; the column that identifies the bags is not scaled. Only values that occur become
//! attributes.

mod column;

use column::ScaledColumn;
use pellucid_data::Values;
use pellucid_data::{Context, DataError, Dataset, Message, Names, message, parameter};
use pellucid_data::{Relation, RelationError};
use thiserror::Error;

/// The scale of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Scale {
    /// One attribute per value: `color=red`. With cuts, one per interval: `legs in [2, 4]`.
    #[default]
    Nominal,
    /// Upper thresholds for numbers: `legs<=4`, for every value except the highest.
    AtMost,
    /// Lower thresholds for numbers: `legs>=4`, for every value except the lowest.
    AtLeast,
    /// Upper and lower thresholds.
    Interordinal,
    /// One attribute with the name of the column, for true and false, yes and no, or 1 and 0.
    Flag,
    /// No attribute: the column is ignored.
    Ignore,
}

/// The treatment of missing values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Missing {
    /// A missing value has no attribute.
    #[default]
    NoAttribute,
    /// A missing value has its own attribute, `color is missing`, the last one of its column.
    Attribute,
}

/// The scaling of one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ColumnScaling {
    /// The scale.
    pub scale: Scale,
    /// For numbers: the maximum number of thresholds, placed at quantiles. `None` uses every value.
    pub cuts: Option<usize>,
    /// The treatment of missing values.
    pub missing: Missing,
}

/// The scaling of a data set.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scaling {
    /// The default for every column. If its scale does not fit (thresholds for categories, or a
    /// flag that is neither true nor false), the column is scaled nominally.
    pub every: ColumnScaling,
    /// Exceptions by column name. Here an unsuitable scale is an error.
    pub columns: Vec<(String, ColumnScaling)>,
    /// The maximum number of crosses, because thresholds at a million distinct values would exhaust
    /// memory.
    pub most_crosses: u64,
}

impl Scaling {
    /// The default maximum number of crosses, which take one gibibyte.
    pub const MOST_CROSSES: u64 = 1 << 28;

    /// Scales every column with one scale.
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

    /// Upper thresholds for numbers; other columns are nominal.
    #[must_use]
    pub fn ordinal() -> Scaling {
        Scaling::new(Scale::AtMost)
    }

    /// Upper and lower thresholds for numbers; other columns are nominal.
    #[must_use]
    pub fn interordinal() -> Scaling {
        Scaling::new(Scale::Interordinal)
    }

    /// Limits the number of thresholds per numeric column.
    #[must_use]
    pub fn cuts(mut self, cuts: usize) -> Scaling {
        self.every.cuts = Some(cuts);
        self
    }

    /// Sets the treatment of missing values.
    #[must_use]
    pub fn missing(mut self, missing: Missing) -> Scaling {
        self.every.missing = missing;
        self
    }

    /// Sets the scaling of one column.
    #[must_use]
    pub fn column(mut self, name: impl Into<String>, scaling: ColumnScaling) -> Scaling {
        self.columns.push((name.into(), scaling));
        self
    }

    /// Returns the scaling of a column, and whether it was set for this column. The last setting
    /// counts.
    fn of(&self, name: &str) -> (ColumnScaling, bool) {
        let own = self.columns.iter().rfind(|(column, _)| column == name);
        own.map_or((self.every, false), |(_, scaling)| (*scaling, true))
    }
}

/// Why a data set cannot be scaled.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ScaleError {
    /// The data set is inconsistent.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A named column does not exist.
    #[error("cannot scale column '{name}': not found; the columns are {known}")]
    UnknownColumn {
        /// The name.
        name: String,
        /// The existing columns.
        known: String,
    },
    /// Thresholds were requested for categories.
    #[error("column '{column}' has categories without an order; expected numbers")]
    NoOrder {
        /// The column.
        column: String,
    },
    /// A value is not a flag.
    #[error("column '{column}' contains '{found}'; expected true or false, yes or no, 1 or 0")]
    NotFlag {
        /// The column.
        column: String,
        /// The first value that is not a flag.
        found: String,
    },
    /// The context would have too many crosses.
    #[error("{}", self.message())]
    TooMany {
        /// The column.
        column: String,
        /// The number of crosses, including this column.
        crosses: u64,
        /// The limit.
        most: u64,
    },
    /// The context would have too many attributes.
    #[error(transparent)]
    Relation(#[from] RelationError),
}

impl ScaleError {
    /// Returns the message, with the parameters in it.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            ScaleError::Data(error) => error.message(),
            ScaleError::TooMany { column, crosses, most } => message!(
                "with column '{column}' the context has {crosses} crosses, more than the limit of {most}; \
                 use fewer cuts or raise ",
                parameter("most_crosses")
            ),
            other => other.to_string().into(),
        }
    }
}

/// Scales a data set.
///
/// # Errors
/// If a column cannot be scaled as requested.
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
            return Err(unknown_column(name, &columns));
        }
    }
    let mut crosses = 0;
    let mut attributes = 0;
    let mut scaled = Vec::with_capacity(columns.len());
    for (name, values) in columns {
        let (how, must_fit) = scaling.of(name);
        let column = ScaledColumn::new(name, values, how, must_fit, attributes)?;
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
        context.notes.push("objects are bags; a bag has the attributes of all of its rows".into());
    }
    Ok(context)
}

fn unknown_column(name: &str, columns: &[(&str, &Values)]) -> ScaleError {
    const SHOWN: usize = 8;
    let mut known: Vec<String> =
        columns.iter().take(SHOWN).map(|(name, _)| format!("'{name}'")).collect();
    if columns.len() > SHOWN {
        known.push(format!("{} more", columns.len() - SHOWN));
    }
    ScaleError::UnknownColumn { name: name.to_owned(), known: known.join(", ") }
}

/// The attributes of every object: those of its rows and of its label.
fn rows(data: &Dataset, scaled: &[ScaledColumn]) -> impl Iterator<Item = Vec<u32>> {
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
