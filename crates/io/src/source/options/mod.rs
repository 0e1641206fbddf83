//! Options for reading a file. All have defaults; the data set notes every assumption that a default led to.

mod build;

use crate::source::encoding::TextEncoding;
use crate::source::error::ReadProblem;
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
    /// The format of UCI's `clean1.data`: molecule, conformation, numbers, class with a trailing dot.
    Uci,
    /// Apache Parquet.
    Parquet,
    /// A sheet of an `.xlsx` or `.ods` file.
    Spreadsheet,
}

/// Whether the first line of delimited text names the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Header {
    /// Detect it from the content.
    #[default]
    Auto,
    /// The first line holds names.
    Yes,
    /// The first line holds data; columns are named `x1`, `x2`, …
    No,
}

/// How values of delimited text are quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Quoting {
    /// Double quotes, or single quotes if the first lines use them.
    #[default]
    Auto,
    /// Quotes are ordinary characters.
    None,
    /// This character.
    Char(char),
}

/// The choice of the column for a role, such as the target or the bag.
///
/// A column is given by its name, or by its number counted from 1 if no column has that name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Choice {
    /// The column that the format suggests; a note says which one.
    #[default]
    Auto,
    /// No column.
    None,
    /// This column; it is an error if it does not exist.
    Column(String),
    /// This column if it exists, otherwise none: for data that may or may not be labeled.
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
pub enum UnlabeledExamples {
    /// They are dropped, and a note says how many: a model cannot learn from them.
    #[default]
    LeaveOut,
    /// They are kept with the label [`MISSING`](pellucid_data::MISSING): a model predicts them, and
    /// scores count only the others.
    Keep,
}

/// A column that a model was trained on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedColumn {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: ExpectedKind,
}

/// The type of a column that a model was trained on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpectedKind {
    /// Numbers.
    Numbers,
    /// Numbers with this unit, such as a currency.
    Measured(String),
    /// Categories. The listed ones stay categories even if they look like marks of missing values.
    Words(Vec<String>),
    /// Boolean values.
    Truths,
    /// Dates of this format.
    Dates(DateFormat),
}

/// A table with one row per bag, which is joined to the table of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BagTable {
    /// The file.
    pub file: PathBuf,
    /// The column that names the bag in the table of rows.
    pub key: String,
    /// The name of that column in the table of bags, if it differs.
    pub other_key: Option<String>,
}

impl BagTable {
    /// Returns the column that names the bag in the table of bags.
    pub(crate) fn key_of_bags(&self) -> &str {
        self.other_key.as_deref().unwrap_or(&self.key)
    }
}

/// Limits that keep a hostile or mistaken file from filling the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The maximum length of a line or quoted record in bytes.
    pub max_line_bytes: usize,
    /// The maximum size of the decompressed input in bytes.
    pub max_bytes: u64,
    /// The maximum ratio of decompressed to compressed size. Checked only above
    /// [`Limits::EXPANSION_FREE_BYTES`], so that small files of zeros pass.
    pub max_expansion: u64,
    /// The maximum number of columns. A column of categories takes about 600 bytes in addition to its cells.
    pub max_columns: usize,
}

impl Limits {
    /// The decompressed size below which the expansion is not checked.
    pub const EXPANSION_FREE_BYTES: u64 = 64 << 20;

    /// Fails if a table has too many columns.
    pub(crate) fn check_columns(&self, found: usize) -> Result<(), ReadProblem> {
        let limit = self.max_columns;
        if found > limit { Err(ReadProblem::TooManyColumns { found, limit }) } else { Ok(()) }
    }
}

impl Default for Limits {
    /// 64 MiB per line, 16 GiB in total, 400-fold expansion (deflate reaches at most about
    /// 1030-fold, tables 5 to 50) and 300,000 columns, which take less than 256 MiB.
    fn default() -> Self {
        Self {
            max_line_bytes: 64 << 20,
            max_bytes: 16 << 30,
            max_expansion: 400,
            max_columns: 300_000,
        }
    }
}

