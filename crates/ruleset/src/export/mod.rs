//! A model taken elsewhere: as text or a page for people, as a query for a database, as a Python module.
//!
//! Each form says the same thing as the model file and depends on nothing of Pellucid. [`text()`] and [`html()`] are for the eye and never
//! fail. [`sql()`] and [`python()`] must mean exactly what the
//! model means, so they refuse a model that makes no sense.

mod beside;
mod cells;
pub(crate) mod dates;
mod html;
mod language;
mod list;
mod number;
mod points;
pub(crate) mod prose;
mod python;
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

/// What other Python modules are written with.
pub mod in_python {
    pub use super::cells::{helpers, imports};
    pub use super::python::{docstring, number, string};
}

/// What other queries are written with.
pub mod in_sql {
    pub use super::sql::literal::{identifier, literal, string};
    pub use super::sql::{FreeNames, measured, writable};
}

/// What other pages and pictures are written with.
pub mod in_xml {
    pub use super::xml::escaped;
}

use crate::model::RuleError;
use pellucid_data::visible_line;

/// Why a model cannot be exported.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExportError {
    /// The model makes no sense.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// Nothing to predict.
    #[error("the model has no classes, at least one is needed")]
    NoClasses,
    /// A name that a query cannot hold.
    #[error(
        "a column, class or category has a NUL character in its name, which SQL cannot hold: '{}'; rename it",
        visible_line(line)
    )]
    Nul {
        /// The line of the query that has it.
        line: String,
    },
}
