//! Delimited text: CSV, TSV, space-separated tables, and the UCI format of Musk, which is CSV with
//! fixed roles.

mod fill;
mod form;
pub(crate) mod guess;
pub(crate) mod record;
pub(crate) mod span;
mod uci;

use fill::{FilledColumns, RecordLayout};
use record::{CsvDialect, DelimitedRecord};
use span::TextSpan;

use crate::cells::parser::CellParser;
use crate::columns::bags::may_name_bags;
use crate::columns::parsed::{ParsedColumn, ParsedTable, RowPositions};
use crate::columns::roles::{self, AssignedRole, Suggestions};
use crate::source::error::{Position, ReadError, ReadProblem};
use crate::source::options::{Format, Header, ReadOptions};
use pellucid_data::{Column, Message, message};
use std::collections::HashSet;

/// Reads delimited text; `extension` is the lower-case extension of the file.
pub(crate) fn read(
    text: &str,
    name: &str,
    extension: &str,
    options: &ReadOptions,
) -> Result<ParsedTable, ReadError> {
    let mut notes = Vec::new();
    let parser = CellParser::new(options);
    let (mut span, dialect, is_noted) = find_table(text, extension, options, &parser, &mut notes)?;
    let max_record_bytes = options.limits.max_line_bytes;
    let mut sample = guess::sample(span, dialect, max_record_bytes)?;
    let Some(first) = sample.first() else { return Err(ReadProblem::Empty.into()) };

    let uci = match options.format {
        Some(Format::Uci) => uci::check(first).map(|()| true)?,
        Some(_) => false,
        None => uci::recognise(first),
    };
    let below = if sample.len() > 1 { &sample[1..] } else { &sample[..] };
    let form = form::find(below, dialect.delimiter, options, &parser, &mut notes);
    let parser = parser.with_form(form);
    let header = !uci && guess::has_header(&sample, options, &parser, is_noted, &mut notes);
    let trailing = empty_at_the_end(&sample, dialect, &mut notes);
    let columns = first.values.len() - trailing;
    if !uci {
        let rows = &sample[usize::from(header)..];
        span = span.without_end(dialect, columns, rows, &mut notes);
    }
    let (line, dotted_class) = (span.line, uci);
    let layout =
        RecordLayout { dialect, max_record_bytes, line, header, columns, trailing, dotted_class };
    let (names, suggestions) = names_and_suggestions(first, &layout, &mut notes);
    roles::check_names(&names)
        .map_err(|problem| ReadError::at(Position::Line(first.line), problem))?;
    let roles = roles::assign(&names, options, suggestions, &mut notes)?;

    if header {
        sample.remove(0);
    }
    let may_be_bag =
        !uci && roles.of[0] == AssignedRole::Feature && may_name_bags(&names[0], options);
    let nominal: Vec<bool> = (0..columns)
        .map(|column| {
            let values = sample.iter().filter_map(|record| record.values.get(column));
            (column == 0 && may_be_bag)
                || roles.units[column].known().is_some()
                || are_words(values.map(AsRef::as_ref), &parser)
        })
        .collect();
    let headers = match header {
        true => padded_names(span.text, dialect, &names),
        false => vec![None; names.len()],
    };
    let filled = fill::fill(span.text, &layout, &roles, &nominal, &parser, options.cores())?;
    let FilledColumns { values, misfits, lines } = filled;
    let mut columns = Vec::with_capacity(names.len());
    for (index, (values, misfits)) in values.into_iter().zip(misfits).enumerate() {
        if let Some(values) = values {
            let column = Column { name: names[index].clone(), values };
            let mut parsed = ParsedColumn::new(&roles, index, column);
            parsed.misfits = misfits;
            parsed.may_name_bags = index == 0 && may_be_bag;
            parsed.header = headers[index].clone();
            columns.push(parsed);
        }
    }
    Ok(ParsedTable {
        name: name.to_owned(),
        columns,
        rows: lines.len(),
        positions: RowPositions::Lines(lines),
        notes,
        form,
        has_first_column: !uci && roles.of[0] != AssignedRole::Ignored,
        guessed_target: roles.guessed_target,
        names,
    })
}

/// Finds the part of the text that holds the table, its delimiter and quotes, and whether a note names the
/// line with the column names.
fn find_table<'a>(
    text: &'a str,
    extension: &str,
    options: &ReadOptions,
    parser: &CellParser<'_>,
    notes: &mut Vec<Message>,
) -> Result<(TextSpan<'a>, CsvDialect, bool), ReadError> {
    let (mut span, separator) = TextSpan::opened(text);
    let mut is_noted = false;
    let separated = ReadOptions { delimiter: options.delimiter.or(separator), ..options.clone() };
    let (dialect, titles) = guess::dialect(span.text, extension, &separated, notes)?;
    if options.header == Header::Auto {
        span = span.without_lines(titles);
        if options.format != Some(Format::Uci) && !dialect.by_blanks() {
            let limit = options.limits.max_line_bytes;
            let before = notes.len();
            span = span.starting_at_names(dialect, limit, parser, notes);
            is_noted = notes.len() > before;
        }
    }
    Ok((span, dialect, is_noted))
}

