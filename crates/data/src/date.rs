//! Dates as ordered numbers, and numbers as dates again.
//!
//! A [`DateFormat`] says how a file writes its dates, in the letters of `strftime`: `%d.%m.%Y`. A date becomes the number of
//! days since 1970-01-01, a date with a time the number of seconds; so earlier is less, and a learner needs to know no more.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How dates are written: `%Y` `%y` `%m` `%b` `%B` `%d` `%H` `%M` `%S` `%f` `%z` stand for their parts, all else for itself.
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
    items: Vec<Item>,
}

/// Why a pattern is no format of dates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "found '{pattern}'; a format of dates was expected, a year (%Y or %y) and a month (%m, %b or %B) with %d, %H, %M, %S, %f and %z where there are such"
)]
pub struct DateFormatError {
    /// What was found.
    pub pattern: String,
}

/// One part of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    Literal(char),
    Year,
    YearOfCentury,
    Month,
    MonthName,
    MonthAbbreviated,
    Day,
    Hour,
    Minute,
    Second,
    /// One to six digits of a second.
    Fraction,
    /// `Z`, `+01:00` or `+0100`.
    Offset,
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const DAY_SECONDS: i64 = 86_400;
const SECOND_MICROS: i64 = 1_000_000;

/// A moment by its parts.
#[derive(Clone, Copy, Debug)]
struct Parts {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
    micros: i64,
    /// Seconds that the clock shown is ahead of UTC.
    offset: i64,
}

impl std::str::FromStr for DateFormat {
    type Err = DateFormatError;

