//! The extensions of KEEL: `@inputs` and `@outputs`, and multiple-instance tables whose first
//! attribute names the bag.
//!
//! KEEL does not mark multiple-instance files. The first attribute names the bags if it is nominal and
//! - its name contains the word *bag* (rows of one bag with two labels are then an error), or
//! - each of its values has one label, and its name contains a word such as *id*, *molecule* or
//!   *train*, or it has ten values or more with two rows each on average.
//!
//! The decision is noted, and [`ReadOptions::bag`] overrides it.

use super::header::{AttributeHeader, DeclaredKind};
use crate::columns::bags::{MIN_BAGS, MIN_ROWS_PER_BAG, one_label_each};
use crate::columns::name_words::{GROUP, has_word};
use crate::columns::parsed::ParsedColumn;
use crate::columns::roles::{AssignedRole, Suggestion, Suggestions};
use crate::source::error::{ReadError, ReadProblem, listed};
use crate::source::options::{Choice, ReadOptions};
use pellucid_data::{Message, Values, message, parameter};

/// Suggests the output as the target, and ignores attributes that are neither input nor output.
pub(super) fn suggestions(
    header: &AttributeHeader,
    options: &ReadOptions,
    notes: &mut Vec<Message>,
) -> Result<Suggestions, ReadError> {
    let names = header.names();
    let outputs = positions(&names, header.outputs.as_deref(), "@outputs", notes);
    let inputs = positions(&names, header.inputs.as_deref(), "@inputs", notes);
    let is_given = options.target != Choice::Auto || options.labels.is_some();
    if let Some(named) = header.outputs.as_deref().filter(|_| outputs.is_empty() && !is_given) {
        // Otherwise the class column would be ignored because it is not an input.
        let named = listed(&named.iter().collect::<Vec<_>>());
        return Err(ReadProblem::Options(message!(
            "@outputs names {named}, which is not an attribute; use `",
            parameter("target"),
            "` to choose the target"
        ))
        .into());
    }
    if outputs.len() > 1 && !is_given {
        let outputs: Vec<&String> = outputs.iter().map(|&column| &names[column]).collect();
        let found = listed(&outputs);
        return Err(ReadProblem::Options(message!(
            "@outputs names {found}; use `",
            parameter("target"),
            "` to choose one of them"
        ))
        .into());
    }
    let suggest = |column: usize, start: &str, end: &str| Suggestion {
        column,
        note: format!("{start} column '{}' {end}", names[column]).into(),
    };
    let mut suggestions = Suggestions::default();
    suggestions.target.extend(
        outputs
            .iter()
            .map(|&column| suggest(column, "used", "as the target, because it is the output")),
    );
    suggestions.target_declared = true;
    // Without @outputs the last attribute is the output, as in KEEL.
    suggestions.target_last = header.outputs.is_none();
    if header.inputs.is_some() {
        let unused =
            (0..names.len()).filter(|column| !inputs.contains(column) && !outputs.contains(column));
        let listed_out = unused.filter(|_| header.outputs.is_some());
        suggestions.ignored.extend(
            listed_out.map(|column| suggest(column, "ignored", "because it is not an input")),
        );
    }
    let first_is_bag = matches!(header.attributes[0].kind, DeclaredKind::Nominal(_))
        && has_word(&names[0], &["bag"]);
    if first_is_bag && !outputs.contains(&0) {
        suggestions.bag.push(suggest(0, "used", "as the bag column"));
    }
    Ok(suggestions)
}

/// Returns the attributes that a list names. Some files repeat the type (`C5 real`), so the first
/// word alone may match.
fn positions(
    names: &[String],
    list: Option<&[String]>,
    keyword: &str,
    notes: &mut Vec<Message>,
) -> Vec<usize> {
    let mut found = Vec::new();
    for entry in list.unwrap_or_default() {
        let position = |wanted: &str| names.iter().position(|name| name == wanted);
        let by_word = || entry.split_whitespace().next().and_then(position);
        let by_name = position(entry);
        if by_name.is_none() {
            let done = by_word().map_or("ignored it".to_owned(), |column| {
                format!("used '{}' instead", names[column])
            });
            notes.push(message!("{keyword} names '{entry}', which is not an attribute; {done}"));
        }
        found.extend(by_name.or_else(by_word));
    }
    found
}

/// Makes the first attribute the bag column if its values allow it.
pub(super) fn find_bags(
    header: &AttributeHeader,
    columns: &mut [ParsedColumn],
    options: &ReadOptions,
    notes: &mut Vec<Message>,
) {
    let is_given = options.bag != Choice::Auto
        || columns.iter().any(|parsed| parsed.role == AssignedRole::Bag);
    let labels = columns
        .iter()
        .find(|parsed| parsed.role == AssignedRole::Target)
        .map(|parsed| parsed.column.values.clone());
    let Some(ParsedColumn { role, column: first, .. }) = columns.first_mut() else { return };
    // If the first attribute is ignored, the first column is another one.
    if is_given || *role != AssignedRole::Feature || first.name != header.attributes[0].name {
        return;
    }
    let (Values::Nominal { codes, .. }, Some(Values::Nominal { codes: labels, .. })) =
        (&first.values, &labels)
    else {
        return;
    };
    let named = has_word(&first.name, &GROUP);
    match one_label_each(codes, labels) {
        Some(bags) if named || (bags >= MIN_BAGS && codes.len() >= MIN_ROWS_PER_BAG * bags) => {
            let name = &first.name;
            notes.push(message!(
                "assumed column '{name}' names the bags, because it comes first and each of its values \
                 has one label; use `",
                parameter("bag").with("none"),
                "` to make every row an example"
            ));
            *role = AssignedRole::Bag;
        }
        None if named => notes.push(format!(
            "did not use column '{}' as the bag column, because some of its values have two labels",
            first.name
        ).into()),
        _ => {}
    }
}
