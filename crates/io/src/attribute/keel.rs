//! What KEEL adds: `@inputs` and `@outputs`, and multiple-instance tables whose first attribute names the bag.
//!
//! KEEL does not mark multiple-instance files, so the first attribute is looked at. It names the bags if it is nominal and
//! - its name has the word *bag* (then rows of one bag with two labels are an error), or
//! - each of its values carries one label, and
//!   its name has a word such as *id*, *molecule* or *train*, or it has ten values or more with two rows each on average.
//!
//! Either way the decision is noted, and [`ReadOptions::bag`] overrides it.

use super::header::{AttributeHeader, DeclaredKind};
use crate::assemble::Part;
use crate::error::{ReadError, ReadProblem, listed};
use crate::identify::{FEWEST_BAGS, FEWEST_ROWS_A_BAG, one_label_each};
use crate::options::{Choice, ReadOptions};
use crate::roles::{ColumnRole, Suggestion, Suggestions};
use crate::words::{GROUP, has_word};
use pellucid_data::Values;

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
    suggestions.target_declared = true;
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
    columns: &mut [Part],
    options: &ReadOptions,
    notes: &mut Vec<String>,
) {
    let told =
        options.bag != Choice::Auto || columns.iter().any(|part| part.role == ColumnRole::Bag);
    let labels = columns
        .iter()
        .find(|part| part.role == ColumnRole::Target)
        .map(|part| part.column.values.clone());
    let Some(Part { role, column: first, .. }) = columns.first_mut() else { return };
    // The first attribute may have been ignored, and then the first column is another one.
    if told || *role != ColumnRole::Feature || first.name != header.attributes[0].name {
        return;
    }
    let (Values::Nominal { codes, .. }, Some(Values::Nominal { codes: labels, .. })) =
        (&first.values, &labels)
    else {
        return;
    };
    let named = has_word(&first.name, &GROUP);
    match one_label_each(codes, labels) {
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
