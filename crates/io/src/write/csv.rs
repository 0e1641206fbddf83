//! CSV with a header: bag, features, target. Numbers are written so that reading them returns the
//! same numbers.

use std::borrow::Cow;
use std::io::Write;

use super::{FileColumns, WriteError, text_of};
use pellucid_data::{CsvQuotes, Dataset, MISSING_MARKS, Values, csv_cell};

/// Writes a data set as CSV with a header: the bag first, the target last.
///
/// To read it back, name the bag column, and declare columns whose categories look like numbers as nominal.
///
/// # Errors
/// Fails if writing fails, if the data set is inconsistent, or if a category looks like a missing value.
pub fn write_csv(data: &Dataset, out: impl Write) -> Result<(), WriteError> {
    write_delimited(data, out, b',')
}

/// Writes a data set like [`write_csv`], with tabs between the values.
///
/// # Errors
/// As [`write_csv`].
pub fn write_tsv(data: &Dataset, out: impl Write) -> Result<(), WriteError> {
    write_delimited(data, out, b'\t')
}

fn write_delimited(data: &Dataset, mut out: impl Write, delimiter: u8) -> Result<(), WriteError> {
    let layout = FileColumns::new(data)?;
    refuse_markers(&layout)?;
    let names = layout.bags.map(|bags| bags.name.as_str()).into_iter();
    let names = names.chain(layout.columns.iter().map(|column| column.name.as_str()));
    let names = names.chain(layout.target.map(|target| target.name.as_str()));
    line(&mut out, delimiter, names.map(cell))?;
    for row in 0..data.rows {
        let bag = layout.bag(row).map(cell).into_iter();
        let features = layout.columns.iter().map(|column| {
            match (&column.values, text_of(&column.values, row)) {
                (Values::Nominal { .. }, Some(Cow::Borrowed(text))) => cell(text),
                (_, text) => text.unwrap_or(Cow::Borrowed("?")),
            }
        });
        line(&mut out, delimiter, bag.chain(features).chain(layout.class(row).map(cell)))?;
    }
    Ok(out.flush()?)
}

fn line<'a>(
    out: &mut impl Write,
    delimiter: u8,
    values: impl Iterator<Item = Cow<'a, str>>,
) -> Result<(), WriteError> {
    for (position, value) in values.enumerate() {
        if position > 0 {
            out.write_all(&[delimiter])?;
        }
        out.write_all(value.as_bytes())?;
    }
    Ok(out.write_all(b"\n")?)
}

/// Quotes a text that would be split, trimmed or unquoted when read.
pub(super) fn cell(text: &str) -> Cow<'_, str> {
    csv_cell(text, CsvQuotes::Doubtful)
}

fn refuse_markers(layout: &FileColumns<'_>) -> Result<(), WriteError> {
    let refuse = |column: &str, texts: &[String]| match texts
        .iter()
        .find(|text| MISSING_MARKS.contains(&text.as_str()))
    {
        Some(text) => Err(WriteError::Ambiguous { column: column.to_owned(), text: text.clone() }),
        None => Ok(()),
    };
    for column in layout.columns {
        if let Values::Nominal { categories, .. } = &column.values {
            refuse(&column.name, categories)?;
        }
    }
    if let Some(bags) = layout.bags {
        refuse(&bags.name, &bags.names)?;
    }
    layout.target.map_or(Ok(()), |target| refuse(&target.name, &target.classes))
}
