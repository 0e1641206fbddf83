//! How the cells of the table of a model are read: the texts that mark missing values, and the characters
//! between groups of digits.

use pellucid_data::MISSING_MARKS;
use pellucid_learn::model::Schema;

/// Returns all categories of the model.
pub(crate) fn all_categories(schema: &Schema) -> impl Iterator<Item = &str> {
    schema.columns.iter().flat_map(|column| &column.categories).map(String::as_str)
}

/// Returns the texts that mark a missing value in any column of the training table. A text that is
/// also a category is not one of them, as in data that did not come from a file.
#[must_use]
pub fn missing_marks(schema: &Schema) -> Vec<&str> {
    let given = schema.reading.missing.as_ref();
    let marks: Vec<&str> = match given {
        Some(given) => std::iter::once("").chain(given.iter().map(String::as_str)).collect(),
        None => MISSING_MARKS.to_vec(),
    };
    marks.into_iter().filter(|mark| !all_categories(schema).any(|word| word == *mark)).collect()
}

/// Returns the characters between groups of three digits in the numbers of the training table; empty if there
/// are none. A space stands for spaces of any width.
#[must_use]
pub fn thousands_marks(schema: &Schema) -> String {
    match schema.reading.thousands {
        None => String::new(),
        Some(' ') => " \u{a0}\u{202f}\u{2009}".to_owned(),
        Some('\'') => "'’".to_owned(),
        Some(mark) => mark.to_string(),
    }
}
