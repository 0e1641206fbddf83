//! New data for a model: its columns are matched by name and converted to the types of the model.

use pellucid_data::{Column, Dataset};
use pellucid_data::{MISSING, Values};
use pellucid_learn::model::{ColumnKind, Schema, SchemaError};
use pellucid_learn::params::ParamError;
use std::collections::HashSet;

/// The reason why data does not fit a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MisfitError {
    /// Columns are missing.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// A column has another type.
    #[error("{source_name}, column '{column}': found {found}; the model was trained on {expected}")]
    Kind {
        /// The column.
        column: String,
        /// The name of the data.
        source_name: String,
        /// What was found, with an example.
        found: String,
        /// What the model expects.
        expected: &'static str,
    },
    /// The data has rows and the model needs bags, or vice versa.
    #[error(transparent)]
    Bags(ParamError),
}

fn bag_error(problem: String) -> MisfitError {
    MisfitError::Bags(ParamError::with_problem("bag", problem))
}

/// Returns the columns of a model in some data, in the model's order.
///
/// # Errors
/// If a column is missing or has values of another type, or if the model needs bags and the data has none.
pub fn conform(data: &Dataset, schema: &Schema) -> Result<Dataset, MisfitError> {
    let names: Vec<&str> = data.columns.iter().map(|column| column.name.as_str()).collect();
    let places = schema.match_columns(&names, &data.name)?;
    match (&schema.bag, &data.bags) {
        (Some(bag), None) => {
            return Err(bag_error(format!(
                "the model was trained on bags (column '{bag}'), but {} has no bags; name the bag column",
                data.name
            )));
        }
        (None, Some(bags)) => {
            return Err(bag_error(format!(
                "the model was trained on single rows, but the rows of {} are grouped into bags by \
                 column '{}'; read it without bags",
                data.name, bags.name
            )));
        }
        _ => {}
    }
    let mut columns = Vec::with_capacity(places.len());
    for (wanted, place) in schema.columns.iter().zip(places) {
        let values = convert(&data.columns[place].values, wanted.kind).map_err(|found| {
            MisfitError::Kind {
                column: wanted.name.clone(),
                source_name: data.name.clone(),
                found,
                expected: match wanted.kind {
                    ColumnKind::Numeric => "numbers",
                    ColumnKind::Nominal => "categories",
                    ColumnKind::Boolean => "true and false",
                },
            }
        })?;
        columns.push(Column { name: wanted.name.clone(), values });
    }
    let mut origin = data.origin.clone();
    // The model defines which numbers are dates.
    origin.reading = schema.reading.clone();
    Ok(Dataset {
        name: data.name.clone(),
        columns,
        rows: data.rows,
        target: data.target.clone(),
        number: data.number.clone(),
        bags: data.bags.clone(),
        notes: Vec::new(),
        origin,
        ..Dataset::default()
    })
}

/// Replaces categories that are not in the training data by missing values, so that all conditions
/// on them are false, `!=` as well as `=`. A model from an early version does not record its
/// categories; then all of them are kept.
#[must_use]
pub fn without_unseen_categories(mut data: Dataset, schema: &Schema) -> Dataset {
    for (column, known) in data.columns.iter_mut().zip(&schema.columns) {
        let values = std::mem::replace(&mut column.values, Values::Boolean(Vec::new()));
        column.values = without_unseen(values, &known.categories);
    }
    data
}

fn without_unseen(values: Values, seen: &[String]) -> Values {
    match values {
        Values::Nominal { codes, categories } if !seen.is_empty() => {
            let seen: HashSet<&String> = seen.iter().collect();
            let is_seen: Vec<bool> = categories.iter().map(|text| seen.contains(text)).collect();
            let known = |&code: &u32| is_seen.get(code as usize).copied().unwrap_or(false);
            let codes = codes.iter().map(|code| if known(code) { *code } else { MISSING });
            Values::Nominal { codes: codes.collect(), categories }
        }
        values => values,
    }
}

/// Converts values to another type. The error describes a value that cannot be converted.
fn convert(values: &Values, kind: ColumnKind) -> Result<Values, String> {
    match (values, kind) {
        (Values::Numeric(_), ColumnKind::Numeric)
        | (Values::Nominal { .. }, ColumnKind::Nominal)
        | (Values::Boolean(_), ColumnKind::Boolean) => Ok(values.clone()),
        (Values::Nominal { codes, categories }, ColumnKind::Numeric) => {
            let numbers = each(categories, |text| {
                text.trim().parse::<f64>().ok().filter(|number| !number.is_nan())
            })?;
            Ok(Values::Numeric(
                codes
                    .iter()
                    .map(|&code| numbers.get(code as usize).copied().unwrap_or(f64::NAN))
                    .collect(),
            ))
        }
        (Values::Boolean(_), ColumnKind::Numeric) => Err("true and false".to_owned()),
        (Values::Numeric(numbers), ColumnKind::Nominal) => {
            let mut categories: Vec<String> = Vec::new();
            let mut known = std::collections::HashMap::new();
            let mut code = |number: f64| {
                *known.entry(number.to_bits()).or_insert_with(|| {
                    categories.push(number.to_string());
                    u32::try_from(categories.len() - 1).unwrap_or(MISSING)
                })
            };
            let codes = numbers
                .iter()
                .map(|&number| if number.is_nan() { MISSING } else { code(number + 0.0) })
                .collect();
            Ok(Values::Nominal { codes, categories })
        }
        (Values::Boolean(truths), ColumnKind::Nominal) => Ok(Values::Nominal {
            codes: truths.iter().map(|truth| truth.map_or(MISSING, u32::from)).collect(),
            categories: vec!["false".to_owned(), "true".to_owned()],
        }),
        (Values::Nominal { codes, categories }, ColumnKind::Boolean) => {
            let truths = each(categories, |text| match text.to_ascii_lowercase().as_str() {
                "true" | "1" | "yes" => Some(true),
                "false" | "0" | "no" => Some(false),
                _ => None,
            })?;
            Ok(Values::Boolean(
                codes.iter().map(|&code| truths.get(code as usize).copied()).collect(),
            ))
        }
        (Values::Numeric(numbers), ColumnKind::Boolean) => {
            let truth = |&number: &f64| match number {
                number if number.is_nan() => Ok(None),
                0.0 => Ok(Some(false)),
                1.0 => Ok(Some(true)),
                other => Err(format!("the number {other}")),
            };
            Ok(Values::Boolean(numbers.iter().map(truth).collect::<Result<_, _>>()?))
        }
    }
}

fn each<T>(categories: &[String], read: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, String> {
    categories.iter().map(|text| read(text).ok_or_else(|| format!("the text '{text}'"))).collect()
}
