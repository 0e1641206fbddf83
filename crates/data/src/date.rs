//! Converts dates to ordered numbers and back.
//!
//! A [`DateFormat`] is the date format of a file in the letters of `strftime`, such as `%d.%m.%Y`.
//! A date becomes the number of days since 1970-01-01, a date with a time the number of seconds, so
//! that earlier dates are smaller numbers.

use chrono::format::{Fixed, Item, Numeric, Pad, Parsed, parse};
use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, NaiveTime};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A date format. `%Y` `%y` `%m` `%b` `%B` `%d` `%H` `%M` `%S` `.%f` `%z` stand for the parts of a
/// date; all other text is literal.
///
/// ```
/// use pellucid_data::DateFormat;
/// let german: DateFormat = "%d.%m.%Y".parse()?;
/// assert_eq!(german.parse("2.1.1970"), Some(1.0));
/// assert_eq!(german.show(1.0), "02.01.1970");
/// assert_eq!(german.parse("30.02.2024"), None);
/// # Ok::<(), pellucid_data::DateFormatError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DateFormat {
    pattern: String,
    /// The format for `chrono`.
    items: Vec<Item<'static>>,
}

/// The error for a pattern that is not a date format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "found '{pattern}'; expected a date format with a year (%Y or %y), a month (%m, %b or %B) and \
     optionally %d, %H, %M, %S, .%f and %z"
)]
pub struct DateFormatError {
    /// The pattern.
    pub pattern: String,
}

const YEAR: Item<'static> = Item::Numeric(Numeric::Year, Pad::Zero);
const YEAR_OF_CENTURY: Item<'static> = Item::Numeric(Numeric::YearMod100, Pad::Zero);
const MONTH: Item<'static> = Item::Numeric(Numeric::Month, Pad::Zero);
const SHORT_MONTH: Item<'static> = Item::Fixed(Fixed::ShortMonthName);
const LONG_MONTH: Item<'static> = Item::Fixed(Fixed::LongMonthName);
const DAY: Item<'static> = Item::Numeric(Numeric::Day, Pad::Zero);
const HOUR: Item<'static> = Item::Numeric(Numeric::Hour, Pad::Zero);
const MINUTE: Item<'static> = Item::Numeric(Numeric::Minute, Pad::Zero);
const SECOND: Item<'static> = Item::Numeric(Numeric::Second, Pad::Zero);
/// Includes the point before it; any number of digits is parsed.
const FRACTION: Item<'static> = Item::Fixed(Fixed::Nanosecond);
/// `Z`, `+01:00` or `+0100`.
const OFFSET: Item<'static> = Item::Fixed(Fixed::TimezoneOffsetColonZ);

/// Years with four digits; other years are typing errors.
const YEARS: std::ops::RangeInclusive<i32> = FIRST_YEAR..=9999;
/// The first year of a date; a date before it, such as 0001-01-01, means a missing date.
pub const FIRST_YEAR: i32 = 1000;
const EPOCH: NaiveDate = DateTime::UNIX_EPOCH.naive_utc().date();

impl std::str::FromStr for DateFormat {
    type Err = DateFormatError;

    fn from_str(pattern: &str) -> Result<DateFormat, DateFormatError> {
        let fail = || DateFormatError { pattern: pattern.chars().take(40).collect() };
        let mut items: Vec<Item<'static>> = Vec::new();
        let mut literal = String::new();
        let mut letters = pattern.chars();
        while let Some(letter) = letters.next() {
            if letter != '%' {
                literal.push(letter);
                continue;
            }
            let item = match letters.next().ok_or_else(fail)? {
                'Y' => YEAR,
                'y' => YEAR_OF_CENTURY,
                'm' => MONTH,
                'b' => SHORT_MONTH,
                'B' => LONG_MONTH,
                'd' => DAY,
                'H' => HOUR,
                'M' => MINUTE,
                'S' => SECOND,
                'f' if literal.pop() == Some('.') => FRACTION,
                'z' => OFFSET,
                '%' => {
                    literal.push('%');
                    continue;
                }
                _ => return Err(fail()),
            };
            if !literal.is_empty() {
                items.push(Item::OwnedLiteral(std::mem::take(&mut literal).into()));
            }
            items.push(item);
        }
        if !literal.is_empty() {
            items.push(Item::OwnedLiteral(literal.into()));
        }
        let format = DateFormat { pattern: pattern.to_owned(), items };
        if format.is_sound() { Ok(format) } else { Err(fail()) }
    }
}

