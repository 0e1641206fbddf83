//! Finds identifier columns, which name rows or bags. They do not generalize to other rows, so they are not
//! features.

use std::collections::HashSet;

use crate::assemble::{Part, Parts};
use crate::options::{Choice, ReadOptions};
use crate::retype::counts;
use crate::roles::ColumnRole;
use crate::words::{GROUP, NUMBERING, has_word};
use pellucid_data::{MISSING, Values};

/// The minimum number of bags, and of rows per bag on average, for a column whose name does not suggest bags.
pub(crate) const FEWEST_BAGS: usize = 10;
pub(crate) const FEWEST_ROWS_A_BAG: usize = 2;
/// The minimum number of rows: in smaller tables all values may differ by chance.
const FEWEST_NAMES: usize = 10;

/// Why a column is an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    /// Nearly every row has its own text.
    Rows,
    /// Every bag has its own value.
    Bags,
    /// The column numbers the rows.
    Numbering,
}

/// Whether the first column may name the bags, in which case its exact text is needed.
pub(crate) fn perhaps_bag(name: &str, options: &ReadOptions) -> bool {
    options.bag == Choice::Auto && (has_word(name, &["bag"]) || has_word(name, &GROUP))
}

/// Makes the first column the bag column if each of its values has one label and two rows on
/// average. A column of numbers must also have a name that suggests bags.
pub(crate) fn find_bags(parts: &mut Parts, options: &ReadOptions) {
    let is_bag = |part: &Part| part.role == ColumnRole::Bag;
    if options.bag != Choice::Auto || !parts.first_is_first || parts.columns.iter().any(is_bag) {
        return;
    }
    let target = parts.columns.iter().find(|part| part.role == ColumnRole::Target);
    let Some(Values::Nominal { codes: labels, .. }) = target.map(|part| part.column.values.clone())
    else {
        return;
    };
    let Some(first) = parts.columns.first_mut().filter(|part| part.role == ColumnRole::Feature)
    else {
        return;
    };
    let Values::Nominal { codes, .. } = &first.column.values else { return };
    let name = &first.column.name;
    let called_bag = has_word(name, &["bag"]);
    let named = called_bag || has_word(name, &GROUP);
    let is_word = !first.perhaps_bag || !are_numbers(&first.column.values);
    match one_label_each(codes, &labels) {
        Some(bags) if called_bag || (named || is_word && bags >= FEWEST_BAGS) && codes.len() >= FEWEST_ROWS_A_BAG * bags => {
            parts.notes.push(format!(
                "assumed column '{name}' names the bags, because it comes first and each of its values has one label; use `bag none` to make every row an example"
            ));
            first.role = ColumnRole::Bag;
        }
        None if called_bag => parts.notes.push(format!(
            "did not use column '{name}' as the bag column, because some of its values have two labels"
        )),
        _ => {}
    }
}

fn are_numbers(values: &Values) -> bool {
    match values {
        Values::Nominal { categories, .. } => {
            categories.iter().all(|text| crate::number::parse(text).is_some())
        }
        _ => true,
    }
}

/// Returns the number of distinct values if each of them has one label and none is missing.
pub(crate) fn one_label_each(codes: &[u32], labels: &[u32]) -> Option<usize> {
    let mut pairs: Vec<(u32, u32)> = codes.iter().copied().zip(labels.iter().copied()).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let one_label = pairs.windows(2).all(|pair| pair[0].0 != pair[1].0);
    let missing = pairs.last().is_some_and(|&(code, _)| code == MISSING);
    (one_label && !missing).then_some(pairs.len())
}

/// Marks identifier columns, unless no feature would be left.
pub(crate) fn leave_out_names(parts: &mut Parts, options: &ReadOptions) {
    if options.keep_identifiers || !options.expected.is_empty() {
        return;
    }
    let bags = parts.columns.iter().find(|part| part.role == ColumnRole::Bag);
    let bags = bags.and_then(|part| match &part.column.values {
        Values::Nominal { codes, .. } => Some(codes.clone()),
        _ => None,
    });
    let found: Vec<Option<Naming>> = parts
        .columns
        .iter()
        .enumerate()
        .map(|(place, part)| naming(part, bags.as_deref(), place == 0 && parts.first_is_first))
        .collect();
    let is_feature = |part: &Part| {
        matches!(
            part.role,
            ColumnRole::Feature | ColumnRole::Numeric | ColumnRole::Nominal | ColumnRole::Date
        )
    };
    let features = parts.columns.iter().filter(|part| is_feature(part)).count();
    if found.iter().flatten().count() >= features {
        return;
    }
    for (part, naming) in parts.columns.iter_mut().zip(found) {
        let Some(naming) = naming else { continue };
        let name = &part.column.name;
        let why = match naming {
            Naming::Rows if are_long(&part.column.values) => {
                "nearly every row has its own long text"
            }
            Naming::Rows => "nearly every row has its own value, so it identifies the rows",
            Naming::Bags => "every bag has its own value, so it identifies the bags",
            Naming::Numbering => "it numbers the rows",
        };
        parts
            .notes
            .push(format!("skipped column '{name}', because {why}; use `keep {name}` to keep it"));
        part.naming = Some(naming);
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

fn naming(part: &Part, bags: Option<&[u32]>, first: bool) -> Option<Naming> {
    if part.role != ColumnRole::Feature || part.kept || part.date.is_some() {
        return None;
    }
    match &part.column.values {
        Values::Nominal { codes, categories } => {
            let rows = counts(codes, categories.len());
            let (known, distinct) =
                (rows.iter().sum::<usize>(), rows.iter().filter(|&&rows| rows > 0).count());
            if known >= FEWEST_NAMES && distinct * 20 >= known * 19 {
                return Some(Naming::Rows);
            }
            bags.filter(|bags| one_to_one(codes, bags)).map(|_| Naming::Bags)
        }
        Values::Numeric(numbers) => {
            let telling = has_word(&part.column.name, &NUMBERING);
            let whole = |number: &f64| number.fract() == 0.0;
            if numbers.len() < FEWEST_NAMES || !(telling || first) || !numbers.iter().all(whole) {
                return None;
            }
            let counted = first && is_counting(numbers);
            if counted || (telling && all_differ(numbers)) {
                return Some(Naming::Numbering);
            }
            let codes = || numbers.iter().map(|number| number.to_bits());
            let same = |bags: &&[u32]| telling && one_to_one(&codes().collect::<Vec<_>>(), bags);
            bags.filter(same).map(|_| Naming::Bags)
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
    one_value && bags >= FEWEST_BAGS && values.len() == bags
}
