//! The texts that stand for a missing value.

use crate::number;
use crate::number_form::NumberForm;
use crate::options::ReadOptions;
use pellucid_data::{MISSING_MARKS, is_missing_among_numbers};

/// Marks of missing values and how numbers are written: what a cell means.
#[derive(Debug)]
pub(crate) struct Markers<'a> {
    marks: Vec<&'a str>,
    /// Whether a mark looks like a number: then a value must be compared with the marks before it is parsed.
    numeric: bool,
    form: NumberForm,
}

impl<'a> Markers<'a> {
    pub(crate) fn new(options: &'a ReadOptions) -> Self {
        let marks: Vec<&str> = match &options.missing {
            Some(told) => std::iter::once("").chain(told.iter().map(String::as_str)).collect(),
            None => MISSING_MARKS.to_vec(),
        };
        let numeric = marks.iter().any(|mark| number::parse(mark).is_some());
        Self { marks, numeric, form: NumberForm::default() }
    }

    /// The same with another form of numbers.
    pub(crate) fn with_form(mut self, form: NumberForm) -> Self {
        self.numeric = self.marks.iter().any(|mark| form.parse(mark).is_some());
        self.form = form;
        self
    }

    /// How numbers are written.
    pub(crate) fn form(&self) -> NumberForm {
        self.form
    }

    /// Whether a text stands for a missing value in any column.
    pub(crate) fn contain(&self, text: &str) -> bool {
        self.marks.contains(&text)
    }

    /// What a text means in a column of numbers: a number, a missing one (not a number), or neither.
    #[inline]
    pub(crate) fn number(&self, text: &str) -> Option<f64> {
        if self.numeric && self.contain(text) {
            return Some(f64::NAN);
        }
        self.form.parse(text).or_else(|| self.among_numbers(text).then_some(f64::NAN))
    }

    /// Whether a text among numbers or dates stands for a missing one.
    pub(crate) fn among_numbers(&self, text: &str) -> bool {
        is_missing_among_numbers(text) || self.contain(text)
    }
}
