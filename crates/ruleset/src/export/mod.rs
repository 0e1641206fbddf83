//! Exports of a model: text or an HTML page for people, an SQL query, a Python module.
//!
//! Each form is self-contained and equivalent to the model file. [`text()`] and [`html()`] are for
//! reading and never fail. [`sql()`] and [`python()`] must predict exactly what the model predicts,
//! so they reject invalid models.

mod cells;
mod coverage;
pub(crate) mod dates;
pub(crate) mod header;
mod html;
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
pub(crate) mod wrap;
mod xml;

pub use html::{Page, html};
pub use python::python;
pub use sql::sql;
pub use text::{text, text_of_first};
pub use wrap::{marked, paragraph};

/// Helpers for learners that export Python modules.
pub mod in_python {
    pub use super::cells::{helpers, imports};
    pub use super::python::{docstring, number, string};
}

/// Helpers for learners that export SQL queries.
pub mod in_sql {
    pub use super::sql::literal::{identifier, literal, string};
    pub use super::sql::{FreeNames, measured, writable};
}

/// Helpers for learners that export HTML pages and SVG pictures.
pub mod in_xml {
    pub use super::xml::escaped;
}

use crate::model::RuleError;
use pellucid_data::visible_line;

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
    #[error(
        "a column, class or category has a NUL character in its name, which SQL does not allow; \
         rename it: '{}'",
        visible_line(line)
    )]
    Nul {
        /// The line of the query that contains the name.
        line: String,
    },
}
