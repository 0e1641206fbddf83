//! The minimum support, as a number or a percentage of the objects.

use std::str::FromStr;
use thiserror::Error;

/// A minimum support: a number of objects, or a fraction of all objects.
///
/// ```
/// use pellucid_concepts::support::MinSupport;
///
/// assert_eq!("20".parse::<MinSupport>()?.of(1000), 20);
/// assert_eq!("5%".parse::<MinSupport>()?.of(1000), 50);
/// assert_eq!("0.05".parse::<MinSupport>()?.of(1000), 50);
/// # Ok::<(), pellucid_concepts::support::MinSupportError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MinSupport {
    /// A number of objects.
    Objects(u64),
    /// A fraction of all objects: a percentage if it was written with '%', a ratio otherwise.
    Fraction {
        /// The percentage or the ratio.
        of_all: f64,
        /// The value that means all objects: 100 or 1.
        in_all: u32,
    },
}

/// The error for text that is not a minimum support.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "expected a number of objects such as 20, or a fraction of at most 100% such as 5% or 0.05"
)]
pub struct MinSupportError;

impl MinSupport {
    /// Returns the minimum number of objects in a context with `objects` objects.
    #[must_use]
    pub fn of(self, objects: usize) -> u64 {
        let objects = objects as u64;
        match self {
            MinSupport::Objects(number) => number,
            MinSupport::Fraction { of_all, in_all } => {
                // Divide rather than multiply: 3 / 30 >= 0.1 is true, but 0.1 * 30 rounds to more
                // than 3.
                let enough = |number: u64| {
                    (number * u64::from(in_all)) as f64 / objects.max(1) as f64 >= of_all
                };
                let (mut low, mut high) = (0, objects);
                while low < high {
                    let middle = low.midpoint(high);
                    (low, high) = if enough(middle) { (low, middle) } else { (middle + 1, high) };
                }
                low
            }
        }
    }
}

impl FromStr for MinSupport {
    type Err = MinSupportError;

    fn from_str(text: &str) -> Result<MinSupport, MinSupportError> {
        let part = |digits: &str, in_all: u32| {
            let of_all = digits.trim().parse::<f64>().ok()?;
            (0.0..=f64::from(in_all))
                .contains(&of_all)
                .then_some(MinSupport::Fraction { of_all, in_all })
        };
        let parsed = match text.strip_suffix('%') {
            Some(digits) => part(digits, 100),
            None if text.contains('.') => part(text, 1),
            None => text.parse().ok().map(MinSupport::Objects),
        };
        parsed.ok_or(MinSupportError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_exact() {
        let of = |text: &str, objects| text.parse::<MinSupport>().map(|least| least.of(objects));
        assert_eq!(of("20", 7), Ok(20));
        assert_eq!(of("0", 7), Ok(0));
        assert_eq!(of("0.1", 30), Ok(3));
        assert_eq!(of("10%", 30), Ok(3));
        assert_eq!(of("10 %", 31), Ok(4));
        assert_eq!(of("2.3%", 1000), Ok(23));
        assert_eq!(of("0.0", 30), Ok(0));
        assert_eq!(of("1.0", 30), Ok(30));
        assert_eq!(of("100%", 0), Ok(0));
        // Every whole percentage for every number of objects.
        for objects in 1..=300 {
            for hundredths in 0..=100 {
                let least = of(&format!("{hundredths}%"), objects).unwrap();
                assert_eq!(
                    least,
                    (hundredths * objects as u64).div_ceil(100),
                    "{hundredths} {objects}"
                );
            }
        }
        for wrong in ["", "%", "-1", "1.5", "101%", "nan%", "x", "1e3"] {
            assert!(wrong.parse::<MinSupport>().is_err(), "{wrong}");
        }
    }
}
