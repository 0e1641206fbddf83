//! The columns of the training data, and matching them with other data.

use crate::metrics::Middle;
use crate::suggest::{listed, nearest};
use pellucid_data::{Reading, Values, shorten};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnKind {
    /// Numbers.
    Numeric,
    /// One of several categories.
    Nominal,
    /// True or false.
    Boolean,
}

/// A column of the training data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// The name.
    pub name: String,
    /// The type.
    pub kind: ColumnKind,
    /// The categories, by code; only for nominal columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// The minimum and maximum in the training data, if there are finite numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<(f64, f64)>,
}

impl Column {
    /// Returns a column of numbers.
    #[must_use]
    pub fn numeric(name: impl Into<String>) -> Self {
        Self::of(name, ColumnKind::Numeric, Vec::new())
    }

    /// Returns a Boolean column.
    #[must_use]
    pub fn boolean(name: impl Into<String>) -> Self {
        Self::of(name, ColumnKind::Boolean, Vec::new())
    }

    /// Returns a column of categories.
    #[must_use]
    pub fn nominal(name: impl Into<String>, categories: Vec<String>) -> Self {
        Self::of(name, ColumnKind::Nominal, categories)
    }

    fn of(name: impl Into<String>, kind: ColumnKind, categories: Vec<String>) -> Self {
        Self { name: name.into(), kind, categories, range: None }
    }

    /// Returns the description of a column of the training data: its type, categories and range.
    #[must_use]
    pub fn describe(column: &pellucid_data::Column) -> Self {
        match &column.values {
            Values::Numeric(numbers) => {
                let finite = numbers.iter().copied().filter(|number| number.is_finite());
                let wider = |(low, high): (f64, f64), (number, _): (f64, f64)| {
                    (low.min(number), high.max(number))
                };
                let range = finite.map(|number| (number, number)).reduce(wider);
                Self { range, ..Self::numeric(&column.name) }
            }
            Values::Boolean(_) => Self::boolean(&column.name),
            Values::Nominal { categories, .. } => Self::nominal(&column.name, categories.clone()),
        }
    }
}

/// The description of a numeric target in the training data.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NumberTargetSummary {
    /// The mean and median.
    #[serde(flatten)]
    pub middle: Middle,
    /// The minimum.
    pub low: f64,
    /// The maximum.
    pub high: f64,
}

impl NumberTargetSummary {
    /// Returns the description of some numbers; `None` for none.
    #[must_use]
    pub fn of(numbers: &[f64]) -> Option<Self> {
        let (low, high) = numbers
            .iter()
            .copied()
            .reduce(f64::min)
            .zip(numbers.iter().copied().reduce(f64::max))?;
        Some(Self { middle: Middle::of(numbers), low, high })
    }
}

/// The description of the training data of a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Schema {
    /// The feature columns, in the order of the model.
    pub columns: Vec<Column>,
    /// The target column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The column that groups rows into bags.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bag: Option<String>,
    /// The classes, by code.
    #[serde(default)]
    pub classes: Vec<String>,
    /// The target, if the model predicts a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<NumberTargetSummary>,
    /// The options for reading the table, so that other tables are read in the same way.
    #[serde(default, skip_serializing_if = "Reading::is_plain")]
    pub reading: Reading,
    /// The classes that the model never predicts on the training data.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub never_predicted: Vec<String>,
}

/// Why data does not match a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// Required columns are missing.
    #[error("{}", missing_text(missing, source_name, available))]
    Missing {
        /// The missing columns, each with a similar name in the data.
        missing: Vec<(String, Option<String>)>,
        /// The name of the data.
        source_name: String,
        /// The columns of the data.
        available: Vec<String>,
    },
    /// A required column occurs more than once.
    #[error(
        "{source_name} has {count} columns named '{}'; the model needs exactly one",
        shorten(name)
    )]
    Repeated {
        /// The name.
        name: String,
        /// The number of occurrences.
        count: usize,
        /// The name of the data.
        source_name: String,
    },
}

fn missing_text(
    missing: &[(String, Option<String>)],
    source: &str,
    available: &[String],
) -> String {
    let shown: Vec<String> = missing
        .iter()
        .map(|(name, near)| match near {
            Some(near) => format!("'{}' (did you mean '{}'?)", shorten(name), shorten(near)),
            None => format!("'{}'", shorten(name)),
        })
        .collect();
    let columns = if missing.len() == 1 { "column" } else { "columns" };
    let needed = listed(shown.iter().map(String::as_str), 10);
    let has = match available {
        [] => "no columns".to_owned(),
        some => listed(some.iter().map(String::as_str), 20),
    };
    format!("{source} lacks {columns} {needed}, which the model needs; found: {has}")
}

