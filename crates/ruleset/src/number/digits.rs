//! The digits of amounts: those that are meaningful for the spread of the target.

use pellucid_learn::metrics::Middle;

/// The digits of an amount after the first digit of the spread.
const DIGITS: i32 = 3;

/// Returns a number rounded to the digits that are meaningful among other numbers.
#[must_use]
pub fn short_of(number: f64, others: &[f64], weights: &[f64]) -> f64 {
    usual(others, weights).map_or(number, |usual| short(number, usual))
}

/// Returns the median absolute deviation of numbers with positive weight; `None` if it is 0.
pub(super) fn usual(numbers: &[f64], weights: &[f64]) -> Option<f64> {
    let known = numbers.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
    let known: Vec<f64> = known.map(|(number, _)| *number).collect();
    let median = Middle::of(&known).median;
    let off: Vec<f64> = known.iter().map(|number| (number - median).abs()).collect();
    Some(Middle::of(&off).median).filter(|usual| *usual > 0.0 && usual.is_finite())
}

/// Returns a number rounded to the digits that are meaningful for a spread.
pub(super) fn short(number: f64, spread: f64) -> f64 {
    let text = format!("{spread:e}");
    let power = text.split_once('e').and_then(|(_, power)| power.parse::<i32>().ok()).unwrap_or(0);
    match usize::try_from(DIGITS - power) {
        // Parsing the text gives the number nearest to what is printed.
        Ok(digits) if digits <= 300 => format!("{number:.digits$}").parse().unwrap_or(number) + 0.0,
        Ok(_) => number,
        Err(_) => {
            let step: f64 = format!("1e{}", power - DIGITS).parse().unwrap_or(1.0);
            (number / step).round() * step + 0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn short_numbers_are_near(number in -1e9f64..1e9, spread in 1e-6f64..1e9) {
            prop_assert!((short(number, spread) - number).abs() <= spread * 1e-3);
        }
    }
}
