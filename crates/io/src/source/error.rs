//! Errors of readers: one sentence with the file, the position, what was found and what was expected.

use pellucid_data::{Message, message, parameter};
use std::fmt;
use std::io;

/// Why a file could not be read, with the file name and the position in the file.
#[derive(Debug, thiserror::Error)]
#[error("{file}{position}: {problem}")]
pub struct ReadError {
    /// The name of the file, or the name that the caller gave the input.
    pub file: String,
    /// The position in the file.
    pub position: Position,
    /// The problem at that position.
    pub problem: Box<ReadProblem>,
}

impl ReadError {
    /// Returns an error without a file name; the outermost reader fills it in.
    pub(crate) fn at(position: Position, problem: ReadProblem) -> Self {
        Self { file: String::new(), position, problem: Box::new(problem) }
    }

    /// Sets the file name, unless an inner reader has already set one.
    pub(crate) fn in_file(mut self, file: &str) -> Self {
        if self.file.is_empty() {
            self.file = file.to_owned();
        }
        self
    }
}

impl ReadError {
    /// Returns the message, with the parameters in it.
    #[must_use]
    pub fn message(&self) -> Message {
        let Self { file, position, problem } = self;
        message!("{file}{position}: ", problem.message())
    }

    /// Adds that the target column was assumed, not named.
    pub(crate) fn with_assumed_target(mut self, column: &str) -> Self {
        self.problem =
            Box::new(ReadProblem::AssumedTarget { problem: self.problem, column: shorten(column) });
        self
    }
}

impl From<ReadProblem> for ReadError {
    fn from(problem: ReadProblem) -> Self {
        Self::at(Position::WholeFile, problem)
    }
}

/// A position in a file; lines, columns and rows count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// The file as a whole.
    WholeFile,
    /// A line of a text file.
    Line(u64),
    /// A value, by its line and its index among the values of that line.
    Value {
        /// The line.
        line: u64,
        /// The index among the values of that line.
        column: usize,
    },
    /// A character, by its line and its byte offset in that line.
    Character {
        /// The line.
        line: u64,
        /// The byte offset in the line.
        column: u64,
    },
    /// A row of a table without lines, such as a Parquet file.
    Row(u64),
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WholeFile => Ok(()),
            Self::Line(line) => write!(f, ", line {line}"),
            Self::Value { line, column } => write!(f, ", line {line}, column {column}"),
            Self::Character { line, column } => write!(f, ", line {line}, column {column}"),
            Self::Row(row) => write!(f, ", row {row}"),
        }
    }
}

impl Position {
    /// Returns the position as it reads in the middle of a sentence: "line 14".
    #[must_use]
    pub fn phrase(self) -> String {
        self.to_string().trim_start_matches(", ").to_owned()
    }

