//! Parses the lexical forms of XML Schema literals.
//!
//! The readers of ontologies and of class expressions share this module, so that they agree. A date
//! is a number, the seconds since the start of 1970, so that dates are compared like numbers; the
//! calendar is that of `oxsdatatypes`.

use super::Datatype;
use oxsdatatypes::{Boolean, Date, DateTime, DayTimeDuration, GYear, GYearMonth, TimezoneOffset};
use std::borrow::Cow;

/// Returns the datatype with an XML Schema name, without the namespace; `None` for texts.
#[must_use]
pub fn datatype(name: &str) -> Option<Datatype> {
    match name {
        "integer" | "int" | "long" | "short" | "byte" | "nonNegativeInteger"
        | "positiveInteger" | "nonPositiveInteger" | "negativeInteger" | "unsignedLong"
        | "unsignedInt" | "unsignedShort" | "unsignedByte" => Some(Datatype::Integer),
        "double" | "float" | "decimal" => Some(Datatype::Real),
        "boolean" => Some(Datatype::Boolean),
        "date" | "dateTime" | "dateTimeStamp" => Some(Datatype::Date),
        _ => None,
    }
}

/// Parses a number: `42`, `+1.5`, `-3.`, `.5`, `6.02E23`, `INF`, `-INF` or `NaN`.
#[must_use]
pub fn number(written: &str) -> Option<f64> {
    let written = trim(written);
    match written {
        "INF" | "+INF" => return Some(f64::INFINITY),
        "-INF" => return Some(f64::NEG_INFINITY),
        "NaN" => return Some(f64::NAN),
        _ => {}
    }
    // Rust also parses `inf`, `infinity` and `nan`, which XML Schema does not have.
    let plain = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    let number: f64 = written.bytes().all(plain).then(|| written.parse().ok())??;
    // Turns -0 into 0.
    Some(number + 0.0)
}

/// Parses a Boolean: `true`, `false`, `1` or `0`.
#[must_use]
pub fn boolean(written: &str) -> Option<bool> {
    trim(written).parse::<Boolean>().ok().map(bool::from)
}

/// Parses a date or time as seconds since 1970-01-01T00:00:00Z: `2004-02-29`,
/// `2004-02-29T12:30:00.5+01:00`, `2004-02` or `2004`, each with or without a time zone. The
/// default zone is UTC, and the default time is midnight.
///
/// ```
/// use pellucid_data::literal::date;
///
/// assert_eq!(date("1970-01-02"), Some(86_400.0));
/// assert_eq!(date("1970-01-01T01:00:00.5+01:00"), Some(0.5));
/// assert_eq!(date("2003-02-29"), None);
/// ```
#[must_use]
pub fn date(written: &str) -> Option<f64> {
    let written = with_few_digits(trim(written));
    let time: Option<DateTime> = written.parse().ok();
    let time = time.or_else(|| {
        let day: Option<Date> = written.parse().ok();
        DateTime::try_from(day.or_else(|| first_day(&written))?).ok()
    })?;
    let zone = time.timezone_offset().unwrap_or(TimezoneOffset::UTC);
    let zone = f64::from(i16::from_be_bytes(zone.to_be_bytes())) * 60.0;
    // The local time, as written.
    let local = time.adjust(None)?;
    let days = Date::try_from(local).ok()?.checked_sub(epoch()?)?.days();
    // Parsing the decimal as text rounds only once.
    let second: f64 = local.second().to_string().parse().ok()?;
    let clock = f64::from(local.hour()) * 3600.0 + f64::from(local.minute()) * 60.0 + second;
    #[expect(clippy::cast_precision_loss, reason = "years of nine digits are exact in seconds")]
    let midnight = days as f64 * 86_400.0;
    Some(midnight + clock - zone)
}

/// Formats seconds since 1970-01-01T00:00:00Z so that [`date`] returns the same number; only the
/// day if it is midnight UTC. Returns `None` if no date has that number.
#[must_use]
pub fn show_date(seconds: f64) -> Option<String> {
    let whole = seconds.floor();
    let fraction = seconds - whole;
    let day = (whole / 86_400.0).floor();
    // Saturates far beyond all dates, and then the check at the end fails.
    #[expect(clippy::cast_possible_truncation)]
    let (midnight, clock) = (day as i64, (whole - day * 86_400.0) as i64);
    let since = DayTimeDuration::new(midnight.checked_mul(86_400)?);
    let mut text = epoch()?.checked_add_day_time_duration(since)?.to_string();
    if clock != 0 || fraction != 0.0 {
        let (hour, minute, second) = (clock / 3600, clock / 60 % 60, clock % 60);
        text += &format!("T{hour:02}:{minute:02}:{second:02}");
        if fraction != 0.0 {
            text.push_str(format!("{fraction}").strip_prefix('0')?);
        }
        text.push('Z');
    }
    (date(&text) == Some(seconds)).then_some(text)
}

/// Returns the day from which others are counted, without a zone.
fn epoch() -> Option<Date> {
    "1970-01-01".parse().ok()
}

/// Parses a month or a year, `2004-02Z` or `2004`, as its first day.
fn first_day(written: &str) -> Option<Date> {
    let month: Option<GYearMonth> = written.parse().ok();
    let (text, zone) = match month {
        Some(month) => (format!("{}-01", month.adjust(None)?), month.timezone_offset()),
        None => {
            let year: GYear = written.parse().ok()?;
            (format!("{}-01-01", year.adjust(None)?), year.timezone_offset())
        }
    };
    let zone = zone.map_or_else(String::new, |zone| zone.to_string());
    format!("{text}{zone}").parse().ok()
}

/// Cuts the fraction of a second to eighteen digits, the precision of the parser.
fn with_few_digits(written: &str) -> Cow<'_, str> {
    const MOST: usize = 18;
    let Some((before, after)) = written.split_once('.') else { return Cow::Borrowed(written) };
    let digits = after.bytes().take_while(u8::is_ascii_digit).count();
    if digits <= MOST {
        return Cow::Borrowed(written);
    }
    Cow::Owned(format!("{before}.{}{}", &after[..MOST], &after[digits..]))
}

/// Removes XML white space at both ends.
fn trim(written: &str) -> &str {
    written.trim_matches([' ', '\t', '\r', '\n'])
}

#[cfg(test)]
mod tests;
