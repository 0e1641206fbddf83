//! What KEEL adds: `@inputs` and `@outputs`, and multiple-instance tables whose first attribute names the bag.
//!
//! KEEL does not mark multiple-instance files, so the first attribute is looked at. It names the bags if it is nominal and
//! - its name has the word *bag* (then rows of one bag with two labels are an error), or
//! - each of its values carries one label, and
//!   its name has a word such as *id*, *molecule* or *train*, or it has ten values or more with two rows each on average.
//!
//! Either way the decision is noted, and [`ReadOptions::bag`] overrides it.

use super::header::{AttributeHeader, DeclaredKind};
use crate::error::{ReadError, ReadProblem, listed};
use crate::options::{Choice, ReadOptions};
use crate::roles::{ColumnRole, Suggestion, Suggestions};
use pellucid_data::Column;
use pellucid_data::Values;

const IDENTIFIER_WORDS: [&str; 7] =
    ["id", "molecule", "train", "name", "image", "document", "group"];
/// Without a telling name: the fewest values, and the fewest rows a value on average.
const FEWEST_BAGS: usize = 10;
const FEWEST_ROWS_A_BAG: usize = 2;

/// The outputs are the target; attributes that are neither input nor output are ignored.
pub(super) fn suggestions(
    header: &AttributeHeader,
    options: &ReadOptions,
    notes: &mut Vec<String>,
) -> Result<Suggestions, ReadError> {
    let names = header.names();
    let outputs = positions(&names, header.outputs.as_deref(), "@outputs", notes);
    let inputs = positions(&names, header.inputs.as_deref(), "@inputs", notes);
    let told = options.target != Choice::Auto || options.labels.is_some();
    if let Some(named) = header.outputs.as_deref().filter(|_| outputs.is_empty() && !told) {
        // The class column would be dropped as no input, and the data read as if it had no classes.
        let named = listed(&named.iter().collect::<Vec<_>>());
        return Err(ReadProblem::Options(format!(
            "@outputs names {named}, which is no attribute; say which one is the target"
        ))
        .into());
    }
    if outputs.len() > 1 && !told {
        let outputs: Vec<&String> = outputs.iter().map(|&column| &names[column]).collect();
        let found = listed(&outputs);
        return Err(ReadProblem::Options(format!(
            "@outputs names {found}; say which one is the target"
        ))
        .into());
    }
    let suggest = |column: usize, what: &str| Suggestion {
        column,
        note: format!("attribute '{}' {what}", names[column]),
    };
    let mut suggestions = Suggestions::default();
    suggestions.target.extend(
        outputs.iter().map(|&column| suggest(column, "is the output and was taken as the target")),
    );
    // Without @outputs the last attribute is the output, as in KEEL itself.
    suggestions.target_last = header.outputs.is_none();
    if header.inputs.is_some() {
        let unused =
            (0..names.len()).filter(|column| !inputs.contains(column) && !outputs.contains(column));
        let listed_out = unused.filter(|_| header.outputs.is_some());
        suggestions
            .ignored
            .extend(listed_out.map(|column| suggest(column, "is no input and was ignored")));
    }
    let first_is_bag = matches!(header.attributes[0].kind, DeclaredKind::Nominal(_))
        && has_word(&names[0], &["bag"]);
    if first_is_bag && !outputs.contains(&0) {
        suggestions.bag.push(suggest(0, "was taken as the name of the bag"));
    }
    Ok(suggestions)
}

/// The attributes a list names. Some files repeat the type there (`C5 real`), so the first word alone will do.
fn positions(
    names: &[String],
    list: Option<&[String]>,
    keyword: &str,
    notes: &mut Vec<String>,
) -> Vec<usize> {
    let mut found = Vec::new();
    for entry in list.unwrap_or_default() {
        let position = |wanted: &str| names.iter().position(|name| name == wanted);
        let by_word = || entry.split_whitespace().next().and_then(position);
        let by_name = position(entry);
        if by_name.is_none() {
            let taken = by_word()
                .map_or("ignored".to_owned(), |column| format!("taken as '{}'", names[column]));
            notes.push(format!("{keyword} names '{entry}', which is no attribute; it was {taken}"));
        }
        found.extend(by_name.or_else(by_word));
    }
    found
}

/// Takes the first attribute as the bag if its values allow it.
pub(super) fn find_bags(
    header: &AttributeHeader,
    columns: &mut [(ColumnRole, Column)],
    options: &ReadOptions,
    notes: &mut Vec<String>,
) {
    let told =
        options.bag != Choice::Auto || columns.iter().any(|(role, _)| *role == ColumnRole::Bag);
    let labels = columns
        .iter()
        .find(|(role, _)| *role == ColumnRole::Target)
        .map(|(_, column)| column.values.clone());
    let Some((role, first)) = columns.first_mut() else { return };
    // The first attribute may have been ignored, and then the first column is another one.
    if told || *role != ColumnRole::Feature || first.name != header.attributes[0].name {
        return;
    }
    let (Values::Nominal { codes, .. }, Some(Values::Nominal { codes: labels, .. })) =
        (&first.values, &labels)
    else {
        return;
    };
    let named = has_word(&first.name, &IDENTIFIER_WORDS);
    match distinct_if_consistent(codes, labels) {
        Some(bags) if named || (bags >= FEWEST_BAGS && codes.len() >= FEWEST_ROWS_A_BAG * bags) => {
            notes.push(format!(
                "attribute '{}' was taken as the name of the bag: it comes first and each of its values has one label",
                first.name
            ));
            *role = ColumnRole::Bag;
        }
        None if named => notes.push(format!(
            "attribute '{}' was not taken as the name of the bag: some of its values have two labels",
            first.name
        )),
        _ => {}
    }
}

/// How many values occur, if each of them carries one label and none is missing.
fn distinct_if_consistent(codes: &[u32], labels: &[u32]) -> Option<usize> {
    let mut pairs: Vec<(u32, u32)> = codes.iter().copied().zip(labels.iter().copied()).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let one_label = pairs.windows(2).all(|pair| pair[0].0 != pair[1].0);
    let missing = pairs.last().is_some_and(|&(code, _)| code == pellucid_data::MISSING);
    (one_label && !missing).then_some(pairs.len())
}

/// Whether one of the words stands in a name, between punctuation or where the letter case changes.
fn has_word(name: &str, wanted: &[&str]) -> bool {
    let mut spaced = String::new();
    let mut lower_before = false;
    for character in name.chars() {
        if !character.is_alphanumeric() || (lower_before && character.is_uppercase()) {
            spaced.push(' ');
        }
        lower_before = character.is_lowercase();
        spaced.extend(character.to_lowercase());
    }
    spaced.split(|c: char| !c.is_alphanumeric()).any(|word| wanted.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::has_word;

    #[test]
    fn words_in_names() {
        for name in ["ID-Bag", "Atoms-bag-id", "bag", "bagId", "theBag"] {
            assert!(has_word(name, &["bag"]), "{name}");
        }
        for name in ["cabbage", "Baggage", "Train_id", ""] {
            assert!(!has_word(name, &["bag"]), "{name}");
        }
        assert!(has_word("Train_id", &["id"]));
    }
}
