//! Parses cells: numbers and marks of missing values.

use crate::cells::number;
use crate::cells::number_form::NumberForm;
use crate::source::options::ReadOptions;
use pellucid_data::{MISSING_MARKS, is_missing_among_numbers};

/// The marks of missing values and the number format.
#[derive(Debug)]
pub(crate) struct CellParser<'a> {
    marks: Vec<&'a str>,
    /// Whether a mark looks like a number, so that cells must be compared with the marks before
    /// they are parsed.
    numeric: bool,
    form: NumberForm,
}

impl<'a> CellParser<'a> {
    pub(crate) fn new(options: &'a ReadOptions) -> Self {
        let marks: Vec<&str> = match &options.missing {
            Some(given) => std::iter::once("").chain(given.iter().map(String::as_str)).collect(),
            None => MISSING_MARKS.to_vec(),
        };
        let numeric = marks.iter().any(|mark| number::parse(mark).is_some());
        Self { marks, numeric, form: NumberForm::default() }
    }

    /// Sets the number format.
    pub(crate) fn with_form(mut self, form: NumberForm) -> Self {
        self.numeric = self.marks.iter().any(|mark| form.parse(mark).is_some());
        self.form = form;
        self
    }

    /// Returns the number format.
    pub(crate) fn form(&self) -> NumberForm {
        self.form
    }

    /// Whether a text marks a missing value in any column.
    pub(crate) fn is_missing(&self, text: &str) -> bool {
        self.marks.contains(&text)
    }

    /// Parses a cell in a column of numbers: a number, NaN if it is missing, or `None`.
    #[inline]
    pub(crate) fn number(&self, text: &str) -> Option<f64> {
        if self.numeric && self.is_missing(text) {
            return Some(f64::NAN);
        }
        self.form.parse(text).or_else(|| self.is_missing_number(text).then_some(f64::NAN))
    }

    /// Whether a text marks a missing value in a column of numbers or dates.
    pub(crate) fn is_missing_number(&self, text: &str) -> bool {
        is_missing_among_numbers(text) || self.is_missing(text)
    }
}
