//! Days and times as seconds since the start of 1970, and back.
//!
//! The calendar is the Gregorian one, in both directions of time, as XML Schema has it. A time without a zone is UTC.

/// Seconds since 1970-01-01T00:00:00Z of an `xsd:date` or `xsd:dateTime`.
#[must_use]
pub(crate) fn seconds(text: &str) -> Option<f64> {
    let text = text.trim();
    let (day, time) = text.split_once('T').map_or((text, None), |(day, time)| (day, Some(time)));
    let Some(time) = time else {
        let (day, zone) = zoned(day, 10);
        return Some(days(day)? * 86_400.0 - zone?);
    };
    let (time, zone) = zoned(time, 8);
    let mut parts = time.split(':');
    let (hour, minute, second) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || hour.len() != 2 || minute.len() != 2 {
        return None;
    }
    let (whole, fraction) = second.split_at_checked(2)?;
    let fraction = match fraction {
        "" => 0.0,
        _ if fraction.len() > 1 && fraction.starts_with('.') && is_digits(&fraction[1..]) => {
            format!("0{fraction}").parse::<f64>().ok()?
        }
        _ => return None,
    };
    let clock = within(hour, 24)? * 3600.0 + within(minute, 59)? * 60.0 + within(whole, 60)?;
    // Hour 24 is the end of the day and nothing after it.
    if clock + fraction > 86_400.0 {
        return None;
    }
    Some(days(day)? * 86_400.0 + clock - zone? + fraction)
}

/// The date, or date with time, that so many seconds are; nothing where four digits of a year do not reach, or where the
/// text would not be read back as the same number.
#[must_use]
pub(crate) fn text(seconds: f64) -> Option<String> {
    // From the year 1 to the end of 9999.
    if !(-62_135_596_800.0..253_402_300_800.0).contains(&seconds) {
        return None;
    }
    let whole = seconds.floor();
    let fraction = seconds - whole;
    let day = (whole / 86_400.0).floor();
    // In range, as was checked above.
    #[expect(clippy::cast_possible_truncation)]
    let (day_number, clock) = (day as i64, (whole - day * 86_400.0) as i64);
    let mut text = civil(day_number);
    if clock != 0 || fraction != 0.0 {
        let (hour, minute, second) = (clock / 3600, clock / 60 % 60, clock % 60);
        text += &format!("T{hour:02}:{minute:02}:{second:02}");
        if fraction != 0.0 {
            text.push_str(format!("{fraction}").strip_prefix('0')?);
        }
        text.push('Z');
    }
    (self::seconds(&text) == Some(seconds)).then_some(text)
}

/// Splits what follows a fixed part off as a zone, in seconds east of UTC.
fn zoned(text: &str, least: usize) -> (&str, Option<f64>) {
    if let Some(day) = text.strip_suffix('Z') {
        return (day, Some(0.0));
    }
    let Some(at) = text.rfind(['+', '-']).filter(|&at| at >= least) else {
        return (text, Some(0.0));
    };
    let (rest, zone) = text.split_at(at);
    let sign = if zone.starts_with('-') { -1.0 } else { 1.0 };
    let offset = zone[1..].split_once(':').and_then(|(hours, minutes)| {
        (hours.len() == 2 && minutes.len() == 2).then_some(())?;
        Some(sign * (within(hours, 14)? * 3600.0 + within(minutes, 59)? * 60.0))
    });
    (rest, offset)
}

fn within(digits: &str, most: u32) -> Option<f64> {
    let number = is_digits(digits).then(|| digits.parse::<u32>().ok()).flatten()?;
    (number <= most).then_some(f64::from(number))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Days from 1970-01-01 to a date as `[-]yyyy-mm-dd`.
fn days(text: &str) -> Option<f64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let mut parts = digits.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || year.len() < 4 || month.len() != 2 || day.len() != 2 {
        return None;
    }
    if ![year, month, day].into_iter().all(is_digits) {
        return None;
    }
    let year = sign * year.parse::<i64>().ok().filter(|&year| year < 1_000_000_000)?;
    let (month, day) = (month.parse::<i64>().ok()?, day.parse::<i64>().ok()?);
    if !(1..=12).contains(&month) || day < 1 || day > month_length(year, month) {
        return None;
    }
    // Years are counted from March, so that the leap day is the last of its year; eras are 400 years.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let number = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    // Below 2^53 by far.
    #[expect(clippy::cast_precision_loss)]
    Some(number as f64)
}

fn month_length(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The date of a day counted from 1970-01-01; the reverse of [`days`].
fn civil(day: i64) -> String {
    let day = day + 719_468;
    let (era, of_era) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day_of_month = of_year - (153 * shifted + 2) / 5 + 1;
    let month = (shifted + 2) % 12 + 1;
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day_of_month:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_days() {
        assert_eq!(seconds("1970-01-01"), Some(0.0));
        assert_eq!(seconds("2020-01-01"), Some(1_577_836_800.0));
        assert_eq!(seconds("2000-02-29T12:00:00Z"), Some(951_825_600.0));
        assert_eq!(seconds("1999-12-31T23:30:00-01:00"), Some(946_686_600.0));
        assert_eq!(seconds("1969-12-31T23:59:59.5"), Some(-0.5));
        for wrong in ["2021-02-29", "2020-1-1", "2020-13-01", "noon", "", "2020-01-01T25:00:00"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn days_follow_each_other() {
        // Every day of four centuries, by counting.
        let mut date = (1800, 1, 1);
        let first = seconds("1800-01-01").unwrap_or_default();
        for number in 0..146_097 {
            let (year, month, day) = date;
            let written = format!("{year:04}-{month:02}-{day:02}");
            let expected = first + f64::from(number) * 86_400.0;
            assert_eq!(seconds(&written), Some(expected), "{written}");
            assert_eq!(text(expected), Some(written));
            date = if day < month_length(year, month) {
                (year, month, day + 1)
            } else if month < 12 {
                (year, month + 1, 1)
            } else {
                (year + 1, 1, 1)
            };
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(number in -62_135_596_800.0..253_402_300_800.0f64) {
            if let Some(text) = text(number) {
                prop_assert_eq!(seconds(&text), Some(number));
            }
            prop_assert!(text(number.round()).is_some());
        }
    }
}
