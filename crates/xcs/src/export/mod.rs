//! The model for people, and as a table of rules. What predicts elsewhere (SQL, Python) is written by `ruleset`.

mod csv;
mod text;

pub use csv::csv;
pub use text::{html, text};
