use super::*;
use proptest::prelude::*;

#[test]
fn numbers_are_parsed() {
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
fn booleans_are_parsed() {
    assert_eq!(boolean(" true "), Some(true));
    assert_eq!(boolean("1"), Some(true));
    assert_eq!(boolean("0"), Some(false));
    assert_eq!(boolean("TRUE"), None);
}

#[test]
fn dates_with_and_without_times_and_zones() {
    let good = [
        ("1970-01-01", 0.0),
        ("1969-12-31", -86_400.0),
        ("2000-03-01", 951_868_800.0),
        ("2004-02-29Z", 1_078_012_800.0),
        ("2004-02-29+02:00", 1_078_005_600.0),
        ("2004-02-29T12:30:00.5-01:00", 1_078_061_400.5),
        ("1969-12-31T24:00:00", 0.0),
        (" 1970\n", 0.0),
        ("1971Z", 31_536_000.0),
        ("1970+01:00", -3600.0),
        ("1970-02", 2_678_400.0),
        ("1970-02-05:00", 2_678_400.0 + 18_000.0),
        ("0001-01-01", -62_135_596_800.0),
        ("-0044-03-15Z", -63_549_360_000.0),
        ("12024-01-01", 317_273_587_200.0),
    ];
    for (written, worth) in good {
        assert_eq!(date(written), Some(worth), "{written}");
    }
    // The year before year 1 is -0001 or 0000; parsing it as a number keeps the order.
    assert!(date("-0044-03-15") < date("0001-01-01"));
    let wrong = [
        "",
        "-",
        "2004-02-30",
        "2003-02-29",
        "04-01-01",
        "2004-13-01",
        "2004-1-1",
        "2004-01-01T",
        "2004-01T10:00:00",
        "2004-01-01T25:00:00",
        "2004-01-01T24:00:01",
        "2004-01-01T10:00",
        "2024-01-01T1:00:-5",
        "soon",
        "2004-01-01+99:00",
        "é-é-é",
        "2024-\u{e4}1-01",
        "99999999999999999999-01-01",
    ];
    for written in wrong {
        assert_eq!(date(written), None, "{written}");
    }
}

#[test]
fn dates_are_formatted() {
    for written in
        ["2004-02-29", "1969-12-31", "-0044-03-15", "12024-01-01", "2004-02-29T12:30:07.5Z"]
    {
        assert_eq!(date(written).and_then(show_date).as_deref(), Some(written));
    }
    for none in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MAX, -1e-20] {
        assert_eq!(show_date(none), None, "{none}");
    }
}

/// Days since 1970-01-01 in the Gregorian calendar: years run from March, so that leap days come last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Compares with a formula for the calendar.
    #[test]
    fn dates_are_those_of_the_calendar(
        year in prop_oneof![-9999i64..=9999, -400_000_000i64..400_000_000],
        (month, day) in (1i64..=12, 1i64..=28),
        clock in prop::option::of((0u8..24, 0u8..60, 0u8..60, "(\\.[0-9]{1,25})?")),
        zone in prop::option::of((any::<bool>(), 0i32..14, 0i32..60)),
    ) {
        let sign = if year < 0 { "-" } else { "" };
        let mut text = format!("{sign}{:04}-{month:02}-{day:02}", year.abs());
        let mut seconds = 0.0;
        if let Some((hour, minute, second, fraction)) = clock {
            text += &format!("T{hour:02}:{minute:02}:{second:02}{fraction}");
            seconds = f64::from(hour) * 3600.0 + f64::from(minute) * 60.0
                + format!("{second}{fraction}").parse::<f64>().unwrap();
        }
        let mut east = 0;
        if let Some((is_east, hours, minutes)) = zone {
            text += &format!("{}{hours:02}:{minutes:02}", if is_east { '+' } else { '-' });
            east = (hours * 60 + minutes) * if is_east { 60 } else { -60 };
        }
        #[expect(clippy::cast_precision_loss)]
        let expected = (days(year, month, day) * 86_400) as f64 + seconds - f64::from(east);
        prop_assert_eq!(date(&text).map(f64::to_bits), Some(expected.to_bits()), "{}", text);
    }

    /// Accepts exactly the days that exist.
    #[test]
    fn months_have_their_lengths(year in 0i64..10_000, month in 1i64..=12, day in 1i64..=31) {
        let next = if month == 12 { days(year + 1, 1, 1) } else { days(year, month + 1, 1) };
        let is_there = days(year, month, day) < next;
        prop_assert_eq!(date(&format!("{year:04}-{month:02}-{day:02}")).is_some(), is_there);
    }

    #[test]
    fn formatted_dates_round_trip(number in -1e13..1e13f64) {
        if let Some(text) = show_date(number) {
            prop_assert_eq!(date(&text), Some(number));
        }
        prop_assert!(show_date(number.floor()).is_some());
    }

    #[test]
    fn any_text_is_accepted_without_a_panic(text in "[-+0-9TZ:.]{0,30}|\\PC{0,12}") {
        let _ = (date(&text), number(&text), boolean(&text));
    }
}
