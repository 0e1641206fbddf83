//! Converts text columns to numbers. Each distinct text is parsed once.

use crate::columns::misfit::Misfits;
use crate::columns::parsed::RowPositions;
use pellucid_data::Values;

/// Converts a text column to numbers; `meaning` returns a number, NaN for a mark of a missing
/// value, or `None` for a text that is neither.
pub(crate) fn to_numbers(
    codes: &[u32],
    categories: &[String],
    positions: &RowPositions,
    meaning: impl Fn(&str) -> Option<f64>,
) -> (Values, Misfits) {
    let meanings: Vec<Option<f64>> = categories.iter().map(|text| meaning(text)).collect();
    let mut misfits = Misfits::default();
    let mut numbers = Vec::with_capacity(codes.len());
    for (row, &code) in codes.iter().enumerate() {
        // A code without a category is a missing value.
        let known = usize::try_from(code).ok().filter(|&code| code < meanings.len());
        numbers.push(match known {
            None => f64::NAN,
            Some(code) => meanings[code].unwrap_or_else(|| {
                misfits.add(positions.of(row), &categories[code]);
                f64::NAN
            }),
        });
    }
    (Values::Numeric(numbers.into()), misfits)
}

/// Returns the number of values that are not missing.
pub(crate) fn known(values: &Values) -> usize {
    values.len() - values.missing()
}

/// Returns the number of rows of each category.
pub(crate) fn counts(codes: &[u32], categories: usize) -> Vec<usize> {
    let mut counts = vec![0; categories];
    for &code in codes {
        if let Some(count) = usize::try_from(code).ok().and_then(|code| counts.get_mut(code)) {
            *count += 1;
        }
    }
    counts
}
