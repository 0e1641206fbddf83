//! What a caller may say about a file; everything has a default, and every default that was used is noted in the data set.

mod build;

use crate::encoding::Encoding;
use crate::error::ReadProblem;
use pellucid_data::DateFormat;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

/// The file formats that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Values separated by commas, semicolons, tabs, bars or spaces.
    Delimited,
    /// WEKA's ARFF, with or without relational bags.
    Arff,
    /// KEEL's `.dat`.
    Keel,
    /// The form of UCI's `clean1.data`: molecule, conformation, numbers, class with a trailing dot.
    Uci,
    /// Apache Parquet.
    Parquet,
}

/// Whether the first line of delimited text names the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Header {
    /// Decide from the contents.
    #[default]
    Auto,
    /// The first line holds names.
    Yes,
    /// The first line holds data; columns are called `x1`, `x2`, …
    No,
}

/// How values of delimited text are quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Quoting {
    /// Double quotes, or single ones where the first lines use those.
    #[default]
    Auto,
    /// Quotes are ordinary characters.
    None,
    /// This character.
    Char(char),
}

/// Which column, if any, holds something: the labels, or the names of the bags.
///
/// A column is told by its name, or by its number counted from 1 if no column has that name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Choice {
    /// The one the format suggests; what was taken is noted.
    #[default]
    Auto,
    /// No column.
    None,
    /// This one; it is an error if it is not there.
    Column(String),
    /// This one if it is there, otherwise none: for data that may or may not be labelled.
    IfPresent(String),
}

impl From<&str> for Choice {
    fn from(column: &str) -> Self {
        Self::Column(column.to_owned())
    }
}

impl From<String> for Choice {
    fn from(column: String) -> Self {
        Self::Column(column)
    }
}

/// What happens to examples whose target cell is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unlabelled {
    /// They are left out, and a note says how many: nothing can be learned from them.
    #[default]
    LeaveOut,
    /// They stay, with [`MISSING`](pellucid_data::MISSING) as their label: a model predicts them, and only the others are
    /// scored.
    Keep,
}

/// A column that a model knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: ExpectedKind,
}

/// What a column that a model knows holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpectedKind {
    /// Numbers.
    Numbers,
    /// Numbers with this beside them, such as a currency.
    Measured(String),
    /// Words. Those that are listed stay words, even where a file would mean a missing value by them.
    Words(Vec<String>),
    /// Truth values, as the file has them.
    Truths,
    /// Dates of this format.
    Dates(DateFormat),
}

/// A table of bags beside the table of their rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BagTable {
    /// The file.
    pub file: PathBuf,
    /// The column that names the bag in the table of rows.
    pub key: String,
    /// What it is called in the table of bags, where it has another name there.
    pub other_key: Option<String>,
}

impl BagTable {
    /// The column that names the bag in the table of bags.
    pub(crate) fn key_of_bags(&self) -> &str {
        self.other_key.as_deref().unwrap_or(&self.key)
    }
}

/// Bounds that keep a hostile or mistaken file from filling the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest line (or quoted record) in bytes.
    pub max_line_bytes: usize,
    /// The most bytes of decompressed input.
    pub max_bytes: u64,
    /// How many times larger than its compressed form gzip data may be. Looked at only past
    /// [`Limits::EXPANSION_FREE_BYTES`], so that small files of zeros pass.
    pub max_expansion: u64,
    /// The most columns of a table. A column of words takes about 600 bytes beside its cells.
    pub max_columns: usize,
}

impl Limits {
    /// Decompressed bytes below which the expansion is not looked at.
    pub const EXPANSION_FREE_BYTES: u64 = 64 << 20;

    /// Whether a table may have so many columns.
    pub(crate) fn check_columns(&self, found: usize) -> Result<(), ReadProblem> {
        let limit = self.max_columns;
        if found > limit { Err(ReadProblem::TooManyColumns { found, limit }) } else { Ok(()) }
    }
}

impl Default for Limits {
    /// 64 MiB per line, 16 GiB in all, 400-fold expansion (deflate ends near 1030-fold; tables reach 5 to 50), 300,000
    /// columns, which take less than 256 MiB.
    fn default() -> Self {
        Self {
            max_line_bytes: 64 << 20,
            max_bytes: 16 << 30,
            max_expansion: 400,
            max_columns: 300_000,
        }
    }
}

