//! Delimited text: CSV, TSV, space-separated tables, and the UCI form of Musk, which is CSV with fixed roles.

mod fill;
mod form;
pub(crate) mod guess;
pub(crate) mod record;
mod uci;

use fill::RecordLayout;
use record::DelimitedRecord;

use crate::assemble::{Part, Parts, Places};
use crate::error::{Place, ReadError, ReadProblem};
use crate::identify::perhaps_bag;
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
    let markers = Markers::new(options);
    let dialect = guess::dialect(text, extension, options, &mut notes)?;
    let max_record_bytes = options.limits.max_line_bytes;
    let mut sample = guess::sample(text, dialect, max_record_bytes)?;
    let Some(first) = sample.first() else { return Err(ReadProblem::Empty.into()) };

    let uci = match options.format {
        Some(Format::Uci) => uci::check(first).map(|()| true)?,
        Some(_) => false,
        None => uci::recognise(first),
    };
    let below = if sample.len() > 1 { &sample[1..] } else { &sample[..] };
    let form = form::find(below, dialect.delimiter, options, &markers, &mut notes);
    let markers = markers.with_form(form);
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
    let may_be_bag = !uci && roles.of[0] == ColumnRole::Feature && perhaps_bag(&names[0], options);
    let nominal: Vec<bool> = (0..columns)
        .map(|column| {
            let values = sample.iter().filter_map(|record| record.values.get(column));
            (column == 0 && may_be_bag) || are_words(values.map(AsRef::as_ref), &markers)
        })
        .collect();
    let filled = fill::fill(text, &layout, &roles.of, &nominal, &markers, options.cores())?;
    let mut columns = Vec::with_capacity(names.len());
    let found = filled.values.into_iter().zip(filled.misfits).zip(&names);
    for (place, ((values, misfits), name)) in found.enumerate() {
        if let Some(values) = values {
            let column = Column { name: name.clone(), values };
            let mut part = Part::new(&roles, place, column);
            part.misfits = misfits;
            part.perhaps_bag = place == 0 && may_be_bag;
            columns.push(part);
        }
    }
    Ok(Parts {
        name: name.to_owned(),
        columns,
        rows: filled.lines.len(),
        places: Places::Lines(filled.lines),
        notes,
        form,
        first_is_first: !uci && roles.of[0] != ColumnRole::Ignored,
        guessed_target: roles.guessed_target,
        names,
    })
}

/// Whether most of a column's first cells are words.
fn are_words<'a>(values: impl Iterator<Item = &'a str>, markers: &Markers<'_>) -> bool {
    let (mut words, mut numbers) = (0, 0);
    for value in values {
        match markers.number(value) {
            None => words += 1,
            Some(number) => numbers += usize::from(!number.is_nan()),
        }
    }
    words > numbers
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
