//! The rows of several tables as one.

use crate::words::Words;
use pellucid::data::{MISSING, Values};
use pellucid::io::{Column, GivenColumn, Moments};

/// The columns of all parts, one below the other. All parts must have the same columns in the same order, of
/// the same kinds.
pub(crate) fn below_each_other(parts: Vec<Vec<GivenColumn>>) -> Result<Vec<GivenColumn>, String> {
    let names = |part: &[GivenColumn]| -> Vec<String> {
        part.iter().map(|given| given.column.name.clone()).collect()
    };
    let Some(first) = parts.first().map(|part| names(part)) else { return Ok(Vec::new()) };
    if let Some(other) = parts.iter().map(|part| names(part)).find(|other| *other != first) {
        let (first, other) = (first.join(", "), other.join(", "));
        return Err(format!(
            "the parts do not fit together: one has columns {first}, another {other}"
        ));
    }
    let mut by_column: Vec<Vec<GivenColumn>> = first.iter().map(|_| Vec::new()).collect();
    for part in parts {
        by_column.iter_mut().zip(part).for_each(|(pieces, piece)| pieces.push(piece));
    }
    first.into_iter().zip(by_column).map(|(name, pieces)| joined(name, &pieces)).collect()
}

/// What the values of a column are, in words.
fn kind(given: &GivenColumn) -> Option<&'static str> {
    match (&given.column.values, given.moments) {
        (Values::Numeric(_), Some(Moments::Days)) => Some("dates"),
        (Values::Numeric(_), Some(Moments::Seconds)) => Some("moments"),
        // A column without a single value may be of any kind.
        (Values::Numeric(numbers), None) if numbers.iter().all(|number| number.is_nan()) => None,
        (Values::Numeric(_), None) => Some("numbers"),
        (Values::Nominal { .. }, _) => Some("words"),
        (Values::Boolean(_), _) => Some("truth values"),
    }
}

fn joined(name: String, pieces: &[GivenColumn]) -> Result<GivenColumn, String> {
    let mut kinds = pieces.iter().filter_map(kind);
    let first = kinds.next().unwrap_or("numbers");
    if let Some(other) = kinds.find(|other| *other != first) {
        return Err(format!(
            "the parts do not fit together: column '{name}' holds {first} in one part and {other} in another"
        ));
    }
    let values = match first {
        "words" => words(pieces),
        "truth values" => truths(pieces),
        _ => {
            let numbers = pieces.iter().filter_map(|given| match &given.column.values {
                Values::Numeric(numbers) => Some(numbers),
                _ => None,
            });
            Values::Numeric(numbers.flat_map(|numbers| numbers.iter().copied()).collect())
        }
    };
    let moments = pieces.iter().find_map(|given| given.moments);
    let declared = pieces.iter().any(|given| given.declared);
    Ok(GivenColumn { column: Column { name, values }, moments, declared })
}

fn words(pieces: &[GivenColumn]) -> Values {
    let mut words = Words::default();
    for given in pieces {
        if let Values::Nominal { codes, categories } = &given.column.values {
            let known: Vec<u32> = categories.iter().map(|text| words.code(text)).collect();
            let place = |code: u32| known.get(code as usize).copied().unwrap_or(MISSING);
            codes.iter().for_each(|&code| words.push_code(place(code)));
        } else {
            (0..given.column.values.len()).for_each(|_| words.push(None));
        }
    }
    words.finish()
}

fn truths(pieces: &[GivenColumn]) -> Values {
    let mut all = Vec::new();
    for given in pieces {
        match &given.column.values {
            Values::Boolean(truths) => all.extend_from_slice(truths),
            blank => all.extend(std::iter::repeat_n(None, blank.len())),
        }
    }
    Values::Boolean(all)
}
