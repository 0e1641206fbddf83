//! Options for reading a formal context.

use std::fmt;

use crate::source::options::{Header, Limits};

/// The formats of formal contexts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContextFormat {
    /// Burmeister's `.cxt`: a line `B`, a name, two counts, the names, and a row of `X` and `.` for
    /// every object.
    Burmeister,
    /// FIMI's `.dat`: a line for every object with the numbers of its attributes.
    Fimi,
    /// CSV or TSV with a cell for every pair of an object and an attribute.
    CrossTable,
    /// A dependency graph: lines `FROM TO`, optionally with a weight.
    Pairs,
}

impl fmt::Display for ContextFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Burmeister => "a Burmeister context",
            Self::Fimi => "a list of FIMI transactions",
            Self::CrossTable => "a table of crosses",
            Self::Pairs => "a list of pairs",
        })
    }
}

/// The options for reading a context. Start from [`ContextOptions::default`] and set what differs.
///
/// ```
/// use pellucid_io::{ContextFormat, ContextOptions, read_context_from};
/// let options = ContextOptions::default().format(ContextFormat::Fimi);
/// let context = read_context_from("3 7\n\n7 9\n".as_bytes(), "baskets", &options)?;
/// assert_eq!((context.objects.len(), context.attributes.len()), (3, 3));
/// # Ok::<(), pellucid_io::ReadError>(())
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ContextOptions {
    /// The format; detected from the name and the content by default.
    pub format: Option<ContextFormat>,
    /// Whether a pair `FROM TO` also means `TO FROM`.
    pub symmetric: bool,
    /// The delimiter of a table of crosses; detected by default. A space stands for any run of blanks.
    pub delimiter: Option<char>,
    /// Whether the first line of a table of crosses names the attributes.
    pub header: Header,
    /// The limits on the input.
    pub limits: Limits,
}

impl ContextOptions {
    /// Sets the format instead of detecting it.
    #[must_use]
    pub fn format(mut self, format: ContextFormat) -> Self {
        self.format = Some(format);
        self
    }

    /// Sets whether every pair of a graph counts in both directions. Pairs of a module with itself
    /// are kept, and none are added.
    #[must_use]
    pub fn symmetric(mut self, yes: bool) -> Self {
        self.symmetric = yes;
        self
    }

    /// Sets the delimiter of a table of crosses.
    #[must_use]
    pub fn delimiter(mut self, delimiter: char) -> Self {
        self.delimiter = Some(delimiter);
        self
    }

    /// Sets whether a table of crosses has a header.
    #[must_use]
    pub fn header(mut self, header: Header) -> Self {
        self.header = header;
        self
    }

    /// Sets the limits on the input.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}