/// What is known about a file before it is read. Start from [`ReadOptions::default`] and say what differs.
///
/// ```
/// use pellucid_io::ReadOptions;
/// let options = ReadOptions::default().target("status").ignore(["name"]);
/// let data = pellucid_io::read_from("name,a,status\nx,1,0\ny,2,1\n".as_bytes(), "t.csv", &options)?;
/// assert_eq!(data.columns.len(), 1);
/// # Ok::<(), pellucid_io::ReadError>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The format, if not the one that name and content suggest.
    pub format: Option<Format>,
    /// The delimiter of delimited text, if not to be guessed; a space stands for runs of blanks.
    pub delimiter: Option<char>,
    /// The quotes of delimited text.
    pub quoting: Quoting,
    /// Whether delimited text has a header.
    pub header: Header,
    /// The encoding of a text file, if not the one its bytes suggest.
    pub encoding: Option<Encoding>,
    /// What stands between a number and its fraction, a point or a comma; decided by the file if nothing is said.
    pub decimal: Option<char>,
    /// What stands between groups of three digits; decided by the file if nothing is said.
    pub thousands: Option<char>,
    /// Texts that stand for a missing value, beside an empty cell. If nothing is said, those of
    /// [`MISSING_MARKS`](pellucid_data::MISSING_MARKS). Among numbers and dates the
    /// [usual marks](pellucid_data::MISSING_AMONG_NUMBERS) are known in any case.
    pub missing: Option<Vec<String>>,
    /// The column of labels.
    pub target: Choice,
    /// The column of bag names.
    pub bag: Choice,
    /// Columns to leave out.
    pub ignore: Vec<String>,
    /// The column that names the rows; none if nothing is said.
    pub id: Choice,
    /// Columns of numbers that are codes, not quantities.
    pub nominal: Vec<String>,
    /// Columns of numbers, whatever else some of their cells hold; those count as missing.
    pub numeric: Vec<String>,
    /// Columns of dates, each with its format if that is not to be guessed.
    pub dates: Vec<(String, Option<DateFormat>)>,
    /// Columns that are features even though they seem to name rows or bags.
    pub keep: Vec<String>,
    /// Whether all columns that seem to name rows or bags are features.
    pub keep_identifiers: bool,
    /// The columns that a model knows, and of which kind they are. If the file has all of them, others are left out.
    pub expected: Vec<Expected>,
    /// The classes that a model knows. They stay classes, even where a file would mean a missing value by
    /// them.
    pub classes: Vec<String>,
    /// The class to put last, which is the positive one of a two-class problem.
    pub positive_class: Option<String>,
    /// What happens to examples without a label.
    pub unlabelled: Unlabelled,
    /// A second file with the labels: a table of two columns, the names of bags or rows and their labels.
    pub labels: Option<PathBuf>,
    /// Whether the file of labels has one label a line and no names, in the order of the table.
    pub labels_by_position: bool,
    /// A second table with a line for each bag.
    pub bags: Option<BagTable>,
    /// Drop rows that repeat another row of the same bag.
    pub dedupe_instances: bool,
    /// Bounds on the input.
    pub limits: Limits,
    /// How many threads may read, if not as many as there are cores.
    pub threads: Option<NonZeroUsize>,
    /// Whether columns that are named and not there are passed over: they are in another table.
    pub(crate) lenient: bool,
    /// Whether a lone column beside names may be the target: there are other columns in another table.
    pub(crate) lone_target: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            format: None,
            delimiter: None,
            quoting: Quoting::Auto,
            header: Header::Auto,
            encoding: None,
            decimal: None,
            thousands: None,
            missing: None,
            target: Choice::Auto,
            bag: Choice::Auto,
            id: Choice::None,
            ignore: Vec::new(),
            nominal: Vec::new(),
            numeric: Vec::new(),
            dates: Vec::new(),
            keep: Vec::new(),
            keep_identifiers: false,
            expected: Vec::new(),
            classes: Vec::new(),
            positive_class: None,
            unlabelled: Unlabelled::LeaveOut,
            labels: None,
            labels_by_position: false,
            bags: None,
            dedupe_instances: false,
            limits: Limits::default(),
            threads: None,
            lenient: false,
            lone_target: false,
        }
    }
}

impl ReadOptions {
    /// How many threads read.
    pub(crate) fn cores(&self) -> usize {
        self.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }
}
