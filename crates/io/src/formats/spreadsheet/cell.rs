//! The text of a cell, as a CSV file has it.

use calamine::{Data, ExcelDateTime};

/// Returns the text of a value: numbers in full precision, dates as in ISO 8601, and no line ends.
pub(super) fn text(value: &Data) -> String {
    match value {
        Data::Empty => String::new(),
        Data::Int(number) => number.to_string(),
        Data::Float(number) => number.to_string(),
        Data::Bool(truth) => truth.to_string(),
        Data::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        Data::DateTime(moment) => moment_text(moment),
        Data::DateTimeIso(text) => iso_text(text),
        Data::DurationIso(text) => duration_text(text).unwrap_or_else(|| text.clone()),
        Data::Error(error) => error.to_string(),
    }
}

/// Returns a date, a date with a time, or a time or duration in hours, minutes and seconds.
fn moment_text(moment: &ExcelDateTime) -> String {
    const SECONDS: f64 = 86_400.0;
    let days = moment.as_f64();
    if moment.is_duration() || (0.0..1.0).contains(&days) {
        let seconds = (days * SECONDS).round();
        let (hours, rest) = ((seconds / 3600.0).trunc(), seconds.abs() % 3600.0);
        return format!("{hours:02}:{:02}:{:02}", (rest / 60.0).trunc(), rest % 60.0);
    }
    let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    match (hour, minute, second) {
        (0, 0, 0) => date,
        (hour, minute, second) => format!("{date} {hour:02}:{minute:02}:{second:02}"),
    }
}

/// Returns a date of a text document without a time of midnight, which programs add.
fn iso_text(text: &str) -> String {
    let date = text.strip_suffix("T00:00:00").unwrap_or(text);
    date.replacen('T', " ", 1)
}

/// Returns a duration such as `PT12H30M00S` as `12:30:00`.
fn duration_text(text: &str) -> Option<String> {
    let rest = text.strip_prefix("PT")?;
    let (hours, rest) = rest.split_once('H')?;
    let (minutes, rest) = rest.split_once('M')?;
    let seconds = rest.strip_suffix('S')?;
    let whole = seconds.split(['.', ',']).next()?;
    Some(format!("{hours:0>2}:{minutes:0>2}:{whole:0>2}"))
}

#[cfg(test)]
mod tests {
    use super::text;
    use calamine::{Data, ExcelDateTime, ExcelDateTimeType};

    #[test]
    fn values_are_written_as_in_csv() {
        let date =
            |value| Data::DateTime(ExcelDateTime::new(value, ExcelDateTimeType::DateTime, false));
        for (value, expected) in [
            (Data::Float(3.0), "3"),
            (Data::Float(0.1), "0.1"),
            (Data::Bool(true), "true"),
            (Data::String(" two\nlines ".to_owned()), "two lines"),
            (date(45_352.0), "2024-03-01"),
            (date(45_352.5), "2024-03-01 12:00:00"),
            (date(0.25), "06:00:00"),
            (Data::DateTimeIso("2024-03-01T00:00:00".to_owned()), "2024-03-01"),
            (Data::DateTimeIso("2024-03-01T08:30:00".to_owned()), "2024-03-01 08:30:00"),
            (Data::DurationIso("PT36H05M07S".to_owned()), "36:05:07"),
            (Data::Empty, ""),
        ] {
            assert_eq!(text(&value), expected, "{value:?}");
        }
    }
}
