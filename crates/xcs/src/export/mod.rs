//! The text and CSV exports. The `ruleset` crate writes SQL and Python.

mod csv;
mod text;

pub use csv::csv;
pub use text::{SHOWN_RULES, note_paragraphs, remarks, text};