/// Returns the names of the columns, and the roles that they suggest.
fn names_and_suggestions(
    first: &DelimitedRecord<'_>,
    layout: &RecordLayout,
    notes: &mut Vec<Message>,
) -> (Vec<String>, Suggestions) {
    let columns = layout.columns;
    if layout.dotted_class {
        notes.push(
            "recognized the format of UCI's clean1: molecule, conformation, numbers, class".into(),
        );
        return (uci::names(columns), uci::suggestions(columns));
    }
    let names = different(names(first, layout.header, columns, notes), notes);
    let target = roles::by_name(&names);
    (names, Suggestions { target, target_last: true, ..Suggestions::default() })
}

/// Whether most of a column's first cells are text.
fn are_words<'a>(values: impl Iterator<Item = &'a str>, parser: &CellParser<'_>) -> bool {
    let (mut words, mut numbers) = (0, 0);
    for value in values {
        match parser.number(value) {
            None => words += 1,
            Some(number) => numbers += usize::from(!number.is_nan()),
        }
    }
    words > numbers
}

/// Returns the number of columns at the end that are empty in all records, and notes them. At least
/// one column is kept.
fn empty_at_the_end(
    sample: &[DelimitedRecord<'_>],
    dialect: CsvDialect,
    notes: &mut Vec<Message>,
) -> usize {
    let Some(length) = sample.first().map(|first| first.values.len()) else { return 0 };
    let empty = |record: &DelimitedRecord<'_>| {
        let beyond = record.values.len().saturating_sub(length);
        let last = record.values.iter().rev().take_while(|value| value.is_empty()).count();
        last.saturating_sub(beyond)
    };
    let trailing = match dialect.by_blanks() {
        true => 0,
        false => sample.iter().map(empty).min().unwrap_or(0).min(length - 1),
    };
    match trailing {
        0 => {}
        1 => notes.push("ignored the delimiter at the end of every line".into()),
        many => notes.push(message!("skipped the last {many} columns, because they are empty")),
    }
    trailing
}

/// Makes repeated names unique by adding a number.
fn different(mut names: Vec<String>, notes: &mut Vec<Message>) -> Vec<String> {
    let mut known: HashSet<String> = names.iter().cloned().collect();
    if known.len() == names.len() {
        return names;
    }
    let mut seen = HashSet::new();
    for (index, name) in names.iter_mut().enumerate() {
        if seen.insert(name.clone()) {
            continue;
        }
        let free = (2..).map(|number| format!("{name}.{number}")).find(|new| !known.contains(new));
        let Some(new) = free else { continue };
        notes.push(
            format!(
                "renamed column {} to '{new}', because another column is also named '{}'",
                index + 1,
                crate::source::error::shorten(name)
            )
            .into(),
        );
        known.insert(new.clone());
        *name = new;
    }
    names
}

/// Returns the names with the blanks around them, for names that have blanks and no quotes. Other
/// programs keep such blanks.
fn padded_names(text: &str, dialect: CsvDialect, names: &[String]) -> Vec<Option<String>> {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let is_quoted = dialect.quote.is_some_and(|quote| line.as_bytes().contains(&quote));
    if dialect.by_blanks() || is_quoted {
        return vec![None; names.len()];
    }
    let mut cells = line.split(char::from(dialect.delimiter));
    let padded = |name: &String| {
        let cell = cells.next()?;
        (cell.trim() == name && cell != name).then(|| cell.to_owned())
    };
    names.iter().map(padded).collect()
}

/// Returns the names in the header, or `x1`, `x2`, … without a header.
fn names(
    first: &DelimitedRecord<'_>,
    header: bool,
    columns: usize,
    notes: &mut Vec<Message>,
) -> Vec<String> {
    let numbered = |column: usize| format!("x{}", column + 1);
    if !header {
        return (0..columns).map(numbered).collect();
    }
    let named = first.values.iter().take(columns).enumerate().map(|(column, name)| {
        if name.is_empty() {
            notes.push(
                format!("column {} has no name; named it '{}'", column + 1, numbered(column))
                    .into(),
            );
            numbered(column)
        } else {
            name.to_string()
        }
    });
    named.collect()
}
