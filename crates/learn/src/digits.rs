//! Numbers rounded for people.
//!
//! A fitted number has more digits than the data supports. [`rounded`] shortens a number that a model
//! keeps; the other functions return text.

/// Returns a number rounded to this many significant digits. The result is the number nearest to
/// what is printed.
///
/// ```
/// use pellucid_learn::digits::rounded;
/// assert_eq!(rounded(2.0 / 3.0, 3), 0.667);
/// assert_eq!(rounded(-123_456.7, 2), -120_000.0);
/// ```
#[must_use]
pub fn rounded(number: f64, digits: usize) -> f64 {
    format!("{number:.*e}", digits.max(1) - 1).parse().unwrap_or(number)
}

/// Formats a number with this many significant digits, without an exponent for common magnitudes.
///
/// ```
/// use pellucid_learn::digits::significant;
/// assert_eq!(significant(1234.5678, 4), "1235");
/// assert_eq!(significant(0.012345, 3), "0.0123");
/// assert_eq!(significant(-12.5, 6), "-12.5");
/// ```
#[must_use]
pub fn significant(number: f64, digits: usize) -> String {
    let rounded = rounded(number, digits);
    let size = rounded.abs();
    if size == 0.0 || (1e-6..1e15).contains(&size) {
        format!("{}", rounded + 0.0)
    } else {
        format!("{rounded:e}")
    }
}

/// Formats a number with two decimals, or with two significant digits if it is smaller than 0.1.
///
/// ```
/// use pellucid_learn::digits::two_decimals;
/// assert_eq!(two_decimals(12.345), "12.35");
/// assert_eq!(two_decimals(-0.012345), "-0.012");
/// assert_eq!(two_decimals(-0.0), "0.00");
/// ```
#[must_use]
pub fn two_decimals(number: f64) -> String {
    if number == 0.0 || number.abs() >= 0.1 {
        format!("{:.2}", number + 0.0)
    } else {
        // The exponent is the number of leading zeros.
        let digits = (1.0 - libm::log10(number.abs()).floor()).clamp(2.0, 12.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "2 to 12")]
        let digits = digits as usize;
        format!("{number:.digits$}")
    }
}

/// Formats a number with at most three decimals, without zeros at the end. Very small and very
/// large numbers get an exponent.
///
/// ```
/// use pellucid_learn::digits::three_decimals;
/// assert_eq!(three_decimals(12.5), "12.5");
/// assert_eq!(three_decimals(2.0 / 3.0), "0.667");
/// assert_eq!(three_decimals(0.000_123), "1.23e-4");
/// ```
#[must_use]
pub fn three_decimals(number: f64) -> String {
    if number == number.trunc() && number.abs() < 1e15 {
        return format!("{number:.0}");
    }
    let text = format!("{number:.3}");
    if number.abs() >= 0.001 && number.abs() < 1e6 {
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    format!("{number:.2e}")
}

/// Returns a whole number with thousands separators.
///
/// ```
/// use pellucid_learn::digits::grouped;
/// assert_eq!(grouped(12_345), "12,345");
/// ```
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a probability as a percentage with one decimal. Only certain values are shown as 0 % or
/// 100 %.
///
/// ```
/// use pellucid_learn::digits::percent;
/// assert_eq!(percent(0.1234), "12.3 %");
/// assert_eq!(percent(0.99999), "over 99.9 %");
/// ```
#[must_use]
pub fn percent(share: f64) -> String {
    match 100.0 * share {
        percents if percents > 99.95 && share < 1.0 => "over 99.9 %".to_owned(),
        percents if percents < 0.05 && share > 0.0 => "under 0.1 %".to_owned(),
        percents => format!("{percents:.1} %"),
    }
}

/// Formats a probability in whole percent. Only certain values are shown as 0 % or 100 %.
///
/// ```
/// use pellucid_learn::digits::whole_percent;
/// assert_eq!(whole_percent(0.1234), "12 %");
/// assert_eq!(whole_percent(0.9999), "over 99 %");
/// ```
#[must_use]
pub fn whole_percent(share: f64) -> String {
    match (100.0 * share).round() {
        100.0 if share < 1.0 => "over 99 %".to_owned(),
        0.0 if share > 0.0 => "under 1 %".to_owned(),
        rounded => format!("{rounded} %"),
    }
}
