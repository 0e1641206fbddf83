//! Exports of a model: text for people, an SQL query, a Python module.
//!
//! Each form is self-contained and equivalent to the model file. [`text()`] is for reading
//! and never fails. [`sql()`] and [`python()`] must predict exactly what the model predicts,
//! so they reject invalid models.

mod card;
mod coverage;
mod csv;
pub(crate) mod header;
mod joint;
mod language;
mod list;
mod number;
mod points;
pub(crate) mod prose;
mod python;
pub(crate) mod score;
mod sets;
mod sizes;
mod sql;
pub(crate) mod text;

pub use csv::csv;
pub use python::python;
pub use sql::sql;
pub use text::{first_note, text, text_of_first};

/// The sentences and tables of the [text](text()), for pages that lay them out differently.
pub mod sentences {
    pub use super::card::{CardTables, RiskRow, card, totals_text};
    pub use super::coverage::{coverage, stability_warning};
    pub use super::header::header;
    pub use super::joint::joint_notes;
    pub use super::list::{IN_ORDER, list_fallback};
    pub use super::number::{number_coverage, number_formula};
    pub use super::points::{Chart, chart, signed};
    pub use super::score::{fallback_class, scoring, set_note};
    pub use super::sets::{SetText, sets_in};
    pub use super::sizes::{SELECTED, SizeRow, SizeTable, size_table};
    pub use super::text::{class_name, condition_text, front, rule_consequence};
}

use crate::model::RuleError;
use pellucid_export::sql::NulError;

/// Why a model cannot be exported.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExportError {
    /// The model is invalid.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The model has no classes.
    #[error("the model has no classes; expected at least one")]
    NoClasses,
    /// A name contains a NUL character.
    #[error(transparent)]
    Nul(#[from] NulError),
}