impl TryFrom<String> for DateFormat {
    type Error = DateFormatError;

    fn try_from(pattern: String) -> Result<DateFormat, DateFormatError> {
        pattern.parse()
    }
}

impl From<DateFormat> for String {
    fn from(format: DateFormat) -> String {
        format.pattern
    }
}

impl fmt::Display for DateFormat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.pattern)
    }
}

impl DateFormat {
    /// Returns the pattern.
    #[must_use]
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// Whether the format has a time of day. If so, numbers are seconds, otherwise days.
    #[must_use]
    pub fn has_time(&self) -> bool {
        self.has(&HOUR)
    }

    fn has(&self, item: &Item<'_>) -> bool {
        self.items.contains(item)
    }

    /// Whether the format has one year and one month, and no part of a date without the larger parts.
    fn is_sound(&self) -> bool {
        let count =
            |wanted: &[Item<'_>]| self.items.iter().filter(|item| wanted.contains(item)).count();
        let parts = [DAY, HOUR, MINUTE, SECOND, FRACTION];
        count(&[YEAR, YEAR_OF_CENTURY]) == 1
            && count(&[MONTH, SHORT_MONTH, LONG_MONTH]) == 1
            && parts.iter().chain([&OFFSET]).all(|part| count(std::slice::from_ref(part)) <= 1)
            && parts.windows(2).all(|pair| self.has(&pair[0]) || !self.has(&pair[1]))
            && (self.has_time() || !self.has(&OFFSET))
    }

    /// Parses a date; returns `None` if the text does not match the format or the day does not exist.
    #[must_use]
    pub fn parse(&self, text: &str) -> Option<f64> {
        let mut parsed = Parsed::new();
        parse(&mut parsed, text, self.items.iter()).ok()?;
        if !self.has(&DAY) {
            parsed.set_day(1).ok()?;
        }
        let date = parsed.to_naive_date().ok().filter(|date| YEARS.contains(&date.year()))?;
        if !self.has_time() {
            return Some((date - EPOCH).num_days() as f64);
        }
        if !self.has(&MINUTE) {
            parsed.set_minute(0).ok()?;
        }
        let moment = date.and_time(parsed.to_naive_time().ok()?).and_utc();
        let ahead = i64::from(parsed.offset().unwrap_or(0)) * 1_000_000;
        Some((moment.timestamp_micros() - ahead) as f64 / 1e6)
    }

    /// Formats the date of a number. A number between two dates gives the earlier one.
    #[must_use]
    pub fn show(&self, number: f64) -> String {
        self.written(&self.items, number)
    }

    /// Formats the date of a number for databases: `2024-02-29`, or `2024-02-29 12:00:00` with a time.
    #[must_use]
    pub fn show_iso(&self, number: f64) -> String {
        let [dash, colon] = [Item::Literal("-"), Item::Literal(":")];
        let mut items = vec![YEAR, dash.clone(), MONTH, dash, DAY];
        if self.has_time() {
            items.extend([Item::Literal(" "), HOUR, colon.clone(), MINUTE, colon, SECOND]);
            items.extend(self.has(&FRACTION).then_some(FRACTION));
        }
        self.written(&items, number)
    }

    fn written(&self, items: &[Item<'static>], number: f64) -> String {
        let Some(moment) = self.moment(number) else { return number.to_string() };
        // Numbers are in UTC, whatever the time zone of the file.
        let known = |item: &Item<'static>| match item {
            item if *item == OFFSET => Item::Literal("+00:00"),
            item if *item == FRACTION => Item::Fixed(Fixed::Nanosecond6),
            item => item.clone(),
        };
        moment.format_with_items(items.iter().map(known)).to_string()
    }

    /// Returns the latest date in this format at or before a number.
    #[must_use]
    pub fn at_most(&self, number: f64) -> Option<f64> {
        self.parse(&self.show(number))
    }

    /// Returns the earliest date in this format at or after a number.
    #[must_use]
    pub fn at_least(&self, number: f64) -> Option<f64> {
        let below = self.at_most(number)?;
        if below >= number {
            return Some(below);
        }
        let step = match () {
            () if self.has(&FRACTION) => 1e-6,
            () if self.has(&SECOND) => 1.0,
            () if self.has(&MINUTE) => 60.0,
            () if self.has(&HOUR) => 3600.0,
            () if self.has(&DAY) => 1.0,
            // After the end of any month, and not after the end of the next one.
            () => 31.0,
        };
        self.at_most(below + step)
    }

    /// Returns the date and time of a number, if its year has four digits.
    fn moment(&self, number: f64) -> Option<NaiveDateTime> {
        if !number.is_finite() || number.abs() > 1e12 {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most 1e18")]
        let moment = if self.has_time() {
            // Rounded to microseconds, because a double is not exact for large numbers of seconds.
            DateTime::from_timestamp_micros((number * 1e6).round() as i64)?.naive_utc()
        } else {
            let days = chrono::Duration::try_days(number.floor() as i64)?;
            EPOCH.checked_add_signed(days)?.and_time(NaiveTime::MIN)
        };
        YEARS.contains(&moment.year()).then_some(moment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn format(pattern: &str) -> DateFormat {
        pattern.parse().expect("a format")
    }

    #[test]
    fn dates_in_many_formats() {
        for (pattern, text, number) in [
            ("%Y-%m-%d", "1970-01-01", 0.0),
            ("%Y-%m-%d", "2024-02-29", 19_782.0),
            ("%Y-%m-%d", "1969-12-31", -1.0),
            ("%d.%m.%Y", "1.3.2000", 11_017.0),
            ("%m/%d/%y", "12/31/70", 364.0),
            ("%m/%d/%y", "12/31/68", 36_159.0),
            ("%d %b %Y", "29 feb 2024", 19_782.0),
            ("%B %d, %Y", "March 1, 2000", 11_017.0),
            ("%Y-%m", "2000-03", 11_017.0),
            ("%Y-%m-%dT%H:%M:%SZ", "1970-01-02T00:00:01Z", 86_401.0),
            ("%Y-%m-%d %H:%M:%S.%f", "1970-01-01 00:00:00.25", 0.25),
            ("%Y-%m-%dT%H:%M:%S%z", "1970-01-01T01:00:00+01:00", 0.0),
            ("%Y%m%d", "20240229", 19_782.0),
        ] {
            assert_eq!(format(pattern).parse(text), Some(number), "{pattern} {text}");
        }
        for (pattern, text) in [
            ("%Y-%m-%d", "2023-02-29"),
            ("%Y-%m-%d", "2023-13-01"),
            ("%Y-%m-%d", "2023-01-01x"),
            ("%Y-%m-%d", "23-01-01"),
            ("%Y-%m-%d", ""),
            ("%Y-%m-%d %H:%M", "2023-01-01 24:00"),
        ] {
            assert_eq!(format(pattern).parse(text), None, "{pattern} {text}");
        }
    }

    #[test]
    fn invalid_patterns_are_rejected() {
        for pattern in
            ["", "%d.%m", "%Y", "%Y-%m-%d %M", "%q", "%Y-%m-%", "%Y-%m-%d %d", "%Y %m %H"]
        {
            assert!(pattern.parse::<DateFormat>().is_err(), "{pattern}");
        }
    }

    proptest! {
        #[test]
        fn formatted_dates_round_trip(days in -354_285i64..2_932_896) {
            let number = days as f64;
            for pattern in ["%Y-%m-%d", "%d.%m.%Y", "%B %d, %Y", "%b/%d/%Y"] {
                let format = format(pattern);
                prop_assert_eq!(format.parse(&format.show(number)), Some(number), "{}", pattern);
                prop_assert_eq!(format.show_iso(number), super::tests::format("%Y-%m-%d").show(number));
            }
        }

        #[test]
        fn times_round_trip(micros in -30_000_000_000_000_000i64..250_000_000_000_000_000) {
            let number = micros as f64 / 1e6;
            let format = format("%Y-%m-%dT%H:%M:%S.%f");
            let back = format.parse(&format.show(number)).expect("a moment");
            prop_assert!((back - number).abs() < 1e-4, "{} {}", back, number);
        }

        #[test]
        fn the_nearest_dates_enclose_a_number(number in -3.5e5f64..2.9e6) {
            for pattern in ["%Y-%m-%d", "%Y-%m"] {
                let format = format(pattern);
                let (low, high) = (format.at_most(number), format.at_least(number));
                let (low, high) = (low.expect("a date"), high.expect("a date"));
                prop_assert!(low <= number && number <= high, "{} {} {}", low, number, high);
                prop_assert!(high - low <= 31.0);
                prop_assert_eq!(format.at_most(low), Some(low));
            }
        }
    }
}
