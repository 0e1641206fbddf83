//! Literals: what they are said to be, and what they are compared with in a condition.

use pellucid_data::Datatype;
use pellucid_program::Value;

use super::vocabulary::Space;
use crate::error::shorten;
use crate::number;

/// What a datatype's IRI means.
pub(super) fn datatype(iri: &str) -> Datatype {
    match Space::of(iri) {
        Some((Space::Xsd, local)) => match local {
            "integer" | "int" | "long" | "short" | "byte" | "nonNegativeInteger"
            | "positiveInteger" | "nonPositiveInteger" | "negativeInteger" | "unsignedInt"
            | "unsignedLong" | "unsignedShort" | "unsignedByte" => Datatype::Integer,
            "double" | "float" | "decimal" => Datatype::Real,
            "boolean" => Datatype::Boolean,
            "date" | "dateTime" | "dateTimeStamp" => Datatype::Date,
            _ => Datatype::Text,
        },
        Some((Space::Owl, "real")) => Datatype::Real,
        _ => Datatype::Text,
    }
}

/// What a condition on a value compares with, or why there is nothing to compare with.
pub(super) fn value(text: &str, datatype: Datatype) -> Result<Value, String> {
    let trimmed = text.trim();
    let misfit = |kind: &str| format!("'{}' is not {kind}", shorten(text));
    match datatype {
        Datatype::Integer | Datatype::Real => {
            number::parse(trimmed).map(Value::Number).ok_or_else(|| misfit("a number"))
        }
        Datatype::Boolean => match trimmed {
            "true" | "1" => Ok(Value::Text("true".to_owned())),
            "false" | "0" => Ok(Value::Text("false".to_owned())),
            _ => Err(misfit("true or false")),
        },
        Datatype::Date => seconds(trimmed).map(Value::Number).ok_or_else(|| misfit("a date")),
        Datatype::Text => Ok(Value::Text(text.to_owned())),
    }
}

/// Seconds since 1970 of `2024-02-29`, `2024-02-29T12:00:00.5` or `2024-02-29T12:00:00+02:00`; no zone is UTC.
fn seconds(text: &str) -> Option<f64> {
    let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (year, rest) = rest.split_once('-')?;
    let (month, rest) = (rest.get(..2)?, rest.get(2..)?.strip_prefix('-')?);
    let (day, rest) = (rest.get(..2)?, rest.get(2..)?);
    let year = whole(year)?;
    let (month, day) = (whole(month)?, whole(day)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || year > 999_999_999 {
        return None;
    }
    let days = days(if negative { -year } else { year }, month, day);
    let (clock, zone) = match rest.strip_prefix('T') {
        Some(rest) => {
            let end = rest.find(['Z', '+', '-']).unwrap_or(rest.len());
            (clock(&rest[..end])?, &rest[end..])
        }
        None => (0.0, rest),
    };
    Some((days * 86_400) as f64 + clock - (offset(zone)? * 60) as f64)
}

/// A number without a sign.
fn whole(text: &str) -> Option<i64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// Seconds since midnight.
fn clock(text: &str) -> Option<f64> {
    let mut parts = text.split(':');
    let (hours, minutes) = (whole(parts.next()?)?, whole(parts.next()?)?);
    let seconds =
        parts.next().filter(|text| text.starts_with(|first: char| first.is_ascii_digit()));
    let seconds = number::parse(seconds?)?;
    let sound = hours <= 24 && minutes < 60 && seconds < 61.0 && parts.next().is_none();
    sound.then(|| (hours * 3600 + minutes * 60) as f64 + seconds)
}

/// Minutes east of Greenwich.
fn offset(zone: &str) -> Option<i64> {
    if zone.is_empty() || zone == "Z" {
        return Some(0);
    }
    let east = zone.starts_with('+');
    let (hours, minutes) = zone.strip_prefix(['+', '-'])?.split_once(':')?;
    let (hours, minutes) = (whole(hours)?, whole(minutes)?);
    let away = (hours <= 14 && minutes < 60).then_some(hours * 60 + minutes)?;
    Some(if east { away } else { -away })
}

/// Days from 1970-01-01 to a day of the Gregorian calendar, of any year; years begin in March, so that the odd day is last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::{seconds, value};
    use pellucid_data::Datatype;
    use pellucid_program::Value;

    #[test]
    fn dates_are_seconds_since_1970() {
        for (text, expected) in [
            ("1970-01-01", Some(0.0)),
            ("1969-12-31", Some(-86_400.0)),
            ("2000-03-01", Some(951_868_800.0)),
            ("2024-02-29T12:00:00.5Z", Some(1_709_208_000.5)),
            ("2024-02-29T12:00:00+02:00", Some(1_709_200_800.0)),
            ("0001-01-01", Some(-62_135_596_800.0)),
            ("-0044-03-15Z", Some(-63_549_360_000.0)),
            ("2024-13-01", None),
            ("2024-1-1", None),
            ("2024-01-01T", None),
            ("2024-01-01T1:00:-5", None),
            ("2024-01-01+99:00", None),
            ("", None),
            ("-", None),
            ("2024-\u{e4}1-01", None),
        ] {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }

    #[test]
    fn values_follow_their_type() {
        assert_eq!(value(" 1.50 ", Datatype::Real), Ok(Value::Number(1.5)));
        assert_eq!(value("1", Datatype::Boolean), Ok(Value::Text("true".to_owned())));
        assert_eq!(value(" x", Datatype::Text), Ok(Value::Text(" x".to_owned())));
        assert!(value("NaN", Datatype::Real).is_err());
        assert!(value("yes", Datatype::Boolean).is_err());
    }
}
