//! Checks of single values.

use super::ParamError;
use crate::suggest::{listed, nearest};
use std::fmt::Display;
use std::ops::{Bound, RangeBounds};

/// Checks that a number lies in a range with open, closed or absent ends. NaN lies in none.
///
/// ```
/// use pellucid_learn::params::within;
/// use std::ops::Bound::{Excluded, Included};
///
/// assert!(within("elite", 3, 0..).is_ok());
/// let rate = within("rate", 0.0, (Excluded(0.0), Included(1.0)));
/// assert_eq!(rate.unwrap_err().to_string(), "rate: found 0, allowed more than 0, at most 1");
/// ```
///
/// # Errors
/// When the value lies outside.
pub fn within<T: PartialOrd + Display>(
    field: &'static str,
    value: T,
    range: impl RangeBounds<T>,
) -> Result<(), ParamError> {
    if range.contains(&value) {
        Ok(())
    } else {
        Err(ParamError::new(field, value, allowed(&range)))
    }
}

/// A range in words, as in "2 to 1000000".
pub(super) fn allowed<T: PartialOrd + Display>(range: &impl RangeBounds<T>) -> String {
    use Bound::{Excluded, Included, Unbounded};
    match (range.start_bound(), range.end_bound()) {
        (Included(low), Included(high)) => format!("{low} to {high}"),
        (Included(low), Excluded(high)) => format!("at least {low}, less than {high}"),
        (Excluded(low), Included(high)) => format!("more than {low}, at most {high}"),
        (Excluded(low), Excluded(high)) => format!("more than {low}, less than {high}"),
        (Included(low), Unbounded) => format!("at least {low}"),
        (Excluded(low), Unbounded) => format!("more than {low}"),
        (Unbounded, Included(high)) => format!("at most {high}"),
        (Unbounded, Excluded(high)) => format!("less than {high}"),
        (Unbounded, Unbounded) => "any number".to_owned(),
    }
}

/// Checks that a number is a probability, 0 to 1.
///
/// # Errors
/// When it lies outside, or is NaN.
pub fn probability(field: &'static str, value: f64) -> Result<(), ParamError> {
    within(field, value, 0.0..=1.0)
}

/// Checks that a word is one of those known, and names the nearest if not.
///
/// # Errors
/// When the word is not among them.
pub fn one_of(field: &'static str, value: &str, known: &[&str]) -> Result<(), ParamError> {
    if known.contains(&value) {
        return Ok(());
    }
    let mut allowed = listed(known.iter().copied(), 40);
    if let Some(near) = nearest(value, known.iter().copied()) {
        allowed = format!("{allowed}; did you mean '{near}'?");
    }
    Err(ParamError::new(field, format_args!("'{value}'"), allowed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(result: Result<(), ParamError>) -> String {
        result.expect_err("outside").to_string()
    }

    #[test]
    fn ranges_read_as_sentences() {
        assert_eq!(text(within("n", 0, 1..)), "n: found 0, allowed at least 1");
        assert_eq!(text(within("n", 9, ..=8)), "n: found 9, allowed at most 8");
        assert_eq!(text(within("x", 1.0, 0.0..1.0)), "x: found 1, allowed at least 0, less than 1");
        let inner = (Bound::Excluded(0.0), Bound::Excluded(1.0));
        assert_eq!(text(within("x", 0.0, inner)), "x: found 0, allowed more than 0, less than 1");
    }

    #[test]
    fn nan_is_never_allowed() {
        assert_eq!(text(probability("p", f64::NAN)), "p: found NaN, allowed 0 to 1");
        assert!(within("x", f64::NAN, ..).is_ok(), "unless there is no range at all");
        assert!(within("x", f64::NAN, f64::MIN..=f64::MAX).is_err());
    }

    #[test]
    fn words_are_suggested() {
        let found = text(one_of("mode", "defualt", &["default", "g3p-mi"]));
        assert_eq!(
            found,
            "mode: found 'defualt', allowed default, g3p-mi; did you mean 'default'?"
        );
    }
}
