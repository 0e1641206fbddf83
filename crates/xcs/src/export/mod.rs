//! The text and CSV exports. The `ruleset` crate writes SQL and Python.

mod csv;
mod text;

pub use csv::csv;
pub use text::{note_paragraphs, remarks, shown_rules, text};
