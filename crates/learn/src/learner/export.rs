//! Export formats of models.

use super::{Describe, Fit, ModelOf};
use std::fmt;

/// An export format of a learner.
pub struct Export<L: Fit> {
    /// The name, such as `sql`.
    pub name: &'static str,
    /// The help, in one line.
    pub help: &'static str,
    /// The function that exports a model.
    pub write: ExportWriter<L>,
}

/// The function of an export format.
pub enum ExportWriter<L: Fit> {
    /// Returns text.
    Text(WriteModel<L, String>),
    /// Returns bytes.
    Binary(WriteModel<L, Vec<u8>>),
}

/// A function that exports a model.
pub type WriteModel<L, W> = fn(&ModelOf<L>, &ExportOptions) -> Result<W, <L as Describe>::Error>;

impl<L: Fit> Export<L> {
    /// Returns a model in this format.
    ///
    /// # Errors
    /// If the format cannot represent the model.
    pub fn bytes(&self, model: &ModelOf<L>, options: &ExportOptions) -> Result<Vec<u8>, L::Error> {
        match self.write {
            ExportWriter::Text(write) => write(model, options).map(String::into_bytes),
            ExportWriter::Binary(write) => write(model, options),
        }
    }
}

impl<L: Fit> fmt::Debug for Export<L> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Export").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A dialect of SQL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SqlDialect {
    /// `SQLite`; `PostgreSQL` and `DuckDB` run the same query.
    #[default]
    Sqlite,
    /// `PostgreSQL`.
    PostgreSql,
    /// `DuckDB`.
    DuckDb,
    /// Google `BigQuery`.
    BigQuery,
    /// Apache Spark.
    Spark,
}

impl SqlDialect {
    /// All dialects with their names.
    pub const ALL: [(&'static str, SqlDialect); 5] = [
        ("sqlite", SqlDialect::Sqlite),
        ("postgresql", SqlDialect::PostgreSql),
        ("duckdb", SqlDialect::DuckDb),
        ("bigquery", SqlDialect::BigQuery),
        ("spark", SqlDialect::Spark),
    ];
}

impl std::str::FromStr for SqlDialect {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, dialect)| *dialect).ok_or_else(|| {
            let known = Self::ALL.map(|(known, _)| known).join(", ");
            format!("found '{name}'; expected one of {known}")
        })
    }
}

/// The options of some formats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportOptions {
    /// The name of the table in SQL.
    pub table: String,
    /// The name of the view in SQL; without it, a plain query is written.
    pub view: Option<String>,
    /// The dialect of SQL.
    pub dialect: SqlDialect,
    /// Whether to write only the body of an HTML page, for embedding.
    pub part: bool,
    /// Whether to mark CSV cells that look like formulas as text.
    pub spreadsheet: bool,
}

impl Default for ExportOptions {
    fn default() -> ExportOptions {
        ExportOptions {
            table: "data".to_owned(),
            view: None,
            dialect: SqlDialect::default(),
            part: false,
            spreadsheet: false,
        }
    }
}
