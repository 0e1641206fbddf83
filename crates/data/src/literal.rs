//! What literals are worth: the lexical forms of XML Schema as the engine's values.
//!
//! Readers of ontologies and whoever reads class expressions must agree on them, so they are read here, once. A date is a
//! number, seconds since the start of 1970, so that it is compared as numbers are; the calendar is that of `oxsdatatypes`.

use super::Datatype;
use oxsdatatypes::{Boolean, Date, DateTime, DayTimeDuration, GYear, GYearMonth, TimezoneOffset};
use std::borrow::Cow;

/// What a datatype of XML Schema holds, by its name without the namespace; nothing for those that hold texts.
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

/// A number, whole or not: `42`, `+1.5`, `-3.`, `.5`, `6.02E23`, `INF`, `-INF`. `NaN` is read as the number that is none.
#[must_use]
pub fn number(written: &str) -> Option<f64> {
    let written = trim(written);
    match written {
        "INF" | "+INF" => return Some(f64::INFINITY),
        "-INF" => return Some(f64::NEG_INFINITY),
        "NaN" => return Some(f64::NAN),
        _ => {}
    }
    // Rust also reads `inf`, `infinity` and `nan`, which XML Schema does not have.
    let plain = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    let number: f64 = written.bytes().all(plain).then(|| written.parse().ok())??;
    // There is one zero.
    Some(number + 0.0)
}

/// A truth value: `true`, `false`, `1` or `0`.
#[must_use]
pub fn boolean(written: &str) -> Option<bool> {
    trim(written).parse::<Boolean>().ok().map(bool::from)
}

/// A point in time as seconds since 1970-01-01T00:00:00Z: `2004-02-29`, `2004-02-29T12:30:00.5+01:00`, `2004-02`, `2004`,
/// each with or without a time zone. Without one it is UTC, and without a time of day midnight.
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
    // As it is written, wherever that is.
    let local = time.adjust(None)?;
    let days = Date::try_from(local).ok()?.checked_sub(epoch()?)?.days();
    // Read as text, a decimal is rounded once.
    let second: f64 = local.second().to_string().parse().ok()?;
    let clock = f64::from(local.hour()) * 3600.0 + f64::from(local.minute()) * 60.0 + second;
    #[expect(clippy::cast_precision_loss, reason = "years of nine digits are exact in seconds")]
    let midnight = days as f64 * 86_400.0;
    Some(midnight + clock - zone)
}

/// Seconds since 1970-01-01T00:00:00Z as text that [`date`] reads as the same number: a day alone where it is midnight UTC.
/// Nothing where no date is that number.
#[must_use]
pub fn show_date(seconds: f64) -> Option<String> {
    let whole = seconds.floor();
    let fraction = seconds - whole;
    let day = (whole / 86_400.0).floor();
    // Saturates far beyond all dates, and then no text is the same number.
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

/// The day from which others are counted, without a zone.
fn epoch() -> Option<Date> {
    "1970-01-01".parse().ok()
}

/// The first day of a month or a year, `2004-02Z` or `2004`.
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

/// The same with at most eighteen digits of a second's fraction, which is all that is kept of them.
fn with_few_digits(written: &str) -> Cow<'_, str> {
    const MOST: usize = 18;
    let Some((before, after)) = written.split_once('.') else { return Cow::Borrowed(written) };
    let digits = after.bytes().take_while(u8::is_ascii_digit).count();
    if digits <= MOST {
        return Cow::Borrowed(written);
    }
    Cow::Owned(format!("{before}.{}{}", &after[..MOST], &after[digits..]))
}

/// White space as XML has it.
fn trim(written: &str) -> &str {
    written.trim_matches([' ', '\t', '\r', '\n'])
}

#[cfg(test)]
mod tests;
