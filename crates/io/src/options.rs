//! What a caller may say about a file; everything has a default, and every default that was used is noted in the data set.

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
}

impl Limits {
    /// Decompressed bytes below which the expansion is not looked at.
    pub const EXPANSION_FREE_BYTES: u64 = 64 << 20;
}

impl Default for Limits {
    /// 64 MiB per line, 16 GiB in all, 400-fold expansion (deflate ends near 1030-fold; tables reach 5 to 50).
    fn default() -> Self {
        Self { max_line_bytes: 64 << 20, max_bytes: 16 << 30, max_expansion: 400 }
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
    /// Texts that stand for a missing value.
    pub missing: Vec<String>,
    /// The column of labels.
    pub target: Choice,
    /// The column of bag names.
    pub bag: Choice,
    /// The column that names the rows; none if nothing is said.
    pub id: Choice,
    /// Columns to leave out.
    pub ignore: Vec<String>,
    /// Columns of numbers that are codes, not quantities.
    pub nominal: Vec<String>,
    /// The class to put last, which is the positive one of a two-class problem.
    pub positive_class: Option<String>,
    /// A second file that holds one label per line.
    pub labels: Option<PathBuf>,
    /// Drop rows that repeat another row of the same bag.
    pub dedupe_instances: bool,
    /// Bounds on the input.
    pub limits: Limits,
    /// How many threads may read, if not as many as there are cores.
    pub threads: Option<NonZeroUsize>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        let missing = ["", "?", "NA", "N/A", "NaN", "nan", "null", "NULL"];
        Self {
            format: None,
            delimiter: None,
            quoting: Quoting::Auto,
            header: Header::Auto,
            missing: missing.map(str::to_owned).to_vec(),
            target: Choice::Auto,
            bag: Choice::Auto,
            id: Choice::None,
            ignore: Vec::new(),
            nominal: Vec::new(),
            positive_class: None,
            labels: None,
            dedupe_instances: false,
            limits: Limits::default(),
            threads: None,
        }
    }
}

impl ReadOptions {
    /// How many threads read.
    pub(crate) fn cores(&self) -> usize {
        self.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }

    /// Reads on so many threads.
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Reads as this format, whatever name and content suggest.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// Splits delimited text at this character.
    #[must_use]
    pub fn delimiter(mut self, delimiter: char) -> Self {
        self.delimiter = Some(delimiter);
        self
    }

    /// Says how values are quoted.
    #[must_use]
    pub fn quoting(mut self, quoting: Quoting) -> Self {
        self.quoting = quoting;
        self
    }

    /// Says whether there is a header.
    #[must_use]
    pub fn header(mut self, header: Header) -> Self {
        self.header = header;
        self
    }

    /// Replaces the texts that stand for a missing value.
    #[must_use]
    pub fn missing<S: Into<String>>(mut self, markers: impl IntoIterator<Item = S>) -> Self {
        self.missing = markers.into_iter().map(Into::into).collect();
        self
    }

    /// Names the column of labels.
    #[must_use]
    pub fn target(mut self, column: impl Into<Choice>) -> Self {
        self.target = column.into();
        self
    }

    /// Names the column of bag names.
    #[must_use]
    pub fn bag(mut self, column: impl Into<Choice>) -> Self {
        self.bag = column.into();
        self
    }

    /// Names the column that names the rows.
    #[must_use]
    pub fn id(mut self, column: impl Into<Choice>) -> Self {
        self.id = column.into();
        self
    }

    /// Leaves these columns out.
    #[must_use]
    pub fn ignore<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.ignore = columns.into_iter().map(Into::into).collect();
        self
    }

    /// Takes the values of these columns as codes even if they are numbers.
    #[must_use]
    pub fn nominal<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.nominal = columns.into_iter().map(Into::into).collect();
        self
    }

    /// Puts this class last.
    #[must_use]
    pub fn positive_class(mut self, class: impl Into<String>) -> Self {
        self.positive_class = Some(class.into());
        self
    }

    /// Takes the labels from a second file, one per line.
    #[must_use]
    pub fn labels(mut self, file: impl Into<PathBuf>) -> Self {
        self.labels = Some(file.into());
        self
    }

    /// Drops rows that repeat another row of the same bag.
    #[must_use]
    pub fn dedupe_instances(mut self, yes: bool) -> Self {
        self.dedupe_instances = yes;
        self
    }

    /// Replaces the bounds on the input.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}
