//! Parses decimal numbers, rounded exactly as in the standard library, with a fast path for short ones.

/// Powers of ten that a double represents exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// Parses a number: `1`, `+1`, `-0`, `.5`, `1e5`, `inf`; neither hexadecimal numbers nor NaN.
pub(crate) fn parse(text: &str) -> Option<f64> {
    short(text.as_bytes()).or_else(|| long(text))
}

/// Parses up to 16 characters of digits with a point. The digits and the power of ten are exact
/// doubles, so the only rounding is that of the division, and the result is correctly rounded
/// (Clinger 1990).
fn short(text: &[u8]) -> Option<f64> {
    let (negative, digits) = match text.split_first()? {
        (b'-', rest) => (true, rest),
        (b'+', rest) => (false, rest),
        _ => (false, text),
    };
    if digits.is_empty() || digits.len() > 16 {
        return None;
    }
    let mut mantissa = 0u64;
    let mut point = None;
    for (position, &byte) in digits.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            mantissa = mantissa * 10 + u64::from(digit);
        } else if byte == b'.' && point.is_none() {
            point = Some(position);
        } else {
            return None;
        }
    }
    let decimals = match point {
        Some(_) if digits.len() == 1 => return None,
        Some(position) => digits.len() - position - 1,
        None => 0,
    };
    if mantissa >= 1 << 53 {
        return None;
    }
    // Below 2^53 the conversion is exact.
    let value = mantissa as f64 / POWERS[decimals];
    Some(if negative { -value } else { value })
}

fn long(text: &str) -> Option<f64> {
    let first = *text.as_bytes().first()?;
    if !matches!(first, b'0'..=b'9' | b'+' | b'-' | b'.' | b'i' | b'I') {
        return None;
    }
    text.parse::<f64>().ok().filter(|value| !value.is_nan())
}

/// Returns the double nearest to `digits` divided by ten to the power `scale`.
#[cfg(feature = "parquet")]
pub(crate) fn decimal(digits: i128, scale: i32) -> Option<f64> {
    let power = usize::try_from(scale).ok().and_then(|scale| POWERS.get(scale));
    match power {
        // Both are exact, so only the division rounds.
        Some(power) if digits.unsigned_abs() < 1 << 53 => Some(digits as f64 / power),
        _ => long(&format!("{digits}e{}", -i64::from(scale))),
    }
}

/// Formats a number so that [`parse`] returns the same number, without hundreds of zeros.
pub(crate) fn print(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-5..1e16).contains(&size) || !size.is_finite() {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::{parse, print};
    use proptest::prelude::*;

    #[test]
    fn accepts_only_decimals() {
        for (text, value) in [
            ("1", 1.0),
            ("+1", 1.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("-0.25", -0.25),
            ("1e5", 1e5),
            ("-1.5E-3", -0.0015),
            ("inf", f64::INFINITY),
            ("-inf", f64::NEG_INFINITY),
            ("9007199254740993", 9007199254740992.0),
            ("123456789012345678901234567890", 1.2345678901234568e29),
        ] {
            assert_eq!(parse(text), Some(value), "{text}");
        }
        assert!(parse("-0").is_some_and(|zero| zero == 0.0 && zero.is_sign_negative()));
        for text in [
            "", ".", "-", "+", "nan", "NaN", "-nan", "0x10", "1_000", "1,5", "1e", "abc", "--1",
            "1.2.3", "1 2",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn agrees_with_the_standard_library(text in "[-+]?[0-9]{0,18}(\\.[0-9]{0,17})?") {
            prop_assert_eq!(parse(&text).map(f64::to_bits), text.parse::<f64>().ok().map(f64::to_bits));
        }

        #[test]
        fn printed_numbers_round_trip(bits in any::<u64>()) {
            let value = f64::from_bits(bits);
            prop_assume!(!value.is_nan());
            prop_assert_eq!(parse(&print(value)).map(f64::to_bits), Some(bits));
        }
    }
}
