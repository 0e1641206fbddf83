//! Checks of single values.

use super::ParamError;
use crate::suggest::{listed, nearest};
use std::fmt::Display;
use std::ops::{Bound, RangeBounds};

/// Checks that a number is in a range with open, closed or absent ends. NaN is in no range.
///
/// ```
/// use pellucid_learn::params::within;
/// use std::ops::Bound::{Excluded, Included};
///
/// assert!(within("elite", 3, 0..).is_ok());
/// let rate = within("rate", 0.0, (Excluded(0.0), Included(1.0)));
/// assert_eq!(
///     rate.unwrap_err().to_string(),
///     "rate: found 0; expected a number greater than 0 and at most 1"
/// );
/// ```
///
/// # Errors
/// If the value is outside.
pub fn within<T: PartialOrd + Display>(
    field: &'static str,
    value: T,
    range: impl RangeBounds<T>,
) -> Result<(), ParamError> {
    if range.contains(&value) {
        Ok(())
    } else {
        Err(ParamError::new(field, value, expected(&range)))
    }
}

/// Returns a range in words for help texts, such as "2 to 1000000".
pub(super) fn allowed<T: PartialOrd + Display>(range: &impl RangeBounds<T>) -> String {
    use Bound::{Excluded, Included, Unbounded};
    match (range.start_bound(), range.end_bound()) {
        (Included(low), Included(high)) => format!("{low} to {high}"),
        (Included(low), Excluded(high)) => format!("at least {low} and less than {high}"),
        (Excluded(low), Included(high)) => format!("greater than {low} and at most {high}"),
        (Excluded(low), Excluded(high)) => format!("greater than {low} and less than {high}"),
        (Included(low), Unbounded) => format!("at least {low}"),
        (Excluded(low), Unbounded) => format!("greater than {low}"),
        (Unbounded, Included(high)) => format!("at most {high}"),
        (Unbounded, Excluded(high)) => format!("less than {high}"),
        (Unbounded, Unbounded) => "any number".to_owned(),
    }
}

/// Returns a range in words for errors, such as "a number from 2 to 1000000".
pub(super) fn expected<T: PartialOrd + Display>(range: &impl RangeBounds<T>) -> String {
    use Bound::{Excluded, Included, Unbounded};
    let words = allowed(range);
    match (range.start_bound(), range.end_bound()) {
        (Included(_), Included(_)) => format!("a number from {words}"),
        (Included(_), _) | (Unbounded, Included(_)) => format!("a number of {words}"),
        (Excluded(_), _) | (Unbounded, Excluded(_)) => format!("a number {words}"),
        (Unbounded, Unbounded) => words,
    }
}

/// Checks that a number is a probability, from 0 to 1.
///
/// # Errors
/// If it is outside or NaN.
pub fn probability(field: &'static str, value: f64) -> Result<(), ParamError> {
    within(field, value, 0.0..=1.0)
}

/// Checks that a word is known; the error suggests the nearest one.
///
/// # Errors
/// If the word is unknown.
pub fn one_of(field: &'static str, value: &str, known: &[&str]) -> Result<(), ParamError> {
    if known.contains(&value) {
        return Ok(());
    }
    let mut expected = format!("one of {}", listed(known.iter().copied(), 40));
    if let Some(near) = nearest(value, known.iter().copied()) {
        expected = format!("{expected}; did you mean '{near}'?");
    }
    Err(ParamError::new(field, format_args!("'{value}'"), expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(result: Result<(), ParamError>) -> String {
        result.expect_err("outside").to_string()
    }

    #[test]
    fn ranges_read_as_sentences() {
        assert_eq!(text(within("n", 0, 1..)), "n: found 0; expected a number of at least 1");
        assert_eq!(text(within("n", 9, ..=8)), "n: found 9; expected a number of at most 8");
        assert_eq!(
            text(within("x", 1.0, 0.0..1.0)),
            "x: found 1; expected a number of at least 0 and less than 1"
        );
        let inner = (Bound::Excluded(0.0), Bound::Excluded(1.0));
        assert_eq!(
            text(within("x", 0.0, inner)),
            "x: found 0; expected a number greater than 0 and less than 1"
        );
    }

    #[test]
    fn nan_is_never_allowed() {
        assert_eq!(text(probability("p", f64::NAN)), "p: found NaN; expected a number from 0 to 1");
        assert!(within("x", f64::NAN, ..).is_ok(), "unless there is no range at all");
        assert!(within("x", f64::NAN, f64::MIN..=f64::MAX).is_err());
    }

    #[test]
    fn words_are_suggested() {
        let found = text(one_of("mode", "defualt", &["default", "g3p-mi"]));
        assert_eq!(
            found,
            "mode: found 'defualt'; expected one of default, g3p-mi; did you mean 'default'?"
        );
    }
}
