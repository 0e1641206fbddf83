//! The builder methods of [`ReadOptions`].

use super::{
    BagTable, Choice, ExpectedColumn, Format, Header, Limits, Quoting, ReadOptions,
    UnlabeledExamples,
};
use crate::source::encoding::TextEncoding;
use pellucid_data::DateFormat;
use std::num::NonZeroUsize;
use std::path::PathBuf;

impl ReadOptions {
    /// Sets the format instead of detecting it.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// Sets the sheet of a spreadsheet, by name or by number from 1.
    #[must_use]
    pub fn sheet(mut self, sheet: impl Into<String>) -> Self {
        self.sheet = Some(sheet.into());
        self
    }

    /// Sets more files of the same table, with the same columns.
    #[must_use]
    pub fn parts<P: Into<PathBuf>>(mut self, files: impl IntoIterator<Item = P>) -> Self {
        self.parts = files.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the delimiter of delimited text.
    #[must_use]
    pub fn delimiter(mut self, delimiter: char) -> Self {
        self.delimiter = Some(delimiter);
        self
    }

    /// Sets how values are quoted.
    #[must_use]
    pub fn quoting(mut self, quoting: Quoting) -> Self {
        self.quoting = quoting;
        self
    }

    /// Sets whether there is a header.
    #[must_use]
    pub fn header(mut self, header: Header) -> Self {
        self.header = header;
        self
    }

    /// Sets the encoding instead of detecting it.
    #[must_use]
    pub fn encoding(mut self, encoding: TextEncoding) -> Self {
        self.encoding = Some(encoding);
        self
    }

    /// Sets the decimal separator.
    #[must_use]
    pub fn decimal(mut self, decimal: char) -> Self {
        self.decimal = Some(decimal);
        self
    }

    /// Sets the thousands separator.
    #[must_use]
    pub fn thousands(mut self, thousands: char) -> Self {
        self.thousands = Some(thousands);
        self
    }

    /// Sets the texts that mark a missing value, in addition to an empty cell.
    #[must_use]
    pub fn missing<S: Into<String>>(mut self, markers: impl IntoIterator<Item = S>) -> Self {
        self.missing = Some(markers.into_iter().map(Into::into).collect());
        self
    }

    /// Sets the column of labels.
    #[must_use]
    pub fn target(mut self, column: impl Into<Choice>) -> Self {
        self.target = column.into();
        self
    }

    /// Sets the column that names the bags.
    #[must_use]
    pub fn bag(mut self, column: impl Into<Choice>) -> Self {
        self.bag = column.into();
        self
    }

    /// Sets the columns to skip.
    #[must_use]
    pub fn ignore<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.ignore = columns.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the columns whose values are codes even if they are numbers.
    #[must_use]
    pub fn nominal<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.nominal = columns.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the columns to read as numbers; cells that are not numbers become missing.
    #[must_use]
    pub fn numeric<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.numeric = columns.into_iter().map(Into::into).collect();
        self
    }

    /// Adds a column of dates, in this format or in the one that its cells suggest.
    #[must_use]
    pub fn date(mut self, column: impl Into<String>, format: Option<DateFormat>) -> Self {
        self.dates.push((column.into(), format));
        self
    }

    /// Sets the column that names the rows.
    #[must_use]
    pub fn id(mut self, column: impl Into<Choice>) -> Self {
        self.id = column.into();
        self
    }

    /// Sets the columns in which spellings that differ only in case or spaces are merged.
    #[must_use]
    pub fn merge_spellings<S: Into<String>>(
        mut self,
        columns: impl IntoIterator<Item = S>,
    ) -> Self {
        self.merge_spellings = columns.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the columns to keep even if they look like identifiers of rows or bags.
    #[must_use]
    pub fn keep<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.keep = columns.into_iter().map(Into::into).collect();
        self
    }

    /// Sets whether to keep all columns that look like identifiers.
    #[must_use]
    pub fn keep_identifiers(mut self, yes: bool) -> Self {
        self.keep_identifiers = yes;
        self
    }

    /// Sets the columns that a model was trained on, so that they are read with the same types.
    #[must_use]
    pub fn expected(mut self, columns: impl IntoIterator<Item = ExpectedColumn>) -> Self {
        self.expected = columns.into_iter().collect();
        self
    }

    /// Sets the class to list last.
    #[must_use]
    pub fn positive_class(mut self, class: impl Into<String>) -> Self {
        self.positive_class = Some(class.into());
        self
    }

    /// Sets what happens to examples without a label.
    #[must_use]
    pub fn unlabeled(mut self, what: UnlabeledExamples) -> Self {
        self.unlabeled = what;
        self
    }

    /// Reads the labels from a second file with two columns, names and labels.
    #[must_use]
    pub fn labels(mut self, file: impl Into<PathBuf>) -> Self {
        self.labels = Some(file.into());
        self
    }

    /// Sets whether the file of labels has one label per line, in the order of the table.
    #[must_use]
    pub fn labels_by_position(mut self, yes: bool) -> Self {
        self.labels_by_position = yes;
        self
    }

    /// Joins a table of bags; `key` names the bag in both tables.
    #[must_use]
    pub fn bags(mut self, file: impl Into<PathBuf>, key: impl Into<String>) -> Self {
        self.bags = Some(BagTable { file: file.into(), key: key.into(), other_key: None });
        self
    }

    /// Joins a table of bags; `key` names the bag in the table of rows, `other_key` in the table of bags.
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

    /// Sets whether to drop rows that repeat another row of the same bag.
    #[must_use]
    pub fn dedupe_instances(mut self, yes: bool) -> Self {
        self.dedupe_instances = yes;
        self
    }

    /// Sets the limits on the input.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the number of threads.
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = Some(threads);
        self
    }
}