impl Schema {
    /// Finds the columns of the model by name: for each column of the model its index in `names`.
    ///
    /// Other columns and another order do not matter. `source` is the name of the data in errors.
    ///
    /// ```
    /// use pellucid_learn::model::{Column, Schema};
    ///
    /// let columns = vec![Column::numeric("charge"), Column::numeric("mass")];
    /// let schema = Schema { columns, ..Schema::default() };
    /// assert_eq!(schema.match_columns(&["id", "mass", "charge"], "data.csv"), Ok(vec![2, 1]));
    ///
    /// let error = schema.match_columns(&["mass", "Charge"], "data.csv").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "data.csv lacks column 'charge' (did you mean 'Charge'?), which the model needs; \
    ///      found: mass, Charge"
    /// );
    /// ```
    ///
    /// # Errors
    /// If columns are missing (the error names all of them) or one occurs twice.
    pub fn match_columns(
        &self,
        names: &[impl AsRef<str>],
        source: &str,
    ) -> Result<Vec<usize>, SchemaError> {
        let mut places: HashMap<&str, (usize, usize)> = HashMap::new();
        for (place, name) in names.iter().enumerate() {
            places.entry(name.as_ref()).and_modify(|(_, count)| *count += 1).or_insert((place, 1));
        }
        let mut found = Vec::with_capacity(self.columns.len());
        let mut missing = Vec::new();
        for Column { name, .. } in &self.columns {
            match places.get(name.as_str()) {
                Some(&(place, 1)) => found.push(place),
                Some(&(_, count)) => {
                    let (name, source_name) = (name.clone(), source.to_owned());
                    return Err(SchemaError::Repeated { name, count, source_name });
                }
                None => missing.push(name),
            }
        }
        if missing.is_empty() {
            return Ok(found);
        }
        // Comparing names takes time, and only ten names are shown.
        let known = || names.iter().map(AsRef::as_ref).filter(|name| !self.has(name));
        let suggest = |(index, name): (usize, &String)| {
            let near = if index < 10 { nearest(name, known()) } else { None };
            (name.clone(), near.map(str::to_owned))
        };
        Err(SchemaError::Missing {
            missing: missing.into_iter().enumerate().map(suggest).collect(),
            source_name: source.to_owned(),
            available: names.iter().map(|name| name.as_ref().to_owned()).collect(),
        })
    }

    /// Returns the number of outputs per example: one score per class, or one number.
    #[must_use]
    pub fn outputs(&self) -> usize {
        if self.number.is_some() { 1 } else { self.classes.len() }
    }

    /// Checks that names are unique; a file may contain anything.
    ///
    /// # Errors
    /// Names the first duplicate.
    pub fn check(&self) -> Result<(), String> {
        if self.number.is_some() && !self.classes.is_empty() {
            return Err("it predicts both classes and a number".to_owned());
        }
        if let Some(class) = first_duplicate(&self.classes) {
            return Err(format!("it lists class '{}' twice", shorten(class)));
        }
        if let Some(name) = first_duplicate(self.columns.iter().map(|column| &column.name)) {
            return Err(format!("it lists column '{}' twice", shorten(name)));
        }
        for Column { name, categories, .. } in &self.columns {
            if let Some(category) = first_duplicate(categories) {
                let (category, name) = (shorten(category), shorten(name));
                return Err(format!("it lists category '{category}' of column '{name}' twice"));
            }
        }
        Ok(())
    }

    fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column.name == name)
    }
}

/// Returns the first duplicate name.
fn first_duplicate<'a>(names: impl IntoIterator<Item = &'a String>) -> Option<&'a String> {
    let mut known = HashSet::new();
    names.into_iter().find(|name| !known.insert(*name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema(names: &[&str]) -> Schema {
        let columns = names.iter().map(|&name| Column::numeric(name)).collect();
        Schema { columns, ..Schema::default() }
    }

    #[test]
    fn every_missing_column_is_named() {
        let error = schema(&["charge", "mass"]).match_columns(&[""; 0], "empty.csv");
        assert_eq!(
            error.expect_err("nothing there").to_string(),
            "empty.csv lacks columns 'charge', 'mass', which the model needs; found: no columns"
        );
    }

    #[test]
    fn a_duplicate_column_is_an_error_only_if_it_is_needed() {
        let names = ["a", "a", "b"];
        assert_eq!(schema(&["b"]).match_columns(&names, "x"), Ok(vec![2]));
        let error = schema(&["a"]).match_columns(&names, "x").expect_err("twice");
        assert_eq!(error.to_string(), "x has 2 columns named 'a'; the model needs exactly one");
    }

    #[test]
    fn default_fields_are_omitted() {
        let schema = Schema {
            columns: vec![
                Column::numeric("mass"),
                Column::nominal("colour", vec!["red".into(), "blue".into()]),
            ],
            target: Some("class".into()),
            ..Schema::default()
        };
        let json = serde_json::to_string(&schema).expect("plain data");
        assert_eq!(
            json,
            concat!(
                r#"{"columns":[{"name":"mass","kind":"numeric"},"#,
                r#"{"name":"colour","kind":"nominal","categories":["red","blue"]}],"#,
                r#""target":"class","classes":[]}"#
            )
        );
        assert_eq!(serde_json::from_str::<Schema>(&json).expect("what was written"), schema);
    }
}
