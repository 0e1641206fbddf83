//! Detects the number format of a file.

use super::record::DelimitedRecord;
use crate::cells::number_form::NumberForm;
use crate::cells::parser::CellParser;
use crate::cells::units;
use crate::source::options::ReadOptions;
use pellucid_data::{Message, is_missing_among_numbers, message, parameter};

/// The formats to try, the simplest first.
const FORMS: [(char, Option<char>); 7] = [
    (',', None),
    (',', Some('.')),
    (',', Some(' ')),
    (',', Some('\'')),
    ('.', Some(',')),
    ('.', Some(' ')),
    ('.', Some('\'')),
];

/// The number of rows to check.
const LOOKED_AT: usize = 200;

/// Whether a text may be a number in another format: it begins with a digit, a sign or a separator,
/// and contains a separator.
fn is_number_like(text: &str) -> bool {
    let digit_first =
        |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b',' | b'.');
    text.as_bytes().first().is_some_and(digit_first)
        && text.contains([',', ' ', '\'', '’', '\u{a0}', '\u{202f}', '.'])
}

/// Returns the format that the caller gave, or else the one in which most text columns of the first
/// rows become numbers and no column of numbers becomes text.
pub(super) fn find(
    rows: &[DelimitedRecord<'_>],
    delimiter: u8,
    options: &ReadOptions,
    parser: &CellParser<'_>,
    notes: &mut Vec<Message>,
) -> NumberForm {
    if options.decimal.is_some() || options.thousands.is_some() {
        let other = if options.thousands == Some('.') { ',' } else { '.' };
        return NumberForm {
            decimal: options.decimal.unwrap_or(other),
            thousands: options.thousands,
        };
    }
    let rows = &rows[..rows.len().min(LOOKED_AT)];
    let columns = rows.first().map_or(0, |row| row.values.len());
    let cells: Vec<Vec<&str>> = (0..columns)
        .map(|column| {
            let values = rows.iter().filter_map(|row| row.values.get(column)).map(AsRef::as_ref);
            let known: Vec<&str> = values
                .filter(|text| !parser.is_missing(text) && !is_missing_among_numbers(text))
                .collect();
            // Numbers with a unit are checked without it.
            match units::common(&known) {
                Some(_) => known
                    .iter()
                    .filter_map(|text| units::split(text))
                    .map(|(bare, _)| bare)
                    .collect(),
                None => known,
            }
        })
        .collect();
    let plain: Vec<bool> =
        cells.iter().map(|cells| are_numbers(cells, NumberForm::default())).collect();
    let grouped = |cells: &[&str]| cells.iter().any(|text| is_number_like(text));
    if !cells.iter().zip(&plain).any(|(cells, &plain)| !plain && grouped(cells)) {
        return NumberForm::default();
    }
    let mut best = (0, NumberForm::default());
    for (decimal, thousands) in FORMS {
        let form = NumberForm { decimal, thousands };
        let now: Vec<bool> = cells.iter().map(|cells| are_numbers(cells, form)).collect();
        let lost = plain.iter().zip(&now).any(|(&before, &now)| before && !now);
        let gained = plain.iter().zip(&now).filter(|&(&before, &now)| !before && now).count();
        if !lost && gained > best.0 {
            best = (gained, form);
        }
    }
    let form = resolve_comma(best.1, &cells, &plain, delimiter, notes);
    if !form.is_plain() {
        let grouped = match form.thousands {
            Some(' ') => " and the thousands separator is a space".to_owned(),
            Some(mark) => format!(" and the thousands separator is '{mark}'"),
            None => String::new(),
        };
        let decimal = form.decimal;
        notes.push(message!(
            "assumed the decimal separator is '{decimal}'{grouped}; use `",
            parameter("decimal"),
            "` or `",
            parameter("thousands"),
            "` to change it"
        ));
    }
    form
}

/// Decides what the comma in `1,234` means. In a file separated by semicolons it is the decimal
/// separator, as in Excel; in a file separated by commas it separates thousands. Otherwise it is
/// ambiguous, and a note says so.
fn resolve_comma(
    form: NumberForm,
    cells: &[Vec<&str>],
    plain: &[bool],
    delimiter: u8,
    notes: &mut Vec<Message>,
) -> NumberForm {
    let thousands = NumberForm { decimal: '.', thousands: Some(',') };
    if form != (NumberForm { decimal: ',', thousands: None }) || delimiter == b';' {
        return form;
    }
    let mut changed =
        cells.iter().zip(plain).filter(|&(cells, &plain)| !plain && are_numbers(cells, form));
    let either = |cells: &Vec<&str>| {
        cells.iter().all(|text| {
            !text.contains(',') || (thousands.parse(text).is_some() && !text.starts_with('0'))
        })
    };
    if !changed.all(|(cells, _)| either(cells)) {
        return form;
    }
    if delimiter == b',' {
        return thousands;
    }
    let example =
        cells.iter().flatten().find(|text| text.contains(',')).copied().unwrap_or_default();
    notes.push(message!(
        "read '{example}' as text, because its comma may separate decimals or thousands; use `",
        parameter("decimal").with(','),
        "` or `",
        parameter("thousands").with(','),
        "` to read it as a number"
    ));
    NumberForm::default()
}

/// Whether nearly all cells are numbers, and at least one is.
fn are_numbers(cells: &[&str], form: NumberForm) -> bool {
    let odd = cells.iter().filter(|text| form.parse(text).is_none()).count();
    let fitting = cells.len() - odd;
    fitting > 0 && (odd * 20 <= cells.len() || (odd == 1 && fitting >= 4))
}
