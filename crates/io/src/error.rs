//! What can be wrong with a file, said as one sentence: the file, the place, what was found and what would be accepted.

use std::fmt;
use std::io;

/// Why a file could not be read, with the file's name and the place in it.
#[derive(Debug, thiserror::Error)]
#[error("{file}{place}: {problem}")]
pub struct ReadError {
    /// The name of the file, or what the caller called its input.
    pub file: String,
    /// Where in the file.
    pub place: Place,
    /// What is wrong there.
    pub problem: Box<ReadProblem>,
}

impl ReadError {
    /// A problem at a place; the outermost reader fills in the file's name.
    pub(crate) fn at(place: Place, problem: ReadProblem) -> Self {
        Self { file: String::new(), place, problem: Box::new(problem) }
    }

    /// The same error, told of the named file unless an inner reader named another one.
    pub(crate) fn in_file(mut self, file: &str) -> Self {
        if self.file.is_empty() {
            self.file = file.to_owned();
        }
        self
    }
}

impl ReadError {
    /// The same error, with the word that the target was guessed.
    pub(crate) fn guessed(mut self, column: &str) -> Self {
        self.problem =
            Box::new(ReadProblem::Guessed { problem: self.problem, column: shorten(column) });
        self
    }
}

impl From<ReadProblem> for ReadError {
    fn from(problem: ReadProblem) -> Self {
        Self::at(Place::Whole, problem)
    }
}

/// Where in a file something was found; lines, columns and rows count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Nowhere in particular.
    Whole,
    /// A line of a text file.
    Line(u64),
    /// A value: its line and its position among the line's values.
    Value {
        /// The line.
        line: u64,
        /// The position among the values of that line.
        column: usize,
    },
    /// A character: its line and its position in the line, in bytes.
    Character {
        /// The line.
        line: u64,
        /// The position in the line.
        column: u64,
    },
    /// A row of a binary table, which has no lines.
    Row(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Line(line) => write!(f, " line {line}"),
            Self::Value { line, column } => write!(f, " line {line}, column {column}"),
            Self::Character { line, column } => write!(f, " line {line}, column {column}"),
            Self::Row(row) => write!(f, " row {row}"),
        }
    }
}

impl Place {
    /// The same place as it reads in the middle of a sentence: "line 14".
    #[must_use]
    pub fn plain(self) -> String {
        self.to_string().trim_start().to_owned()
    }

    pub(crate) fn serialize_plain<S: serde::Serializer>(
        place: &Self,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&place.plain())
    }
}