    fn from_str(pattern: &str) -> Result<DateFormat, DateFormatError> {
        let fail = || DateFormatError { pattern: pattern.chars().take(40).collect() };
        let mut items = Vec::new();
        let mut letters = pattern.chars();
        while let Some(letter) = letters.next() {
            items.push(if letter == '%' {
                match letters.next().ok_or_else(fail)? {
                    'Y' => Item::Year,
                    'y' => Item::YearOfCentury,
                    'm' => Item::Month,
                    'b' => Item::MonthAbbreviated,
                    'B' => Item::MonthName,
                    'd' => Item::Day,
                    'H' => Item::Hour,
                    'M' => Item::Minute,
                    'S' => Item::Second,
                    'f' => Item::Fraction,
                    'z' => Item::Offset,
                    '%' => Item::Literal('%'),
                    _ => return Err(fail()),
                }
            } else {
                Item::Literal(letter)
            });
        }
        let count = |wanted: &[Item]| items.iter().filter(|item| wanted.contains(item)).count();
        let sound = count(&[Item::Year, Item::YearOfCentury]) == 1
            && count(&[Item::Month, Item::MonthName, Item::MonthAbbreviated]) == 1
            && [Item::Day, Item::Hour, Item::Minute, Item::Second, Item::Fraction, Item::Offset]
                .iter()
                .all(|&item| count(&[item]) <= 1)
            // A part of the clock has no meaning without the larger ones.
            && count(&[Item::Hour]) >= count(&[Item::Minute])
            && count(&[Item::Minute]) >= count(&[Item::Second])
            && count(&[Item::Second]) >= count(&[Item::Fraction])
            && count(&[Item::Hour]) >= count(&[Item::Offset])
            && count(&[Item::Day]) >= count(&[Item::Hour]);
        if sound { Ok(DateFormat { pattern: pattern.to_owned(), items }) } else { Err(fail()) }
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
    /// The pattern as written.
    #[must_use]
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// Whether there is a time of day: then numbers are seconds, otherwise days.
    #[must_use]
    pub fn has_time(&self) -> bool {
        self.items.contains(&Item::Hour)
    }

    /// The number of a date, if the text is one in this format and there is such a day.
    #[must_use]
    pub fn parse(&self, text: &str) -> Option<f64> {
        let mut parts = Parts {
            year: 0,
            month: 1,
            day: 1,
            hour: 0,
            minute: 0,
            second: 0,
            micros: 0,
            offset: 0,
        };
        let mut rest = text;
        for item in &self.items {
            match item {
                Item::Literal(letter) => rest = rest.strip_prefix(*letter)?,
                Item::Year => (parts.year, rest) = digits(rest, 4, 4)?,
                Item::YearOfCentury => {
                    (parts.year, rest) = digits(rest, 2, 2)?;
                    // As POSIX has it: 69 is 1969, 68 is 2068.
                    parts.year += if parts.year < 69 { 2000 } else { 1900 };
                }
                Item::Month => (parts.month, rest) = digits(rest, 1, 2)?,
                Item::MonthName => (parts.month, rest) = month(rest, false)?,
                Item::MonthAbbreviated => (parts.month, rest) = month(rest, true)?,
                Item::Day => (parts.day, rest) = digits(rest, 1, 2)?,
                Item::Hour => (parts.hour, rest) = digits(rest, 1, 2)?,
                Item::Minute => (parts.minute, rest) = digits(rest, 1, 2)?,
                Item::Second => (parts.second, rest) = digits(rest, 1, 2)?,
                Item::Fraction => {
                    let (fraction, after) = digits(rest, 1, 6)?;
                    let places = u32::try_from(rest.len() - after.len()).ok()?;
                    parts.micros = fraction * 10i64.pow(6 - places);
                    rest = after;
                }
                Item::Offset => (parts.offset, rest) = offset(rest)?,
            }
        }
        if rest.is_empty() { self.number(parts) } else { None }
    }

    fn number(&self, parts: Parts) -> Option<f64> {
        let sound = (1..=12).contains(&parts.month)
            && (1..=days_of(parts.year, parts.month)).contains(&parts.day)
            && parts.hour < 24
            && parts.minute < 60
            && parts.second < 60;
        if !sound || parts.year == 0 {
            return None;
        }
        let days = days_since_epoch(parts.year, parts.month, parts.day);
        if !self.has_time() {
            return Some(days as f64);
        }
        let seconds = days * DAY_SECONDS + parts.hour * 3600 + parts.minute * 60 + parts.second
            - parts.offset;
        // Both are exact doubles, so that the one division rounds once.
        Some((seconds * SECOND_MICROS + parts.micros) as f64 / SECOND_MICROS as f64)
    }

    /// The date of a number in this format. Of a number between two dates it is the earlier one.
    #[must_use]
    pub fn show(&self, number: f64) -> String {
        self.written(&self.items, number)
    }

    /// The date of a number as databases write it: `2024-02-29`, or `2024-02-29 12:00:00` with a time.
    #[must_use]
    pub fn show_iso(&self, number: f64) -> String {
        let date = [Item::Year, Item::Literal('-'), Item::Month, Item::Literal('-'), Item::Day];
        let mut items = date.to_vec();
        if self.has_time() {
            items.extend([Item::Literal(' '), Item::Hour, Item::Literal(':'), Item::Minute]);
            items.extend([Item::Literal(':'), Item::Second]);
            if self.items.contains(&Item::Fraction) {
                items.extend([Item::Literal('.'), Item::Fraction]);
            }
        }
        self.written(&items, number)
    }

    fn written(&self, items: &[Item], number: f64) -> String {
        use std::fmt::Write as _;
        let Some(parts) = self.parts(number) else { return number.to_string() };
        let mut text = String::new();
        for item in items {
            // Writing into a string cannot fail.
            let _ = match item {
                Item::Literal(letter) => write!(text, "{letter}"),
                Item::Year => write!(text, "{:04}", parts.year),
                Item::YearOfCentury => write!(text, "{:02}", parts.year % 100),
                Item::Month => write!(text, "{:02}", parts.month),
                Item::MonthName => write!(text, "{}", month_name(parts.month)),
                Item::MonthAbbreviated => write!(text, "{}", &month_name(parts.month)[..3]),
                Item::Day => write!(text, "{:02}", parts.day),
                Item::Hour => write!(text, "{:02}", parts.hour),
                Item::Minute => write!(text, "{:02}", parts.minute),
                Item::Second => write!(text, "{:02}", parts.second),
                Item::Fraction => write!(text, "{:06}", parts.micros),
                Item::Offset => write!(text, "+00:00"),
            };
        }
        text
    }

    /// The greatest number of a date in this format that is not above a number.
    #[must_use]
    pub fn at_most(&self, number: f64) -> Option<f64> {
        self.parse(&self.show(number))
    }

    /// The least number of a date in this format that is not below a number.
    #[must_use]
    pub fn at_least(&self, number: f64) -> Option<f64> {
        let below = self.at_most(number)?;
        if below >= number {
            return Some(below);
        }
        let has = |item| self.items.contains(&item);
        let step = match () {
            () if has(Item::Fraction) => 1e-6,
            () if has(Item::Second) => 1.0,
            () if has(Item::Minute) => 60.0,
            () if has(Item::Hour) => 3600.0,
            () if has(Item::Day) => 1.0,
            // Past any month's end, and not past the next one's.
            () => 31.0,
        };
        self.at_most(below + step)
    }

    /// The parts of a number, if it is one of a year that is written with four digits.
    fn parts(&self, number: f64) -> Option<Parts> {
        if !number.is_finite() || number.abs() > 1e12 {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most 1e18")]
        let (days, micros) = if self.has_time() {
            let day = DAY_SECONDS * SECOND_MICROS;
            // The nearest microsecond, as a double of many seconds is not exact.
            let micros = (number * SECOND_MICROS as f64).round() as i64;
            (micros.div_euclid(day), micros.rem_euclid(day))
        } else {
            (number.floor() as i64, 0)
        };
        let (year, month, day) = civil(days);
        let seconds = micros / SECOND_MICROS;
        (1..=9999).contains(&year).then_some(Parts {
            year,
            month,
            day,
            hour: seconds / 3600,
            minute: seconds / 60 % 60,
            second: seconds % 60,
            micros: micros % SECOND_MICROS,
            offset: 0,
        })
    }
}

/// A number of so many digits, and what follows.
fn digits(text: &str, least: usize, most: usize) -> Option<(i64, &str)> {
    let count = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let number = text.get(..count).filter(|_| count >= least)?.parse().ok()?;
    Some((number, &text[count..]))
}

/// A month by its English name, letter case aside.
fn month(text: &str, abbreviated: bool) -> Option<(i64, &str)> {
    let starts =
        |name: &str| text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let shown = |name: &'static str| if abbreviated { &name[..3] } else { name };
    let found = MONTHS.iter().position(|&name| starts(shown(name)))?;
    Some((found as i64 + 1, &text[shown(MONTHS[found]).len()..]))
}

fn month_name(month: i64) -> &'static str {
    usize::try_from(month - 1).ok().and_then(|place| MONTHS.get(place)).copied().unwrap_or("???")
}

/// Seconds ahead of UTC.
fn offset(text: &str) -> Option<(i64, &str)> {
    if let Some(rest) = text.strip_prefix('Z') {
        return Some((0, rest));
    }
    let (sign, rest) = match text.as_bytes().first()? {
        b'+' => (1, &text[1..]),
        b'-' => (-1, &text[1..]),
        _ => return None,
    };
    let (hours, rest) = digits(rest, 2, 2)?;
    let (minutes, rest) = digits(rest.strip_prefix(':').unwrap_or(rest), 2, 2)?;
    (hours < 24 && minutes < 60).then_some((sign * (hours * 3600 + minutes * 60), rest))
}

fn days_of(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01, counted in eras of 400 years that begin in March, so that the leap day is the last of a year.
fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day of so many days from 1970-01-01.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn format(pattern: &str) -> DateFormat {
        pattern.parse().expect("a format")
    }

    #[test]
    fn dates_of_many_forms() {
        for (pattern, text, number) in [
            ("%Y-%m-%d", "1970-01-01", 0.0),
            ("%Y-%m-%d", "2024-02-29", 19_782.0),
            ("%Y-%m-%d", "1969-12-31", -1.0),
            ("%d.%m.%Y", "1.3.2000", 11_017.0),
            ("%m/%d/%y", "12/31/69", -1.0),
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
    fn patterns_without_a_meaning_are_refused() {
        for pattern in
            ["", "%d.%m", "%Y", "%Y-%m-%d %M", "%q", "%Y-%m-%", "%Y-%m-%d %d", "%Y %m %H"]
        {
            assert!(pattern.parse::<DateFormat>().is_err(), "{pattern}");
        }
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_back(days in -719_162i64..2_932_896) {
            let number = days as f64;
            for pattern in ["%Y-%m-%d", "%d.%m.%Y", "%B %d, %Y", "%b/%d/%Y"] {
                let format = format(pattern);
                prop_assert_eq!(format.parse(&format.show(number)), Some(number), "{}", pattern);
                prop_assert_eq!(format.show_iso(number), super::tests::format("%Y-%m-%d").show(number));
            }
        }

        #[test]
        fn moments_read_back(micros in -60_000_000_000_000_000i64..250_000_000_000_000_000) {
            let number = micros as f64 / 1e6;
            let format = format("%Y-%m-%dT%H:%M:%S.%f");
            let back = format.parse(&format.show(number)).expect("a moment");
            prop_assert!((back - number).abs() < 1e-4, "{} {}", back, number);
        }

        #[test]
        fn the_nearest_dates_enclose_a_number(number in -7e5f64..2.9e6) {
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
