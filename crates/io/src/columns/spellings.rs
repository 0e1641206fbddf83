//! Merges the spellings of a category that differ only in case or spaces.

use crate::columns::categories::{CategoryCollector, sort_categories};
use crate::columns::parsed::{ParsedColumn, ParsedTable};
use crate::columns::roles;
use crate::source::error::{ReadError, shorten};
use crate::source::options::ReadOptions;
use pellucid_data::{MISSING, Message, Values, message};
use std::collections::BTreeMap;

/// Returns a text in lower case and without spaces.
pub(crate) fn letters(text: &str) -> String {
    let letters = text.chars().filter(|letter| !letter.is_whitespace());
    letters.flat_map(char::to_lowercase).collect()
}

/// Merges the spellings in the columns that the caller named, by name or by number from 1.
pub(crate) fn merge(table: &mut ParsedTable, options: &ReadOptions) -> Result<(), ReadError> {
    for wanted in &options.merge_spellings {
        let by_number = || {
            wanted.parse::<usize>().ok().and_then(|number| table.names.get(number.checked_sub(1)?))
        };
        let name = table.names.iter().find(|name| *name == wanted).or_else(by_number).cloned();
        let Some(name) = name else {
            // A file for an existing model may lack a column, and so may one of two tables.
            if options.expected.is_empty() && !options.lenient {
                return Err(roles::unknown(&table.names, wanted, "requested"));
            }
            continue;
        };
        let column = table.columns.iter_mut().find(|parsed| parsed.column.name == name);
        if let Some(parsed) = column {
            parsed.merged_spellings = true;
            merge_column(parsed, &mut table.notes);
        }
    }
    Ok(())
}

/// Replaces each category by the spelling that the model knows, or else by the most frequent one.
fn merge_column(parsed: &mut ParsedColumn, notes: &mut Vec<Message>) {
    let Values::Nominal { codes, categories } = &parsed.column.values else { return };
    let mut rows = vec![0usize; categories.len()];
    for &code in codes.iter().filter(|&&code| code != MISSING) {
        rows[code as usize] += 1;
    }
    let mut chosen: BTreeMap<String, (bool, usize, &str)> = BTreeMap::new();
    for (category, &rows) in categories.iter().zip(&rows) {
        let candidate = (parsed.words.contains(category), rows, category.as_str());
        let entry = chosen.entry(letters(category)).or_insert(candidate);
        // The first category in sort order wins a tie.
        if (candidate.0, candidate.1) > (entry.0, entry.1) {
            *entry = candidate;
        }
    }
    for word in &parsed.words {
        if let Some(entry) = chosen.get_mut(&letters(word)).filter(|entry| !entry.0) {
            *entry = (true, 0, word);
        }
    }
    let spelling = |category: &String| chosen.get(&letters(category)).map(|found| found.2);
    let changed = categories.iter().filter(|one| spelling(one) != Some(one.as_str())).count();
    if changed == 0 {
        return;
    }
    let mut merged = CategoryCollector::default();
    let spellings = categories.iter().map(|one| spelling(one).unwrap_or(one));
    let codes_of: Option<Vec<u32>> = spellings.map(|word| merged.code_of(word).ok()).collect();
    // There are no more categories than before, so their codes fit.
    let Some(codes_of) = codes_of else { return };
    let renumbered =
        codes.iter().map(|&code| codes_of.get(code as usize).copied().unwrap_or(MISSING)).collect();
    let (before, after) = (categories.len(), merged.categories().len());
    let (codes, categories) = sort_categories(renumbered, merged.categories().to_vec());
    parsed.column.values = Values::Nominal { codes, categories };
    if after < before {
        let name = shorten(&parsed.column.name);
        notes.push(message!("merged {before} spellings in column '{name}' into {after} values"));
    }
}
