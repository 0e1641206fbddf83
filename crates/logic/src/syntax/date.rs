//! Seconds since the start of 1970 as days and times; the reverse of [`kb::literal::date`](crate::kb::literal::date).

use crate::kb::literal;

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
    (literal::date(&text) == Some(seconds)).then_some(text)
}

/// The date of a day counted from 1970-01-01. Years run from March, so that leap days come last; eras are 400 years.
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
    fn known_times() {
        for (seconds, expected) in [
            (0.0, Some("1970-01-01")),
            (1_577_836_800.0, Some("2020-01-01")),
            (951_825_600.0, Some("2000-02-29T12:00:00Z")),
            (-0.5, Some("1969-12-31T23:59:59.5Z")),
            (1e18, None),
            (-1e-20, None),
            (f64::NAN, None),
        ] {
            assert_eq!(text(seconds).as_deref(), expected, "{seconds}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(number in -62_135_596_800.0..253_402_300_800.0f64) {
            if let Some(text) = text(number) {
                prop_assert_eq!(literal::date(&text), Some(number));
            }
            prop_assert!(text(number.floor()).is_some());
        }

        #[test]
        fn every_day_has_a_date(day in -719_162i64..2_932_897) {
            #[expect(clippy::cast_precision_loss)]
            let seconds = (day * 86_400) as f64;
            let text = text(seconds);
            prop_assert_eq!(text.as_deref().map(str::len), Some(10));
            prop_assert_eq!(text.as_deref().and_then(literal::date), Some(seconds));
        }
    }
}
