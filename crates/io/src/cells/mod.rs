//! Parses cells: numbers, units, dates and marks of missing values.

pub(crate) mod as_numbers;
pub(crate) mod dates;
pub(crate) mod number;
pub(crate) mod number_form;
pub(crate) mod parser;
pub(crate) mod units;
