//! Finds identifier columns, which name rows or bags. They do not generalize to other rows, so they are not
//! features.

use std::collections::HashSet;

use crate::cells::number;
use crate::columns::bags::{MIN_BAGS, MIN_ROWS_PER_BAG, one_label_each};
use crate::columns::name_words::{GROUP, NUMBERING, has_word};
use crate::columns::parsed::{IdentifierKind, ParsedColumn, ParsedTable};
use crate::columns::roles::AssignedRole;
use crate::source::options::{Choice, ReadOptions};
use crate::typing::retype::counts;
use pellucid_data::{Values, message, parameter};

/// The minimum number of rows: in smaller tables all values may differ by chance.
const MIN_ROWS: usize = 10;

/// Makes the first column the bag column if each of its values has one label and two rows on
/// average. A column of numbers must also have a name that suggests bags.
pub(crate) fn find_bags(table: &mut ParsedTable, options: &ReadOptions) {
    let is_bag = |parsed: &ParsedColumn| parsed.role == AssignedRole::Bag;
    if options.bag != Choice::Auto || !table.has_first_column || table.columns.iter().any(is_bag) {
        return;
    }
    let target = table.columns.iter().find(|parsed| parsed.role == AssignedRole::Target);
    let Some(Values::Nominal { codes: labels, .. }) =
        target.map(|parsed| parsed.column.values.clone())
    else {
        return;
    };
    let Some(first) =
        table.columns.first_mut().filter(|parsed| parsed.role == AssignedRole::Feature)
    else {
        return;
    };
    let Values::Nominal { codes, .. } = &first.column.values else { return };
    let name = &first.column.name;
    let called_bag = has_word(name, &["bag"]);
    let named = called_bag || has_word(name, &GROUP);
    let is_word = !first.may_name_bags || !are_numbers(&first.column.values);
    let are_plausible = |bags: usize| {
        let is_bag_like = named || is_word && bags >= MIN_BAGS;
        called_bag || is_bag_like && codes.len() >= MIN_ROWS_PER_BAG * bags
    };
    match one_label_each(codes, &labels) {
        Some(bags) if are_plausible(bags) => {
            table.notes.push(message!(
                "assumed column '{name}' names the bags, because it comes first and each of its \
                 values has one label; use `",
                parameter("bag").with("none"),
                "` to make every row an example"
            ));
            first.role = AssignedRole::Bag;
        }
        None if called_bag => table.notes.push(message!(
            "did not use column '{name}' as the bag column, because some of its values have \
             two labels"
        )),
        _ => {}
    }
}

fn are_numbers(values: &Values) -> bool {
    match values {
        Values::Nominal { categories, .. } => {
            categories.iter().all(|text| number::parse(text).is_some())
        }
        _ => true,
    }
}

/// Marks identifier columns, unless no feature would be left.
pub(crate) fn mark_identifiers(table: &mut ParsedTable, options: &ReadOptions) {
    if options.keep_identifiers || !options.expected.is_empty() {
        return;
    }
    let bags = table.columns.iter().find(|parsed| parsed.role == AssignedRole::Bag);
    let bags = bags.and_then(|parsed| match &parsed.column.values {
        Values::Nominal { codes, .. } => Some(codes.clone()),
        _ => None,
    });
    let found: Vec<Option<IdentifierKind>> = table
        .columns
        .iter()
        .enumerate()
        .map(|(index, parsed)| {
            identifier(parsed, bags.as_deref(), index == 0 && table.has_first_column)
        })
        .collect();
    let is_feature = |parsed: &ParsedColumn| {
        matches!(
            parsed.role,
            AssignedRole::Feature
                | AssignedRole::Numeric
                | AssignedRole::Nominal
                | AssignedRole::Date
        )
    };
    let features = table.columns.iter().filter(|parsed| is_feature(parsed)).count();
    if found.iter().flatten().count() >= features {
        return;
    }
    for (parsed, identifier) in table.columns.iter_mut().zip(found) {
        let Some(identifier) = identifier else { continue };
        let name = &parsed.column.name;
        let why = match identifier {
            IdentifierKind::Rows if are_long(&parsed.column.values) => {
                "nearly every row has its own long text"
            }
            IdentifierKind::Rows => "nearly every row has its own value, so it identifies the rows",
            IdentifierKind::Bags => "every bag has its own value, so it identifies the bags",
            IdentifierKind::Numbering => "it numbers the rows",
        };
        table.notes.push(message!(
            "skipped column '{name}', because {why}; use `",
            parameter("keep").with(name),
            "` to keep it"
        ));
        parsed.identifier = Some(identifier);
    }
}

/// Whether the texts are on average too long to be names.
fn are_long(values: &Values) -> bool {
    const LONGEST_NAME: usize = 60;
    match values {
        Values::Nominal { categories, .. } => {
            categories.iter().map(String::len).sum::<usize>() > LONGEST_NAME * categories.len()
        }
        _ => false,
    }
}

fn identifier(parsed: &ParsedColumn, bags: Option<&[u32]>, first: bool) -> Option<IdentifierKind> {
    if parsed.role != AssignedRole::Feature || parsed.kept || parsed.date.is_some() {
        return None;
    }
    match &parsed.column.values {
        Values::Nominal { codes, categories } => {
            let rows = counts(codes, categories.len());
            let (known, distinct) =
                (rows.iter().sum::<usize>(), rows.iter().filter(|&&rows| rows > 0).count());
            if known >= MIN_ROWS && distinct * 20 >= known * 19 {
                return Some(IdentifierKind::Rows);
            }
            bags.filter(|bags| one_to_one(codes, bags)).map(|_| IdentifierKind::Bags)
        }
        Values::Numeric(numbers) => {
            let telling = has_word(&parsed.column.name, &NUMBERING);
            let whole = |number: &f64| number.fract() == 0.0;
            if numbers.len() < MIN_ROWS || !(telling || first) || !numbers.iter().all(whole) {
                return None;
            }
            let counted = first && is_counting(numbers);
            if counted || (telling && all_differ(numbers)) {
                return Some(IdentifierKind::Numbering);
            }
            let codes = || numbers.iter().map(|number| number.to_bits());
            let same = |bags: &&[u32]| telling && one_to_one(&codes().collect::<Vec<_>>(), bags);
            bags.filter(same).map(|_| IdentifierKind::Bags)
        }
        Values::Boolean(_) => None,
    }
}

/// Whether the numbers count up from 0 or 1.
fn is_counting(numbers: &[f64]) -> bool {
    matches!(numbers.first(), Some(0.0 | 1.0))
        && numbers.windows(2).all(|pair| pair[1] == pair[0] + 1.0)
}

fn all_differ(numbers: &[f64]) -> bool {
    let mut seen = HashSet::with_capacity(numbers.len());
    numbers.iter().all(|number| seen.insert(number.to_bits()))
}

/// Whether each bag has its own value; a few bags may have that by chance.
fn one_to_one<T: Copy + Ord>(values: &[T], bags: &[u32]) -> bool {
    let mut pairs: Vec<(u32, T)> = bags.iter().copied().zip(values.iter().copied()).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let one_value = pairs.windows(2).all(|pair| pair[0].0 != pair[1].0);
    let bags = pairs.len();
    let mut values: Vec<T> = pairs.into_iter().map(|(_, value)| value).collect();
    values.sort_unstable();
    values.dedup();
    one_value && bags >= MIN_BAGS && values.len() == bags
}
