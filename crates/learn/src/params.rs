//! Parameters that are checked once.
//!
//! A learner's parameters are a plain struct with defaults, which may hold anything.
//! [`Check::check`] turns it into [`Valid`], and only a `Valid` can be fitted, so that no learner
//! meets a population of zero.
//!
//! ```
//! use pellucid_learn::params::{Check, ParamError, Valid, probability, within};
//!
//! struct Params {
//!     population: usize,
//!     crossover: f64,
//! }
//!
//! impl Check for Params {
//!     fn check_fields(&self) -> Result<(), ParamError> {
//!         within("population", self.population, 2..=1_000_000)?;
//!         probability("crossover", self.crossover)
//!     }
//! }
//!
//! let params: Valid<Params> = Params { population: 50, crossover: 0.9 }.check()?;
//! assert_eq!(params.population, 50);
//!
//! let error = Params { population: 1, crossover: 0.9 }.check().err().map(|e| e.to_string());
//! assert_eq!(error.as_deref(), Some("population: found 1, allowed 2 to 1000000"));
//! # Ok::<(), ParamError>(())
//! ```

use crate::suggest::{listed, nearest};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt::Display;
use std::ops::{Bound, Deref, RangeBounds};

/// A parameter with a value that is not allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: found {found}, allowed {allowed}")]
pub struct ParamError {
    /// The parameter, by the name that people type.
    pub field: Cow<'static, str>,
    /// The value found.
    pub found: String,
    /// What would be accepted, such as "2 to 1000000".
    pub allowed: String,
}

impl ParamError {
    /// An error for a rule that the helpers here do not know, such as one about two fields at once.
    pub fn new(
        field: impl Into<Cow<'static, str>>,
        found: impl Display,
        allowed: impl Into<String>,
    ) -> Self {
        Self { field: field.into(), found: found.to_string(), allowed: allowed.into() }
    }

    /// The same error in a larger struct: the field `size` inside `niche` reads `niche.size`.
    #[must_use]
    pub fn inside(mut self, outer: &str) -> Self {
        self.field = format!("{outer}.{}", self.field).into();
        self
    }
}

/// Parameters that can be checked.
pub trait Check: Sized {
    /// Checks each field; the first that is not allowed is the error.
    ///
    /// # Errors
    /// Names the field, the value found and what is allowed.
    fn check_fields(&self) -> Result<(), ParamError>;

    /// Checks every field and gives parameters that can be fitted.
    ///
    /// # Errors
    /// As [`Check::check_fields`].
    fn check(self) -> Result<Valid<Self>, ParamError> {
        self.check_fields()?;
        Ok(Valid(self))
    }
}

/// Parameters that passed [`Check::check`], which is the only way to make one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Valid<P>(P);

impl<P> Valid<P> {
    /// The parameters, free to be changed and checked again.
    pub fn into_inner(self) -> P {
        self.0
    }
}

impl<P> Deref for Valid<P> {
    type Target = P;

    fn deref(&self) -> &P {
        &self.0
    }
}

impl<P: Serialize> Serialize for Valid<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

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
        return Ok(());
    }
    use Bound::{Excluded, Included, Unbounded};
    let allowed = match (range.start_bound(), range.end_bound()) {
        (Included(low), Included(high)) => format!("{low} to {high}"),
        (Included(low), Excluded(high)) => format!("at least {low}, less than {high}"),
        (Excluded(low), Included(high)) => format!("more than {low}, at most {high}"),
        (Excluded(low), Excluded(high)) => format!("more than {low}, less than {high}"),
        (Included(low), Unbounded) => format!("at least {low}"),
        (Excluded(low), Unbounded) => format!("more than {low}"),
        (Unbounded, Included(high)) => format!("at most {high}"),
        (Unbounded, Excluded(high)) => format!("less than {high}"),
        (Unbounded, Unbounded) => "any number".to_owned(),
    };
    Err(ParamError::new(field, value, allowed))
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

    #[test]
    fn nested_fields_keep_their_path() {
        let error = within("size", 0, 1..=9).map_err(|e| e.inside("niche"));
        assert_eq!(text(error), "niche.size: found 0, allowed 1 to 9");
    }
}
