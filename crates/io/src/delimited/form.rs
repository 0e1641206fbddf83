//! How the numbers of a file are written, where its cells make that plain.

use super::record::DelimitedRecord;
use crate::missing::Markers;
use crate::number_form::NumberForm;
use crate::options::ReadOptions;
use crate::units;
use pellucid_data::is_missing_among_numbers;

/// The forms that are tried, the plainest first.
const FORMS: [(char, Option<char>); 7] = [
    (',', None),
    (',', Some('.')),
    (',', Some(' ')),
    (',', Some('\'')),
    ('.', Some(',')),
    ('.', Some(' ')),
    ('.', Some('\'')),
];

/// Rows that are looked at.
const LOOKED_AT: usize = 200;

/// Whether a text may be a number in another form: it begins with a digit, a sign or a mark, and holds a mark.
fn is_number_like(text: &str) -> bool {
    let digit_first =
        |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b',' | b'.');
    text.as_bytes().first().is_some_and(digit_first)
        && text.contains([',', ' ', '\'', '’', '\u{a0}', '\u{202f}', '.'])
}

/// What was told, or what the first rows make plain: a form that turns columns of words into columns of numbers and no column
/// of numbers into words.
pub(super) fn find(
    rows: &[DelimitedRecord<'_>],
    delimiter: u8,
    options: &ReadOptions,
    markers: &Markers<'_>,
    notes: &mut Vec<String>,
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
                .filter(|text| !markers.contain(text) && !is_missing_among_numbers(text))
                .collect();
            // Numbers with a unit are looked at without it.
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
    let form = settled(best.1, &cells, &plain, delimiter, notes);
    if !form.is_plain() {
        let grouped = match form.thousands {
            Some(' ') => " and blanks between thousands".to_owned(),
            Some(mark) => format!(" and '{mark}' between thousands"),
            None => String::new(),
        };
        notes.push(format!("numbers were read with a decimal '{}'{grouped}", form.decimal));
    }
    form
}

/// `1,234` alone may be either; Excel writes semicolons where the comma is in numbers, and a comma in a file of commas is
/// the thousands' one. Otherwise nobody can tell, and that is said.
fn settled(
    form: NumberForm,
    cells: &[Vec<&str>],
    plain: &[bool],
    delimiter: u8,
    notes: &mut Vec<String>,
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
    notes.push(format!(
        "whether '{example}' has a fraction or thousands cannot be told, so it was taken as a word; `decimal ,` or `thousands ,` says it"
    ));
    NumberForm::default()
}

/// Whether nearly all cells are numbers, as far as there are any.
fn are_numbers(cells: &[&str], form: NumberForm) -> bool {
    let odd = cells.iter().filter(|text| form.parse(text).is_none()).count();
    let fitting = cells.len() - odd;
    fitting > 0 && (odd * 20 <= cells.len() || (odd == 1 && fitting >= 4))
}
