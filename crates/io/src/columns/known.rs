//! Aligns the categories of new data with those of a model.
//!
//! A model trained on a data frame may know categories that a text file writes differently: pandas turns
//! the categories 1, 2, 3 into 1.0, 2.0, 3.0 as soon as a value is missing, and blanks around the cells of a
//! text file are trimmed. A category that the model does not know is replaced by the only category of the
//! model that is equal apart from such a difference.

use crate::columns::categories::{CategoryCollector, sort_categories};
use crate::columns::parsed::ParsedColumn;
use crate::source::error::shorten;
use pellucid_data::{MISSING, Message, Values};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Whether a text is a category of the model, ignoring blanks around it.
#[cold]
pub(crate) fn has(words: &[String], text: &str) -> bool {
    words.iter().any(|word| word.trim() == text)
}

/// Replaces the categories of a column by those of its model.
pub(crate) fn align(parsed: &mut ParsedColumn, notes: &mut Vec<Message>) {
    let Values::Nominal { codes, categories } = &mut parsed.column.values else { return };
    if parsed.words.is_empty() {
        return;
    }
    let known: HashSet<&str> = parsed.words.iter().map(String::as_str).collect();
    let mut by_spelling: HashMap<Cow<'_, str>, Vec<&str>> = HashMap::new();
    for word in &parsed.words {
        by_spelling.entry(spelling(word)).or_default().push(word);
    }
    let aligned = |word: &str| match by_spelling.get(&spelling(word)).map(Vec::as_slice) {
        Some(&[one]) if !known.contains(word) => Some(one.to_owned()),
        _ => None,
    };
    let replaced: Vec<Option<String>> = categories.iter().map(|word| aligned(word)).collect();
    for word in categories.iter().filter(|word| known.contains(word.as_str())) {
        let alike = by_spelling.get(&spelling(word)).into_iter().flatten();
        if let Some(other) = alike.copied().find(|other| other != word && other.trim() == word) {
            notes.push(format!(
                "column '{}': the model has the categories '{}' and '{}', which differ only in blanks; \
                 quote them in a text file to keep them apart",
                parsed.column.name,
                shorten(word),
                shorten(other)
            ).into());
        }
    }
    if replaced.iter().all(Option::is_none) {
        return;
    }
    let words = categories
        .iter()
        .zip(replaced)
        .map(|(word, aligned)| aligned.unwrap_or_else(|| word.clone()));
    let mut merged = CategoryCollector::default();
    let codes_of: Option<Vec<u32>> = words.map(|word| merged.code_of(&word).ok()).collect();
    // There are no more categories than before, so their codes fit.
    let Some(codes_of) = codes_of else { return };
    let renumbered =
        codes.iter().map(|&code| codes_of.get(code as usize).copied().unwrap_or(MISSING)).collect();
    let (codes, categories) = sort_categories(renumbered, merged.categories().to_vec());
    parsed.column.values = Values::Nominal { codes, categories };
}

/// Returns a category without what programs change when they write it: blanks around it, the `.0`
/// of an integer, and the case of a Boolean value.
fn spelling(word: &str) -> Cow<'_, str> {
    let word = word.trim();
    if let Some((whole, fraction)) = word.split_once('.') {
        let digits = whole.strip_prefix('-').unwrap_or(whole);
        let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_whole && !fraction.is_empty() && fraction.bytes().all(|byte| byte == b'0') {
            return Cow::Borrowed(whole);
        }
    }
    if word.eq_ignore_ascii_case("true") || word.eq_ignore_ascii_case("false") {
        return Cow::Owned(word.to_ascii_lowercase());
    }
    Cow::Borrowed(word)
}

#[cfg(test)]
mod tests {
    use super::spelling;

    #[test]
    fn integers_booleans_and_blanks_have_one_spelling() {
        for (one, other) in
            [("1", "1.0"), ("-20", "-20.00"), ("True", "true"), (" a", "a"), ("", "  ")]
        {
            assert_eq!(spelling(one), spelling(other));
        }
        for (one, other) in
            [("1", "01"), ("1E3", "1000"), ("1.5", "1.50"), ("1", "1."), ("a", "A"), (".0", "")]
        {
            assert_ne!(spelling(one), spelling(other));
        }
    }
}
