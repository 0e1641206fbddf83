//! Categories whose spellings the reader of the training data merged.

use pellucid_learn::model::{Column, Schema};

/// Returns the categories of a column by their letters, if spellings that differ only in case or
/// spaces were merged in it.
#[must_use]
pub fn merged_spellings<'a>(schema: &Schema, column: &'a Column) -> Vec<(String, &'a str)> {
    if !schema.reading.merged_spellings.contains(&column.name) {
        return Vec::new();
    }
    let letters = |category: &str| -> String {
        let letters = category.chars().filter(|letter| !letter.is_whitespace());
        letters.flat_map(char::to_lowercase).collect()
    };
    column.categories.iter().map(|category| (letters(category), category.as_str())).collect()
}
