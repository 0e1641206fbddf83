//! What literals are worth: the lexical forms of XML Schema, read as the engine's values.

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
    match trim(written) {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// A point in time as seconds since 1970-01-01T00:00:00Z: `2004-02-29`, `2004-02-29T12:30:00.5+01:00`, `2004-02`, `2004`,
/// each with or without a time zone. Without one it is UTC, and without a time of day midnight.
#[must_use]
pub fn date(written: &str) -> Option<f64> {
    let (rest, zone) = zone(trim(written))?;
    let (day, time) = match rest.split_once('T') {
        Some((day, time)) => (day, seconds(time)?),
        None => (rest, 0.0),
    };
    let (before, day) = match day.strip_prefix('-') {
        Some(day) => (true, day),
        None => (false, day),
    };
    let mut parts = day.split('-');
    let year = parts.next().filter(|year| year.len() >= 4)?;
    let year = i64::from(digits::<i32>(year)?);
    let mut two = |least: u32, most: u32| match parts.next() {
        None => Some(None),
        Some(part) if part.len() == 2 => {
            digits::<u32>(part).filter(|number| (least..=most).contains(number)).map(Some)
        }
        Some(_) => None,
    };
    let (month, day) = (two(1, 12)?, two(1, 31)?);
    // A time of day belongs to a day.
    if parts.next().is_some() || (day.is_none() && rest.contains('T')) {
        return None;
    }
    let (year, month) = (if before { -year } else { year }, month.unwrap_or(1));
    let day = day.unwrap_or(1);
    if day > days_in(year, month) {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "years of nine digits are exact in seconds")]
    let midnight = (days(year, month, day) * 86_400) as f64;
    Some(midnight + time - zone)
}

/// Seconds since 1970-01-01T00:00:00Z as [`date`] reads them: a day alone where it is midnight UTC.
#[must_use]
pub fn show_date(seconds: f64) -> String {
    if !seconds.is_finite() {
        return if seconds > 0.0 { "INF".into() } else { "-INF".into() };
    }
    let day = (seconds / 86_400.0).floor();
    let rest = seconds - day * 86_400.0;
    // Saturates for numbers that no date gives.
    #[expect(clippy::cast_possible_truncation)]
    let (year, month, day) = civil(day as i64);
    let sign = if year < 0 { "-" } else { "" };
    let day = format!("{sign}{:04}-{month:02}-{day:02}", year.unsigned_abs());
    if rest == 0.0 {
        return day;
    }
    let (hours, minutes) = ((rest / 3600.0).floor(), (rest % 3600.0 / 60.0).floor());
    let seconds = rest % 60.0;
    let zero = if seconds < 10.0 { "0" } else { "" };
    format!("{day}T{hours:02}:{minutes:02}:{zero}{seconds}Z")
}

/// White space as XML has it.
fn trim(written: &str) -> &str {
    written.trim_matches([' ', '\t', '\r', '\n'])
}

fn digits<N: std::str::FromStr>(written: &str) -> Option<N> {
    let all = !written.is_empty() && written.bytes().all(|byte| byte.is_ascii_digit());
    all.then(|| written.parse().ok())?
}

/// What stands before the time zone, and the zone in seconds east of UTC.
fn zone(written: &str) -> Option<(&str, f64)> {
    if let Some(rest) = written.strip_suffix('Z') {
        return Some((rest, 0.0));
    }
    let Some((rest, zone)) =
        written.len().checked_sub(6).and_then(|at| written.split_at_checked(at))
    else {
        return Some((written, 0.0));
    };
    let (sign, clock) = match (zone.strip_prefix('+'), zone.strip_prefix('-')) {
        (Some(clock), _) => (1.0, clock),
        (_, Some(clock)) => (-1.0, clock),
        _ => return Some((written, 0.0)),
    };
    let Some((hours, minutes)) = clock.split_once(':') else { return Some((written, 0.0)) };
    let (hours, minutes) = (digits::<u8>(hours)?, digits::<u8>(minutes)?);
    if hours > 14 || minutes > 59 {
        return None;
    }
    Some((rest, sign * (f64::from(hours) * 3600.0 + f64::from(minutes) * 60.0)))
}

