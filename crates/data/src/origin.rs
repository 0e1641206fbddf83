//! Where a data set comes from: what its rows are called, where they stand, and how the file was read.

use crate::DateFormat;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is known of a data set beside its values, so that an example can be named, a cell be found again, and another file
/// be read the same way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// What the rows are called, if a column says so.
    pub ids: Option<Ids>,
    /// The line of each row in its file; empty where rows have no lines.
    pub lines: Vec<u64>,
    /// Whether nobody named the target and it was guessed.
    pub guessed_target: bool,
    /// How the file was read.
    pub reading: Reading,
}

/// What the rows are called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ids {
    /// The column's name.
    pub name: String,
    /// The name of each row; nothing where it is missing.
    pub of_row: Vec<Option<String>>,
}

/// How a table was read: what another one needs to be read the same way. A model keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reading {
    /// The texts that stand for a missing value, where they were told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Vec<String>>,
    /// What stands between a number and its fraction, where it is no point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimal: Option<char>,
    /// What stands between groups of three digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thousands: Option<char>,
    /// The encoding that was told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// The columns that hold dates, and how those are written.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub dates: BTreeMap<String, DateFormat>,
    /// The columns whose numbers have something beside them, such as a currency, and what that is.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub units: BTreeMap<String, String>,
    /// The columns whose names had blanks around them in the file, and their names there.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// The column that names the rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What the bags are called by in a table of their own, where that column has another name there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The columns that were left out because they name rows or bags.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// The classes that were made one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merged: Option<MergedClasses>,
}

/// Classes too rare to be learned one by one, which were made one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergedClasses {
    /// What the one is called.
    pub into: String,
    /// What they were called.
    pub classes: Vec<String>,
}

impl Reading {
    /// Whether there is nothing to remember.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Reading::default()
    }

    /// How a column's dates are written, if it holds dates.
    #[must_use]
    pub fn date(&self, column: &str) -> Option<&DateFormat> {
        self.dates.get(column)
    }
}
