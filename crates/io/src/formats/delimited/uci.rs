//! The UCI format of Musk (`clean1.data`, `clean2.data`): molecule, conformation, 166 integers, and
//! the class with a dot.

use super::record::DelimitedRecord;
use crate::cells::number;
use crate::columns::roles::{Suggestion, Suggestions};
use crate::source::error::{Position, ReadError, ReadProblem};

/// Molecule, conformation, 166 features and the class.
const MUSK_COLUMNS: usize = 169;

/// Whether the first record is that of a Musk file.
pub(super) fn recognise(first: &DelimitedRecord<'_>) -> bool {
    first.values.len() == MUSK_COLUMNS && check(first).is_ok()
}

/// Checks the format, with any number of features.
pub(super) fn check(first: &DelimitedRecord<'_>) -> Result<(), ReadError> {
    let values = &first.values;
    let wrong = |column: usize, expected: &str| {
        let found = values
            .get(column)
            .map(|value| crate::source::error::shorten(value))
            .unwrap_or_default();
        let place = Position::Value { line: first.line, column: column + 1 };
        Err(ReadError::at(place, ReadProblem::Form { found, expected: expected.to_owned() }))
    };
    if values.len() < 4 {
        return wrong(0, "molecule, conformation, numbers and class, separated by commas");
    }
    if let Some(column) = values.iter().take(2).position(|value| number::parse(value).is_some()) {
        return wrong(column, "the name of a molecule or conformation");
    }
    let last = values.len() - 1;
    let is_integer = |text: &str| text.parse::<i64>().is_ok();
    if let Some(column) = (2..last).find(|&column| !is_integer(&values[column])) {
        return wrong(column, "an integer");
    }
    if !values[last].strip_suffix('.').is_some_and(is_integer) {
        return wrong(last, "a class followed by a dot");
    }
    Ok(())
}

/// Returns the column names of the data set's own description.
pub(super) fn names(columns: usize) -> Vec<String> {
    let mut names = vec!["molecule_name".to_owned(), "conformation_name".to_owned()];
    names.extend((1..columns.saturating_sub(2)).map(|feature| format!("f{feature}")));
    names.push("class".to_owned());
    names
}

/// Suggests the molecule as the bag, and skips the name of the conformation.
pub(super) fn suggestions(columns: usize) -> Suggestions {
    let suggest = |column: usize, note: &str| vec![Suggestion { column, note: note.into() }];
    Suggestions {
        target: suggest(columns - 1, "used the last column as the target"),
        target_declared: true,
        target_last: false,
        bag: suggest(0, "used the first column, the molecule, as the bag column"),
        ignored: suggest(1, "ignored the second column, the conformation"),
    }
}
