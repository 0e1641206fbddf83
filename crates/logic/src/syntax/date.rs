//! Dates in expressions: [`literal::show_date`] for years of four digits, as old readers of XML
//! Schema require.

use pellucid_data::literal;

/// Returns a time in seconds as a date, or a date with time; `None` if the year does not have four
/// digits or the text would be parsed as a different number.
#[must_use]
pub(crate) fn text(seconds: f64) -> Option<String> {
    // From the year 1 to the end of 9999.
    let within = (-62_135_596_800.0..253_402_300_800.0).contains(&seconds);
    within.then(|| literal::show_date(seconds))?
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
            (253_402_300_800.0, None),
            (-62_135_596_801.0, None),
            (-1e-20, None),
            (f64::NAN, None),
        ] {
            assert_eq!(text(seconds).as_deref(), expected, "{seconds}");
        }
    }

    proptest! {
        #[test]
        fn round_trips(number in -62_135_596_800.0..253_402_300_800.0f64) {
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
