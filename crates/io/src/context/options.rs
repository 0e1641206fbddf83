//! What a caller may say about the file of a context.

use std::fmt;

use crate::options::{Header, Limits};

/// The forms in which a context can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContextFormat {
    /// Burmeister's `.cxt`: a line `B`, a name, two counts, the names, and a row of `X` and `.` for every object.
    Burmeister,
    /// FIMI's `.dat`: a line for every object with the numbers of its attributes.
    Fimi,
    /// CSV or TSV with a cell for every pair of an object and an attribute.
    CrossTable,
    /// A graph of dependencies: `FROM TO` a line, perhaps with a weight.
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

/// What is known about a context before it is read. Start from [`ContextOptions::default`] and say what differs.
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
    /// The form, if not the one that name and content suggest.
    pub format: Option<ContextFormat>,
    /// Whether a pair `FROM TO` also stands for `TO FROM`.
    pub symmetric: bool,
    /// The delimiter of a table of crosses, if not to be guessed; a space stands for runs of blanks.
    pub delimiter: Option<char>,
    /// Whether the first line of a table of crosses names the attributes.
    pub header: Header,
    /// Bounds on the input.
    pub limits: Limits,
}

impl ContextOptions {
    /// Reads this form, whatever name and content suggest.
    #[must_use]
    pub fn format(mut self, format: ContextFormat) -> Self {
        self.format = Some(format);
        self
    }

    /// Takes every pair of a graph in both directions; pairs of a module with itself are kept as they are, and none are added.
    #[must_use]
    pub fn symmetric(mut self, yes: bool) -> Self {
        self.symmetric = yes;
        self
    }

    /// Splits a table of crosses at this character.
    #[must_use]
    pub fn delimiter(mut self, delimiter: char) -> Self {
        self.delimiter = Some(delimiter);
        self
    }

    /// Says whether a table of crosses has a header.
    #[must_use]
    pub fn header(mut self, header: Header) -> Self {
        self.header = header;
        self
    }

    /// Replaces the bounds on the input.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}
