//! Saying what differs from the defaults, one thing after the other.

use super::{BagTable, Choice, Expected, Format, Header, Limits, Quoting, ReadOptions, Unlabelled};
use crate::encoding::Encoding;
use pellucid_data::DateFormat;
use std::num::NonZeroUsize;
use std::path::PathBuf;

impl ReadOptions {
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

    /// Reads the bytes as this encoding, whatever they suggest.
    #[must_use]
    pub fn encoding(mut self, encoding: Encoding) -> Self {
        self.encoding = Some(encoding);
        self
    }

    /// Says what stands between a number and its fraction.
    #[must_use]
    pub fn decimal(mut self, decimal: char) -> Self {
        self.decimal = Some(decimal);
        self
    }

    /// Says what stands between groups of three digits.
    #[must_use]
    pub fn thousands(mut self, thousands: char) -> Self {
        self.thousands = Some(thousands);
        self
    }

    /// Replaces the texts that stand for a missing value, beside an empty cell.
    #[must_use]
    pub fn missing<S: Into<String>>(mut self, markers: impl IntoIterator<Item = S>) -> Self {
        self.missing = Some(markers.into_iter().map(Into::into).collect());
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

    /// Takes these columns as numbers, whatever else some of their cells hold.
    #[must_use]
    pub fn numeric<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.numeric = columns.into_iter().map(Into::into).collect();
        self
    }

    /// Takes one more column as dates, of this format or of the one that its cells suggest.
    #[must_use]
    pub fn date(mut self, column: impl Into<String>, format: Option<DateFormat>) -> Self {
        self.dates.push((column.into(), format));
        self
    }

    /// Names the column that names the rows.
    #[must_use]
    pub fn id(mut self, column: impl Into<Choice>) -> Self {
        self.id = column.into();
        self
    }

    /// Keeps these columns, even if they seem to name rows or bags.
    #[must_use]
    pub fn keep<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.keep = columns.into_iter().map(Into::into).collect();
        self
    }

    /// Keeps all columns that seem to name rows or bags.
    #[must_use]
    pub fn keep_identifiers(mut self, yes: bool) -> Self {
        self.keep_identifiers = yes;
        self
    }

    /// Reads the columns that a model knows as it knows them.
    #[must_use]
    pub fn expected(mut self, columns: impl IntoIterator<Item = Expected>) -> Self {
        self.expected = columns.into_iter().collect();
        self
    }

    /// Puts this class last.
    #[must_use]
    pub fn positive_class(mut self, class: impl Into<String>) -> Self {
        self.positive_class = Some(class.into());
        self
    }

    /// Sets what happens to examples without a label.
    #[must_use]
    pub fn unlabelled(mut self, what: Unlabelled) -> Self {
        self.unlabelled = what;
        self
    }

    /// Takes the labels from a second file: a table of two columns, names and labels.
    #[must_use]
    pub fn labels(mut self, file: impl Into<PathBuf>) -> Self {
        self.labels = Some(file.into());
        self
    }

    /// Takes the file of labels as one label a line, in the order of the table.
    #[must_use]
    pub fn labels_by_position(mut self, yes: bool) -> Self {
        self.labels_by_position = yes;
        self
    }

    /// Joins a table of bags: `key` names the bag in both tables.
    #[must_use]
    pub fn bags(mut self, file: impl Into<PathBuf>, key: impl Into<String>) -> Self {
        self.bags = Some(BagTable { file: file.into(), key: key.into(), other_key: None });
        self
    }

    /// Joins a table of bags whose column of names is called otherwise than `key`, the one in the table of rows.
    #[must_use]
    pub fn bags_by(
        mut self,
        file: impl Into<PathBuf>,
        key: impl Into<String>,
        other_key: impl Into<String>,
    ) -> Self {
        let (file, key, other_key) = (file.into(), key.into(), Some(other_key.into()));
        self.bags = Some(BagTable { file, key, other_key });
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

    /// Reads on so many threads.
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = Some(threads);
        self
    }
}
