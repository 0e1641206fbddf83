//! A natural logarithm from additions, multiplications and divisions only.
//!
//! `f64::ln` uses the library of the platform, whose last bit differs between systems. Random draws
//! must be the same everywhere.

use std::f64::consts::{LN_2, SQRT_2};

/// Returns the natural logarithm of a normal positive number, within a few units in the last place.
///
/// `x = m * 2^e` with `m` between 1/sqrt(2) and sqrt(2); then `ln m = 2 artanh(s)` with
/// `s = (m - 1) / (m + 1)`, whose series converges fast because `|s| < 0.172`.
pub(crate) fn ln(x: f64) -> f64 {
    const MANTISSA: u64 = (1 << 52) - 1;
    let bits = x.to_bits();
    // The exponent field has eleven bits, so both conversions are exact.
    let mut exponent = f64::from(u32::try_from(bits >> 52).unwrap_or(0)) - 1023.0;
    let mut mantissa = f64::from_bits((bits & MANTISSA) | (1023 << 52));
    if mantissa > SQRT_2 {
        mantissa *= 0.5;
        exponent += 1.0;
    }
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    // 1 + s^2/3 + s^4/5 + ... by Horner's rule; the first omitted term is less than 1e-18.
    let series = (1..=11).rev().fold(0.0, |sum, k| square * (sum + 1.0 / f64::from(2 * k + 1)));
    2.0 * s * (1.0 + series) + exponent * LN_2
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_logarithm_of_one_is_zero_and_of_two_is_the_constant() {
        assert_eq!(ln(1.0), 0.0);
        assert_eq!(ln(2.0), LN_2);
        assert_eq!(ln(0.5), -LN_2);
    }

    proptest! {
        #[test]
        fn it_agrees_with_the_library(x in prop::num::f64::POSITIVE | prop::num::f64::NORMAL) {
            let x = x.abs().max(f64::MIN_POSITIVE);
            let (ours, theirs) = (ln(x), x.ln());
            let tolerance = 1e-15 * theirs.abs().max(1e-3);
            prop_assert!((ours - theirs).abs() <= tolerance, "ln {x}: {ours} {theirs}");
        }
    }
}
