//! The origin of a data set: the names and lines of its rows, and how the file was read.

use crate::DateFormat;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is needed to name an example, to find a cell in the file, and to read another file in the same way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// The names of the rows, if a column names them.
    pub ids: Option<Ids>,
    /// The line of each row in its file; empty if the file has no lines.
    pub lines: Vec<u64>,
    /// Whether the target was assumed, not named by the caller.
    pub guessed_target: bool,
    /// How the file was read.
    pub reading: Reading,
}

/// The names of the rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ids {
    /// The name of the column.
    pub name: String,
    /// The name of each row; `None` if it is missing.
    pub of_row: Vec<Option<String>>,
}

/// How a table was read. A model stores it to read other tables in the same way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reading {
    /// The marks of missing values, if the caller gave them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Vec<String>>,
    /// The decimal separator, if it is not a point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimal: Option<char>,
    /// The thousands separator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thousands: Option<char>,
    /// The encoding, if the caller gave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// The date columns with their formats.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub dates: BTreeMap<String, DateFormat>,
    /// The units of columns whose numbers have one, such as a currency.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub units: BTreeMap<String, String>,
    /// The original names of columns that have blanks around their names in the file.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// The column that names the rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The key column in the table of bags, if it has another name there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The columns that were skipped because they identify rows or bags.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// The columns in which spellings that differ only in case or spaces were merged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub merged_spellings: Vec<String>,
    /// The classes that were merged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merged: Option<MergedClasses>,
}

/// Rare classes that were merged into one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergedClasses {
    /// The name of the merged class.
    pub into: String,
    /// The names of the original classes.
    pub classes: Vec<String>,
}

impl Reading {
    /// Whether all settings are the defaults.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Reading::default()
    }

    /// Returns the date format of a column, if it holds dates.
    #[must_use]
    pub fn date(&self, column: &str) -> Option<&DateFormat> {
        self.dates.get(column)
    }
}
