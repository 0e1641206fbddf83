//! Concatenation of tables.

use crate::text_encoder::TextEncoder;
use pellucid::data::{MISSING, Values};
use pellucid::io::{Column, DateUnit, GivenColumn};

/// Concatenates the rows of all parts, which must have the same columns in the same order and of
/// the same types.
pub(crate) fn concatenate(parts: Vec<Vec<GivenColumn>>) -> Result<Vec<GivenColumn>, String> {
    let names = |part: &[GivenColumn]| -> Vec<String> {
        part.iter().map(|given| given.column.name.clone()).collect()
    };
    let Some(first) = parts.first().map(|part| names(part)) else { return Ok(Vec::new()) };
    if let Some(other) = parts.iter().map(|part| names(part)).find(|other| *other != first) {
        let (first, other) = (first.join(", "), other.join(", "));
        return Err(format!(
            "the parts have different columns: one has {first}; another has {other}"
        ));
    }
    let mut by_column: Vec<Vec<GivenColumn>> = first.iter().map(|_| Vec::new()).collect();
    for part in parts {
        by_column.iter_mut().zip(part).for_each(|(pieces, piece)| pieces.push(piece));
    }
    first.into_iter().zip(by_column).map(|(name, pieces)| join_column(name, &pieces)).collect()
}

/// Returns the type of a column for messages, or nothing for a column without values, which fits any type.
fn kind(given: &GivenColumn) -> Option<&'static str> {
    match (&given.column.values, given.date_unit) {
        (Values::Numeric(_), Some(DateUnit::Days)) => Some("dates"),
        (Values::Numeric(_), Some(DateUnit::Seconds)) => Some("timestamps"),
        (Values::Numeric(numbers), None) if numbers.iter().all(|number| number.is_nan()) => None,
        (Values::Numeric(_), None) => Some("numbers"),
        (Values::Nominal { .. }, _) => Some(TEXT),
        (Values::Boolean(_), _) => Some(BOOLEANS),
    }
}

const TEXT: &str = "text";
const BOOLEANS: &str = "booleans";

fn join_column(name: String, pieces: &[GivenColumn]) -> Result<GivenColumn, String> {
    let mut kinds = pieces.iter().filter_map(kind);
    let first = kinds.next().unwrap_or("numbers");
    if let Some(other) = kinds.find(|other| *other != first) {
        return Err(format!("column '{name}' contains {first} in one part and {other} in another"));
    }
    let values = match first {
        TEXT => join_text(pieces),
        BOOLEANS => join_booleans(pieces),
        _ => {
            let numbers = pieces.iter().filter_map(|given| match &given.column.values {
                Values::Numeric(numbers) => Some(numbers),
                _ => None,
            });
            Values::Numeric(numbers.flat_map(|numbers| numbers.iter().copied()).collect())
        }
    };
    let date_unit = pieces.iter().find_map(|given| given.date_unit);
    let declared = pieces.iter().any(|given| given.declared);
    Ok(GivenColumn { column: Column { name, values }, date_unit, declared })
}

fn join_text(pieces: &[GivenColumn]) -> Values {
    let mut encoder = TextEncoder::default();
    for given in pieces {
        if let Values::Nominal { codes, categories } = &given.column.values {
            let new_codes: Vec<u32> = categories.iter().map(|text| encoder.code(text)).collect();
            let new_code = |code: u32| new_codes.get(code as usize).copied().unwrap_or(MISSING);
            codes.iter().for_each(|&code| encoder.push_code(new_code(code)));
        } else {
            (0..given.column.values.len()).for_each(|_| encoder.push(None));
        }
    }
    encoder.finish()
}

fn join_booleans(pieces: &[GivenColumn]) -> Values {
    let mut all = Vec::new();
    for given in pieces {
        match &given.column.values {
            Values::Boolean(booleans) => all.extend_from_slice(booleans),
            blank => all.extend(std::iter::repeat_n(None, blank.len())),
        }
    }
    Values::Boolean(all)
}
