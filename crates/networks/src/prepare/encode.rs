//! Encodes values as numbers, row by row.

use super::Encoding;
use pellucid_data::Values;

/// A column with its encoding.
pub(crate) enum Source<'a> {
    Numbers(&'a [f64]),
    Truths(&'a [Option<bool>]),
    /// The number of each category code, and of a missing category.
    Words {
        codes: &'a [u32],
        numbers: Vec<f64>,
        missing: f64,
    },
    Steps {
        numbers: &'a [f64],
        cuts: &'a [f64],
        log_odds: &'a [f64],
        missing: f64,
    },
}

impl<'a> Source<'a> {
    pub(super) fn new(encoding: &'a Encoding, values: &'a Values) -> Option<Source<'a>> {
        Some(match (encoding, values) {
            (Encoding::Number, Values::Numeric(numbers)) => Source::Numbers(numbers),
            (Encoding::Truth, Values::Boolean(truths)) => Source::Truths(truths),
            (
                Encoding::LogOdds { values, missing } | Encoding::Means { values, missing },
                Values::Nominal { codes, categories },
            ) => {
                let known = |word: &String| values.get(word).copied().unwrap_or(0.0);
                let numbers = categories.iter().map(known).collect();
                Source::Words { codes, numbers, missing: *missing }
            }
            (
                Encoding::Steps { cuts, log_odds, missing }
                | Encoding::MeanSteps { cuts, means: log_odds, missing },
                Values::Numeric(numbers),
            ) => Source::Steps { numbers, cuts, log_odds, missing: *missing },
            _ => return None,
        })
    }

    /// Returns the number of a row; NaN if the value is missing and has no log odds.
    pub(crate) fn number(&self, row: usize) -> f64 {
        match self {
            Source::Numbers(numbers) => numbers[row],
            Source::Truths(truths) => match truths[row] {
                None => f64::NAN,
                Some(truth) => f64::from(u8::from(truth)),
            },
            Source::Words { codes, numbers, missing } => {
                numbers.get(codes[row] as usize).copied().unwrap_or(*missing)
            }
            Source::Steps { numbers, cuts, log_odds, missing } => match numbers[row] {
                number if number.is_nan() => *missing,
                number => log_odds[cuts.partition_point(|&cut| cut < number)],
            },
        }
    }
}
