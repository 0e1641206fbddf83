//! The forms in which a model is handed to other programs.

use super::{Learner, ModelOf};
use std::fmt;

/// A form in which models of a learner can be written: a text, or bytes of another kind (`W`).
pub struct Export<L: Learner, W = String> {
    /// Its name, as in `sql`.
    pub name: &'static str,
    /// What it is, in one line.
    pub help: &'static str,
    /// Writes a model.
    pub write: fn(&ModelOf<L>, &ExportOptions) -> Result<W, L::Error>,
}

impl<L: Learner, W> fmt::Debug for Export<L, W> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Export").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What some forms ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportOptions {
    /// The name of the table in a query.
    pub table: String,
    /// The name under which a query becomes a view; a query by itself if there is none.
    pub view: Option<String>,
    /// Of a page only what is in it, so that it can stand in another page.
    pub part: bool,
    /// Whether cells of a table that begin like a formula are written so that spreadsheets take them for text.
    pub spreadsheet: bool,
}

impl Default for ExportOptions {
    fn default() -> ExportOptions {
        ExportOptions { table: "data".to_owned(), view: None, part: false, spreadsheet: false }
    }
}
