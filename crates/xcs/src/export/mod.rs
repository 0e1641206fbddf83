//! The text, HTML and CSV exports. The `ruleset` crate writes SQL and Python.

mod csv;
mod text;

pub use csv::csv;
pub use text::{html, text};