    pub(crate) fn serialize_phrase<S: serde::Serializer>(
        position: &Self,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&position.phrase())
    }
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadProblem {
    /// The operating system reported an error.
    #[error("cannot read the file: {0}")]
    Io(io::Error),
    /// A gzip file that ends in the middle of its data.
    #[error("the gzip data is truncated")]
    GzipTruncated,
    /// A gzip file with invalid data.
    #[error("the gzip data is corrupt: {0}")]
    GzipDamaged(String),
    /// A Zstandard file that ends in the middle of its data.
    #[error("the Zstandard data is truncated")]
    ZstdTruncated,
    /// A Zstandard file with invalid data.
    #[error("the Zstandard data is corrupt: {0}")]
    ZstdDamaged(String),
    /// A line longer than the caller allows.
    #[error("{}", self.message())]
    LineTooLong {
        /// The limit.
        limit: usize,
    },
    /// More data than the caller allows.
    #[error("{}", self.message())]
    TooLarge {
        /// The limit.
        limit: u64,
    },
    /// More columns than the caller allows.
    #[error("{}", self.message())]
    TooManyColumns {
        /// The approximate number of columns.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// A small file that decompresses into a huge one.
    #[error("{}", self.message())]
    Expands {
        /// The limit.
        limit: u64,
    },
    /// The machine has less memory than the file needs.
    #[error("the file does not fit in memory")]
    Memory,
    /// A file that is not a table.
    #[error("the file is {what}")]
    NotTable {
        /// What the file is, and what to do about it.
        what: &'static str,
    },
    /// A byte that is not valid UTF-8.
    #[error(
        "byte {at} of the line is 0x{byte:02x}, which is not valid UTF-8; convert the file to UTF-8"
    )]
    NotUtf8 {
        /// Its position in the line, counted from 1.
        at: usize,
        /// The byte.
        byte: u8,
    },
    /// A quoted value without a closing quote.
    #[error("the quoted value that starts here is never closed; expected {quote}")]
    OpenQuote {
        /// The quote character.
        quote: char,
    },
    /// Text between a closing quote and the next delimiter.
    #[error("found '{found}' after a closing quote; expected a delimiter or the end of the line")]
    AfterQuote {
        /// The text.
        found: String,
    },
    /// A row of the wrong length.
    #[error("found {}; expected {expected}", counted(*found, "value"))]
    Ragged {
        /// The number of values in the row.
        found: usize,
        /// The number of values in the first row or the header.
        expected: usize,
    },
    /// An empty file.
    #[error("the file is empty; expected a table")]
    Empty,
    /// A header without data.
    #[error("found a header but no rows; expected at least one row")]
    NoRows,
    /// Two columns with the same name.
    #[error("columns {first} and {second} are both named '{name}'; column names must be unique")]
    DuplicateName {
        /// The name.
        name: String,
        /// The first column's index, counted from 1.
        first: usize,
        /// The second column's index.
        second: usize,
    },
    /// A column that the caller named and the file does not have.
    #[error("{role} column '{name}' not found; {known}")]
    UnknownColumn {
        /// The role the caller gave it, such as target, bag, ignored or nominal.
        role: &'static str,
        /// The name or number that the caller gave.
        name: String,
        /// The most similar names, or the columns of the file.
        known: String,
    },
    /// A column with two roles.
    #[error("column '{name}' has two roles: {first} and {second}; expected one")]
    TwoRoles {
        /// The column.
        name: String,
        /// Its first role.
        first: &'static str,
        /// Its second role.
        second: &'static str,
    },
    /// A target without any label.
    #[error("target column '{column}' is empty in every row; expected at least one label")]
    NoLabels {
        /// The target column.
        column: String,
    },
    /// A row without a bag.
    #[error("bag column '{column}' is empty; expected a bag name in every row")]
    MissingBag {
        /// The bag column.
        column: String,
    },
    /// A bag whose rows have different labels.
    #[error(
        "bag '{bag}' has two labels: '{label}' here and '{other}' on {other_position}; \
         expected one label per bag"
    )]
    TwoLabels {
        /// The bag.
        bag: String,
        /// The label found here.
        label: String,
        /// The label found earlier.
        other: String,
        /// The position of the earlier label.
        other_position: String,
    },
    /// A bag without instances.
    #[error("bag '{bag}' has no instances; expected at least one")]
    EmptyBag {
        /// The bag.
        bag: String,
    },
    /// A positive class that does not occur in the target.
    #[error(
        "positive class '{value}' is not a class of target column '{column}'; expected one of {classes}"
    )]
    UnknownClass {
        /// The class that the caller named.
        value: String,
        /// The target column.
        column: String,
        /// The classes of the target.
        classes: String,
    },
    /// Text in a column that the file declares numeric.
    #[error("found '{found}'; expected a number (column '{column}' is declared numeric)")]
    NotNumber {
        /// The text.
        found: String,
        /// The column.
        column: String,
    },
    /// A value that the file's header does not list.
    #[error("found '{found}'; expected one of {listed} (column '{column}')")]
    NotListed {
        /// The text.
        found: String,
        /// The column.
        column: String,
        /// The declared values.
        listed: String,
    },
    /// Text with unexpected syntax.
    #[error("found '{found}'; expected {expected}")]
    Form {
        /// The text.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// An empty file instead of a formal context.
    #[error("the file is empty; expected a formal context")]
    EmptyContext,
    /// A graph without edges.
    #[error("found no edges; expected a dependency graph")]
    NoEdges,
    /// A file whose form of graph cannot be detected.
    #[error("found '{found}'; {expected}")]
    UnknownGraph {
        /// The first line.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A partition without clusters.
    #[error("found no clusters; expected lines such as SS(name)=a, b or module,cluster")]
    NoClusters,
    /// An error of the XML parser.
    #[error("invalid XML: {0}")]
    Xml(String),
    /// A file whose context format cannot be detected.
    #[error("found '{found}'; {expected}")]
    UnknownContext {
        /// The first line.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A many-valued table instead of a table of crosses.
    #[error("found '{found}'; expected {expected}; if this is a many-valued table, scale it first")]
    ManyValued {
        /// The text.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A row of crosses of the wrong length.
    #[error("found {} in a row of crosses; expected {expected}", counted(*found, "mark"))]
    Marks {
        /// The number of marks in the row.
        found: usize,
        /// The number of attributes.
        expected: usize,
    },
    /// A line of a graph that is not a pair.
    #[error(
        "found {}; expected a pair FROM TO, optionally followed by a weight",
        counted(*found, "word")
    )]
    NotPair {
        /// The number of words in the line.
        found: usize,
    },
    /// An ontology without statements.
    #[error("found no statements; expected an ontology")]
    NoStatements,
    /// A file that is not an ontology, or one in a syntax that is not supported.
    #[error("found '{found}'; {expected}")]
    UnknownOntology {
        /// The beginning of the file.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// An error of the RDF parser.
    #[error("invalid {syntax}: {message}")]
    Rdf {
        /// The syntax that the file was parsed as.
        syntax: &'static str,
        /// The parser's message.
        message: String,
    },
    /// A learning problem without examples.
    #[error("found no {which}; expected {expected}")]
    NoExamples {
        /// What is missing.
        which: &'static str,
        /// What was expected.
        expected: &'static str,
    },
    /// An error of the JSON parser.
    #[error("invalid JSON: {0}")]
    Json(String),
    /// A file that ends too early.
    #[error("unexpected end of file; expected {0}")]
    Ended(&'static str),
    /// A key that occurs twice in a second table.
    #[error("'{name}' appears twice, first on {first}; expected each name once")]
    DuplicateKey {
        /// The name.
        name: String,
        /// The position of the first occurrence.
        first: String,
    },
    /// A bag without a row in the table of bags.
    #[error("bag '{name}' has no row in {file}; expected one row per bag")]
    MissingBagRow {
        /// The bag.
        name: String,
        /// The table of bags.
        file: String,
    },
    /// A target in the table of rows and another one in the table of bags.
    #[error("{}", self.message())]
    TwoTargets {
        /// The target of the rows.
        rows: String,
        /// The target of the bags.
        bags: String,
    },
    /// An example without a line in the file of labels.
    #[error("found no label for {what} '{name}'; expected a line with its name and its label")]
    NoLabel {
        /// "bag" or "row".
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// A file of labels with one column instead of two.
    #[error("{}", self.message())]
    LabelsWithoutNames,
    /// A problem with a target that was assumed, not named.
    #[error("{}", self.message())]
    AssumedTarget {
        /// What is wrong.
        problem: Box<ReadProblem>,
        /// The column that was assumed to be the target.
        column: String,
    },
    /// A file of labels whose length does not match the table.
    #[error("found {}; expected {expected}", counted(*found, "label"))]
    LabelCount {
        /// The number of labels in the file.
        found: usize,
        /// The number of examples in the table.
        expected: String,
    },
    /// Options that contradict each other or the file.
    #[error("{0}")]
    Options(Message),
    /// A Parquet column of an unsupported type.
    #[error("{}", self.message())]
    ColumnType {
        /// The column.
        column: String,
        /// Its type, under the name that Arrow uses.
        kind: String,
    },
    /// A spreadsheet that cannot be read.
    #[error("invalid spreadsheet: {0}")]
    Spreadsheet(String),
    /// A part of a table whose column names differ from those of the first part.
    #[error("found the column names {found}; expected {expected} as in {first}")]
    OtherNames {
        /// The names of the part.
        found: String,
        /// The names of the first part.
        expected: String,
        /// The first part.
        first: String,
    },
    /// An error of the Parquet library.
    #[error("invalid Parquet file: {0}")]
    Parquet(String),
}

impl ReadProblem {
    /// Returns the message, with the parameters in it.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::LineTooLong { limit } => {
                let raise = parameter("max_line_bytes");
                message!("the line is longer than {limit} bytes; raise ", raise, " to read it")
            }
            Self::TooLarge { limit } => message!(
                "the decompressed data is larger than {limit} bytes; raise ",
                parameter("max_bytes"),
                " to read it"
            ),
            Self::TooManyColumns { found, limit } => message!(
                "found {found} columns; the limit is {limit}; raise ",
                parameter("max_columns"),
                " to read them"
            ),
            Self::Expands { limit } => message!(
                "the data grows more than {limit}-fold when decompressed and may be a decompression \
                 bomb; raise ",
                parameter("max_expansion"),
                " to read it"
            ),
            Self::TwoTargets { rows, bags } => message!(
                "the table of rows has the target '{rows}' and the table of bags has the target \
                 '{bags}'; use `",
                parameter("target"),
                "` to choose one"
            ),
            Self::LabelsWithoutNames => message!(
                "found one column; expected two, names and labels; use `",
                parameter("labels_by_position"),
                "` for one label per line in the order of the table"
            ),
            Self::AssumedTarget { problem, column } => message!(
                problem.message(),
                "; assumed column '{column}' is the target; use `",
                parameter("target"),
                "` to change it"
            ),
            Self::ColumnType { column, kind } => message!(
                "column '{column}' has the type {kind}, which is not supported; use `",
                parameter("ignore"),
                "` to skip the column"
            ),
            Self::Options(message) => message.clone(),
            other => other.to_string().into(),
        }
    }
}

/// Converts an error of the JSON parser; its position moves from the message into the error.
pub(crate) fn json_error(error: &serde_json::Error) -> ReadError {
    let position = Position::Character { line: error.line() as u64, column: error.column() as u64 };
    let text = error.to_string();
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
    ReadError::at(position, ReadProblem::Json(text.to_owned()))
}

/// Returns at most forty characters of a value, which keeps messages short.
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns a number with its noun: "1 row", "2 rows".
pub(crate) fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Returns quoted names separated by commas; only the first few of a long list.
pub(crate) fn listed<S: AsRef<str>>(names: &[S]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> =
        names.iter().take(SHOWN).map(|name| format!("'{}'", shorten(name.as_ref()))).collect();
    let mut text = shown.join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}
