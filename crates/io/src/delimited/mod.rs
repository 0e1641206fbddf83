//! Delimited text: CSV, TSV, space-separated tables, and the UCI form of Musk, which is CSV with fixed roles.

mod fill;
pub(crate) mod guess;
pub(crate) mod record;
mod uci;

use fill::RecordLayout;
use record::DelimitedRecord;

use crate::assemble::{Parts, Places};
use crate::error::{Place, ReadError, ReadProblem};
use crate::missing::Markers;
use crate::options::{Format, ReadOptions};
use crate::roles::{self, ColumnRole, Suggestions};
use pellucid_data::Column;

/// Reads delimited text; `extension` is that of the file's name in lower case.
pub(crate) fn read(
    text: &str,
    name: &str,
    extension: &str,
    options: &ReadOptions,
) -> Result<Parts, ReadError> {
    let mut notes = Vec::new();
    let markers = Markers::new(&options.missing);
    let dialect = guess::dialect(text, extension, options, &mut notes)?;
    let max_record_bytes = options.limits.max_line_bytes;
    let mut sample = guess::sample(text, dialect, max_record_bytes)?;
    let Some(first) = sample.first() else { return Err(ReadProblem::Empty.into()) };

    let uci = match options.format {
        Some(Format::Uci) => uci::check(first).map(|()| true)?,
        Some(_) => false,
        None => uci::recognise(first),
    };
    let header = !uci && guess::has_header(&sample, options.header, &markers, &mut notes);
    let trailing = !dialect.by_blanks() && first.values.len() > 1 && sample.iter().all(ends_empty);
    if trailing {
        notes.push("every line ends with a delimiter, which was ignored".to_owned());
    }
    let columns = first.values.len() - usize::from(trailing);
    let layout =
        RecordLayout { dialect, max_record_bytes, header, columns, trailing, dotted_class: uci };
    let (names, suggestions) = if uci {
        notes.push(
            "the file has the form of UCI's clean1: molecule, conformation, numbers, class"
                .to_owned(),
        );
        (uci::names(columns), uci::suggestions(columns))
    } else {
        let names = names(first, header, columns, &mut notes);
        let suggestions = Suggestions {
            target: roles::by_name(&names),
            target_last: true,
            ..Suggestions::default()
        };
        (names, suggestions)
    };
    roles::check_names(&names)
        .map_err(|problem| ReadError::at(Place::Line(first.line), problem))?;
    let roles = roles::assign(&names, options, suggestions, &mut notes)?;

    if header {
        sample.remove(0);
    }
    let nominal: Vec<bool> = (0..columns)
        .map(|column| {
            let mut values = sample.iter().filter_map(|record| record.values.get(column));
            values.any(|value| markers.number(value).is_none())
        })
        .collect();
    let filled = fill::fill(text, &layout, &roles, &nominal, &markers, options.cores())?;
    let columns: Vec<(ColumnRole, Column)> = roles
        .into_iter()
        .zip(names)
        .zip(filled.values)
        .filter_map(|((role, name), values)| Some((role, Column { name, values: values? })))
        .collect();
    let rows = filled.lines.len();
    Ok(Parts { name: name.to_owned(), columns, rows, places: Places::Lines(filled.lines), notes })
}

fn ends_empty(record: &DelimitedRecord<'_>) -> bool {
    record.values.last().is_some_and(|value| value.is_empty())
}

/// The names in the header, or `x1`, `x2`, … where there is none.
fn names(
    first: &DelimitedRecord<'_>,
    header: bool,
    columns: usize,
    notes: &mut Vec<String>,
) -> Vec<String> {
    let numbered = |column: usize| format!("x{}", column + 1);
    if !header {
        return (0..columns).map(numbered).collect();
    }
    let named = first.values.iter().take(columns).enumerate().map(|(column, name)| {
        if name.is_empty() {
            notes.push(format!(
                "column {} has no name and is called '{}'",
                column + 1,
                numbered(column)
            ));
            numbered(column)
        } else {
            name.to_string()
        }
    });
    named.collect()
}