/// What can be wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadProblem {
    /// The operating system refused.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// A gzip file that stops in the middle.
    #[error("the gzip data ends early; the file is truncated")]
    GzipTruncated,
    /// A gzip file whose contents do not fit together.
    #[error("the gzip data is damaged: {0}")]
    GzipDamaged(String),
    /// A line that no sensible table has.
    #[error("the line is longer than {limit} bytes; max_line_bytes allows more")]
    LineTooLong {
        /// The limit in force.
        limit: usize,
    },
    /// More data than the caller allows.
    #[error("holds more than {limit} bytes (decompressed); max_bytes allows more")]
    TooLarge {
        /// The limit in force.
        limit: u64,
    },
    /// More columns than the caller allows.
    #[error("has {found} columns, more than {limit}; max_columns allows more")]
    TooManyColumns {
        /// How many there are, about.
        found: usize,
        /// The limit in force.
        limit: usize,
    },
    /// A small file that decompresses into a huge one.
    #[error(
        "grows more than {limit}-fold when decompressed, as a decompression bomb does; max_expansion allows more"
    )]
    Expands {
        /// The limit in force.
        limit: u64,
    },
    /// The machine has less memory than the file needs.
    #[error("does not fit in memory")]
    Memory,
    /// A file of another kind.
    #[error("is {what}")]
    Foreign {
        /// What it is, and what to do.
        what: &'static str,
    },
    /// A byte that is not text.
    #[error(
        "byte {at} of the line is 0x{byte:02x}, which is not UTF-8 text; convert the file to UTF-8"
    )]
    NotUtf8 {
        /// Its position in the line, counted from 1.
        at: usize,
        /// The byte.
        byte: u8,
    },
    /// A quoted value without an end.
    #[error("a quoted value starts here and is never closed; {quote} was expected")]
    OpenQuote {
        /// The quote character.
        quote: char,
    },
    /// Text between a closing quote and the next delimiter.
    #[error(
        "found '{found}' after a closing quote; a delimiter or the end of the line was expected"
    )]
    AfterQuote {
        /// The text.
        found: String,
    },
    /// A row of the wrong length.
    #[error("found {found} values, {expected} were expected")]
    Ragged {
        /// How many there are.
        found: usize,
        /// How many the first row or the header has.
        expected: usize,
    },
    /// Nothing at all.
    #[error("the file is empty; a table was expected")]
    Empty,
    /// A header without data.
    #[error("there is a header but no data row; at least one was expected")]
    NoRows,
    /// Two columns of one name.
    #[error("columns {first} and {second} are both named '{name}'; names must differ")]
    DuplicateName {
        /// The name.
        name: String,
        /// The first position, counted from 1.
        first: usize,
        /// The second position.
        second: usize,
    },
    /// A column was asked for that is not there.
    #[error("{role} column '{name}' is not there; {known}")]
    UnknownColumn {
        /// What it was to be: target, bag, ignored or nominal.
        role: &'static str,
        /// The name or number asked for.
        name: String,
        /// The nearest names, or the columns there are.
        known: String,
    },
    /// A column was given two roles.
    #[error("column '{name}' is given twice: as {first} and as {second}")]
    TwoRoles {
        /// The column.
        name: String,
        /// Its first role.
        first: &'static str,
        /// Its second role.
        second: &'static str,
    },
    /// Not one example has a label.
    #[error("target column '{column}' is empty in every row; at least one label was expected")]
    NoLabels {
        /// The target column.
        column: String,
    },
    /// An instance that belongs to no bag.
    #[error("the name in bag column '{column}' is missing; every row needs one")]
    MissingBag {
        /// The bag column.
        column: String,
    },
    /// A bag whose rows disagree.
    #[error(
        "bag '{bag}' has two labels: '{label}' here and '{other}' on {other_place}; a bag has one label"
    )]
    TwoLabels {
        /// The bag.
        bag: String,
        /// The label found here.
        label: String,
        /// The label found before.
        other: String,
        /// Where it was found before.
        other_place: String,
    },
    /// A bag without instances.
    #[error("bag '{bag}' has no instances; at least one was expected")]
    EmptyBag {
        /// The bag.
        bag: String,
    },
    /// The positive class is not among the classes.
    #[error(
        "positive class '{value}' is not a class of target column '{column}'; the classes are {classes}"
    )]
    UnknownClass {
        /// What was asked for.
        value: String,
        /// The target column.
        column: String,
        /// The classes there are.
        classes: String,
    },
    /// Text where the file's own header promises a number.
    #[error("found '{found}', a number was expected (column '{column}' is declared numeric)")]
    NotNumber {
        /// The text.
        found: String,
        /// The column.
        column: String,
    },
    /// A value the file's own header does not list.
    #[error("found '{found}', one of {listed} was expected (column '{column}')")]
    NotListed {
        /// The text.
        found: String,
        /// The column.
        column: String,
        /// The declared values.
        listed: String,
    },
    /// A header line or a row whose form is not understood.
    #[error("found '{found}'; {expected} was expected")]
    Form {
        /// The text.
        found: String,
        /// What would be accepted.
        expected: String,
    },
    /// No context at all.
    #[error("the file is empty; a context was expected")]
    EmptyContext,
    /// A file whose form neither name nor content tells.
    #[error("found '{found}'; {expected}")]
    UnknownContext {
        /// The first line.
        found: String,
        /// What would be accepted.
        expected: &'static str,
    },
    /// A value where only crosses have a meaning.
    #[error(
        "found '{found}', as in a table of values; {expected} was expected, or scale the table first"
    )]
    ManyValued {
        /// The text.
        found: String,
        /// What would be accepted.
        expected: &'static str,
    },
    /// A row of crosses of the wrong length.
    #[error("found {found} marks in a row of crosses, {expected} were expected")]
    Marks {
        /// How many there are.
        found: usize,
        /// How many attributes there are.
        expected: usize,
    },
    /// A line of a graph that is no pair.
    #[error("found {found} words, a pair FROM TO was expected, perhaps with a weight")]
    NotPair {
        /// How many words there are.
        found: usize,
    },
    /// A file that says nothing.
    #[error("there is not one statement; an ontology was expected")]
    NoStatements,
    /// A file that is no ontology, or one in a syntax that is not read.
    #[error("found '{found}'; {expected}")]
    UnknownOntology {
        /// How the file begins.
        found: String,
        /// What would be accepted.
        expected: &'static str,
    },
    /// The complaint of a parser of RDF.
    #[error("is not sound {syntax}: {message}")]
    Rdf {
        /// What the file was read as.
        syntax: &'static str,
        /// What was found.
        message: String,
    },
    /// A learning problem without examples.
    #[error("there are no {which}; {expected} was expected")]
    NoExamples {
        /// What is missing.
        which: &'static str,
        /// What would be accepted.
        expected: &'static str,
    },
    /// The complaint of the parser of JSON.
    #[error("is not sound JSON: {0}")]
    Json(String),
    /// Something that should stand in the file does not.
    #[error("the file ends and {0} was expected")]
    Ended(&'static str),
    /// A name that is there twice where each is to be there once.
    #[error("'{name}' is named twice, first on {first}; every name was expected once")]
    TwiceNamed {
        /// The name.
        name: String,
        /// Where it stands before.
        first: String,
    },
    /// A bag that the table of bags does not have.
    #[error("bag '{name}' has no line in {file}; every bag needs one")]
    NotInSecond {
        /// The bag.
        name: String,
        /// The table of bags.
        file: String,
    },
    /// Both tables have a target.
    #[error(
        "the rows have a target, '{rows}', and the bags have one, '{bags}'; name the one that is meant"
    )]
    TwoTargets {
        /// The target of the rows.
        rows: String,
        /// The target of the bags.
        bags: String,
    },
    /// An example that the file of labels does not name.
    #[error(
        "there is no label for {what} '{name}'; every one needs a line with its name and its label"
    )]
    NoLabel {
        /// Bag or row.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// A file of labels by name that has none.
    #[error(
        "holds one column; two were expected, names and labels, or ask for `labels_by_position`, which takes one label a line in the order of the table"
    )]
    LabelsWithoutNames,
    /// Something is wrong with the target, and the target was assumed.
    #[error("{problem}; assumed column '{column}' is the target, use `target` to change it")]
    Guessed {
        /// What is wrong.
        problem: Box<ReadProblem>,
        /// The column that was assumed to be the target.
        column: String,
    },
    /// The labels file does not fit the table.
    #[error("found {found} labels, {expected} were expected")]
    LabelCount {
        /// Labels in the file.
        found: usize,
        /// Examples in the table.
        expected: String,
    },
    /// Options that contradict each other or the file.
    #[error("{0}")]
    Options(String),
    /// A column type of a Parquet file that has no meaning for a learner.
    #[error(
        "column '{column}' has the type {kind}, which is not supported; ignore the column to read the others"
    )]
    ColumnType {
        /// The column.
        column: String,
        /// Its type, in the words of Arrow, which most tools share.
        kind: String,
    },
    /// The Parquet library's complaint.
    #[error("is not a sound Parquet file: {0}")]
    Parquet(String),
}

impl ReadProblem {
    /// The [limit](crate::Limits) that a caller may raise, by the name in the message, if one was reached.
    #[must_use]
    pub fn limit(&self) -> Option<&'static str> {
        match self {
            Self::LineTooLong { .. } => Some("max_line_bytes"),
            Self::TooLarge { .. } => Some("max_bytes"),
            Self::Expands { .. } => Some("max_expansion"),
            Self::TooManyColumns { .. } => Some("max_columns"),
            _ => None,
        }
    }
}

/// At most forty characters of a value, so that a message stays a sentence.
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Names in quotes, joined by commas; a long list is cut and counted.
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