/// The options for reading a table. Start from [`ReadOptions::default`] and set what differs.
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
    /// The format; detected from the name and the content by default.
    pub format: Option<Format>,
    /// The sheet of a spreadsheet, by name or by number from 1; the first one by default.
    pub sheet: Option<String>,
    /// More files of the same table, with the same columns.
    pub parts: Vec<PathBuf>,
    /// The delimiter of delimited text; detected by default. A space stands for any run of blanks.
    pub delimiter: Option<char>,
    /// The quotes of delimited text.
    pub quoting: Quoting,
    /// Whether delimited text has a header.
    pub header: Header,
    /// The encoding of a text file; detected by default.
    pub encoding: Option<TextEncoding>,
    /// The decimal separator, a point or a comma; detected by default.
    pub decimal: Option<char>,
    /// The thousands separator; detected by default.
    pub thousands: Option<char>,
    /// The texts that mark a missing value, in addition to an empty cell; by default
    /// [`MISSING_MARKS`](pellucid_data::MISSING_MARKS). In columns of numbers and dates the
    /// [usual marks](pellucid_data::MISSING_AMONG_NUMBERS) are always recognized.
    pub missing: Option<Vec<String>>,
    /// The column of labels.
    pub target: Choice,
    /// The column that names the bags.
    pub bag: Choice,
    /// Columns to skip.
    pub ignore: Vec<String>,
    /// The column that names the rows; none by default.
    pub id: Choice,
    /// Columns whose numbers are codes, not quantities.
    pub nominal: Vec<String>,
    /// Columns to read as numbers; cells that are not numbers become missing.
    pub numeric: Vec<String>,
    /// Columns of dates, each with its format or `None` to detect it.
    pub dates: Vec<(String, Option<DateFormat>)>,
    /// Columns in which spellings that differ only in case or spaces are merged.
    pub merge_spellings: Vec<String>,
    /// Columns to keep as features even if they look like identifiers of rows or bags.
    pub keep: Vec<String>,
    /// Whether to keep all columns that look like identifiers.
    pub keep_identifiers: bool,
    /// The columns that a model was trained on. If the file has all of them, other columns are skipped.
    pub expected: Vec<ExpectedColumn>,
    /// The classes that a model was trained on. They stay classes even if they look like marks of
    /// missing values.
    pub classes: Vec<String>,
    /// The class to list last, which is the positive one of a two-class problem; otherwise it is the
    /// one with a name such as `yes` or `1`, or else the rarer one.
    pub positive_class: Option<String>,
    /// What happens to examples without a label.
    pub unlabeled: UnlabeledExamples,
    /// A second file with the labels: two columns, the names of bags or rows and their labels.
    pub labels: Option<PathBuf>,
    /// Whether the file of labels has one label per line, without names, in the order of the table.
    pub labels_by_position: bool,
    /// A second table with one row per bag.
    pub bags: Option<BagTable>,
    /// Whether to drop rows that repeat another row of the same bag.
    pub dedupe_instances: bool,
    /// The limits on the input.
    pub limits: Limits,
    /// The number of threads; by default the number of cores.
    pub threads: Option<NonZeroUsize>,
    /// Whether a named column may be absent because it is in the other table.
    pub(crate) lenient: bool,
    /// Whether the only column besides names may be the target because the other table has more columns.
    pub(crate) lone_target: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            format: None,
            sheet: None,
            parts: Vec::new(),
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
            merge_spellings: Vec::new(),
            keep: Vec::new(),
            keep_identifiers: false,
            expected: Vec::new(),
            classes: Vec::new(),
            positive_class: None,
            unlabeled: UnlabeledExamples::LeaveOut,
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
    /// Returns the number of threads to read with.
    pub(crate) fn cores(&self) -> usize {
        self.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }
}