/// Seconds since midnight of `12:30:00.5`.
fn seconds(time: &str) -> Option<f64> {
    let mut parts = time.split(':');
    let (hours, minutes) = (digits::<u8>(parts.next()?)?, digits::<u8>(parts.next()?)?);
    let written = parts.next()?;
    let plain = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let seconds: f64 = written.bytes().all(plain).then(|| written.parse().ok())??;
    let within = hours < 24 && minutes < 60 && seconds < 60.0;
    let midnight = hours == 24 && minutes == 0 && seconds == 0.0;
    let known = (within || midnight) && parts.next().is_none();
    known.then(|| f64::from(hours) * 3600.0 + f64::from(minutes) * 60.0 + seconds)
}

fn days_in(year: i64, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01 in the Gregorian calendar: years run from March, so that leap days come last.
fn days(year: i64, month: u32, day: u32) -> i64 {
    let (month, day) = (i64::from(month), i64::from(day));
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day of a number of days since 1970-01-01: [`days`] turned round.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days.saturating_add(719_468);
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, year) = (if month < 10 { month + 3 } else { month - 9 }, year + era * 400);
    (if month <= 2 { year + 1 } else { year }, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_all_their_forms() {
        let good = [
            ("42", 42.0),
            ("+1.5", 1.5),
            (" -3.\n", -3.0),
            (".5", 0.5),
            ("6.02E23", 6.02e23),
            ("1e-2", 0.01),
            ("INF", f64::INFINITY),
            ("-INF", f64::NEG_INFINITY),
            ("007", 7.0),
        ];
        for (written, worth) in good {
            assert_eq!(number(written), Some(worth), "{written}");
        }
        for wrong in ["", "inf", "nan", "1,5", "0x10", "1 2", "e5", "infinity", "one", "--1"] {
            assert_eq!(number(wrong), None, "{wrong}");
        }
        assert!(number("NaN").is_some_and(f64::is_nan));
        assert_eq!(number("-0.0").map(f64::to_bits), Some(0));
    }

    #[test]
    fn truth_has_four_forms() {
        assert_eq!(boolean(" true "), Some(true));
        assert_eq!(boolean("1"), Some(true));
        assert_eq!(boolean("0"), Some(false));
        assert_eq!(boolean("TRUE"), None);
    }

    #[test]
    fn dates_with_and_without_times_and_zones() {
        let good = [
            ("1970-01-01", 0.0),
            ("2000-03-01", 951_868_800.0),
            ("2004-02-29Z", 1_078_012_800.0),
            ("2004-02-29+02:00", 1_078_005_600.0),
            ("2004-02-29T12:30:00.5-01:00", 1_078_061_400.5),
            ("1969-12-31T24:00:00", 0.0),
            ("1970", 0.0),
            ("1971Z", 31_536_000.0),
            ("1970-02", 2_678_400.0),
        ];
        for (written, worth) in good {
            assert_eq!(date(written), Some(worth), "{written}");
        }
        // The year before year 1 is written -0001 or 0000; read by its number, so that order is kept.
        assert!(date("-0044-03-15") < date("0001-01-01"));
        let wrong = [
            "",
            "2004-02-30",
            "2003-02-29",
            "04-01-01",
            "2004-13-01",
            "2004-1-1",
            "2004-01-01T",
            "2004-01T10:00:00",
            "2004-01-01T25:00:00",
            "2004-01-01T10:00",
            "soon",
            "2004-01-01+99:00",
            "é-é-é",
        ];
        for written in wrong {
            assert_eq!(date(written), None, "{written}");
        }
    }

    #[test]
    fn dates_are_shown_as_they_are_read() {
        for written in ["2004-02-29", "1969-12-31", "-0044-03-15", "2004-02-29T12:30:07.5Z"] {
            assert_eq!(show_date(date(written).unwrap()), written);
        }
        assert_eq!(show_date(f64::INFINITY), "INF");
    }

    #[test]
    fn days_follow_each_other() {
        let mut before = days(-401, 12, 31);
        for year in -400..2500 {
            for month in 1..=12 {
                for day in 1..=days_in(year, month) {
                    let next = days(year, month, day);
                    assert_eq!(next, before + 1, "{year}-{month}-{day}");
                    assert_eq!(civil(next), (year, i64::from(month), i64::from(day)));
                    before = next;
                }
            }
        }
        assert_eq!(days(1970, 1, 1), 0);
    }
}
