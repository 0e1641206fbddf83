//! Export formats of models.

use super::{Learner, ModelOf};
use std::fmt;

/// An export format of a learner; the output (`W`) is text or bytes.
pub struct Export<L: Learner, W = String> {
    /// The name, such as `sql`.
    pub name: &'static str,
    /// The help, in one line.
    pub help: &'static str,
    /// The function that exports a model.
    pub write: fn(&ModelOf<L>, &ExportOptions) -> Result<W, L::Error>,
}

impl<L: Learner, W> fmt::Debug for Export<L, W> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Export").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The options of some formats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportOptions {
    /// The name of the table in SQL.
    pub table: String,
    /// The name of the view in SQL; without it, a plain query is written.
    pub view: Option<String>,
    /// Whether to write only the body of an HTML page, for embedding.
    pub part: bool,
    /// Whether to mark CSV cells that look like formulas as text.
    pub spreadsheet: bool,
}

impl Default for ExportOptions {
    fn default() -> ExportOptions {
        ExportOptions { table: "data".to_owned(), view: None, part: false, spreadsheet: false }
    }
}
