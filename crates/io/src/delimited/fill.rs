//! The pass over the records that fills the columns.
//!
//! A column counts as numeric until a value is no number; then its text is needed from the first row on, and a second
//! pass collects it for those columns alone. The sample spares nearly every file that second pass.

use std::borrow::Cow;

use super::record::{Dialect, Record, Records};
use crate::dataset::Values;
use crate::error::{Place, Problem, ReadError};
use crate::missing::Markers;
use crate::nominal::Collector;
use crate::roles::Role;

/// How the text is laid out, as guessed or told.
pub(crate) struct Layout {
    pub(crate) dialect: Dialect,
    pub(crate) max_record_bytes: usize,
    /// Whether the first record holds names.
    pub(crate) header: bool,
    /// How many columns there are.
    pub(crate) columns: usize,
    /// Whether every record ends with a delimiter that separates nothing.
    pub(crate) trailing: bool,
    /// Whether the last value carries a dot that does not belong to it.
    pub(crate) dotted_class: bool,
}

/// A column while it is filled.
enum Cells {
    Skipped,
    Numbers(Vec<f64>),
    /// Was numeric until a value was no number.
    Failed,
    Text(Collector),
}

/// The filled columns (none where the role is to be ignored) and the line of each row.
pub(crate) struct Filled {
    pub(crate) values: Vec<Option<Values>>,
    pub(crate) lines: Vec<u64>,
}

/// Fills the columns; `text` says which ones the sample has shown to be nominal.
pub(crate) fn fill(
    text: &str,
    layout: &Layout,
    roles: &[Role],
    nominal: &[bool],
    markers: &Markers<'_>,
) -> Result<Filled, ReadError> {
    let mut cells: Vec<Cells> = roles
        .iter()
        .zip(nominal)
        .map(|(role, &nominal)| match role {
            Role::Ignored => Cells::Skipped,
            Role::Feature if !nominal => Cells::Numbers(Vec::new()),
            _ => Cells::Text(Collector::default()),
        })
        .collect();
    let mut lines = Vec::new();
    pass(text, layout, &mut cells, markers, Some(&mut lines))?;
    if cells.iter().any(|cell| matches!(cell, Cells::Failed)) {
        let again = |cell: &Cells| match cell {
            Cells::Failed => Cells::Text(Collector::default()),
            _ => Cells::Skipped,
        };
        let mut late: Vec<Cells> = cells.iter().map(again).collect();
        pass(text, layout, &mut late, markers, None)?;
        for (cell, late) in cells.iter_mut().zip(late) {
            if matches!(cell, Cells::Failed) {
                *cell = late;
            }
        }
    }
    let values = cells.into_iter().map(|cell| match cell {
        Cells::Skipped | Cells::Failed => None,
        Cells::Numbers(values) => Some(Values::Numeric(values)),
        Cells::Text(collector) => Some(collector.sorted()),
    });
    Ok(Filled { values: values.collect(), lines })
}

fn pass(
    text: &str,
    layout: &Layout,
    cells: &mut [Cells],
    markers: &Markers<'_>,
    mut lines: Option<&mut Vec<u64>>,
) -> Result<(), ReadError> {
    let mut records = Records::new(text, layout.dialect, layout.max_record_bytes);
    let mut record = Record::default();
    if layout.header {
        records.next(&mut record)?;
    }
    while records.next(&mut record)? {
        straighten(&mut record, layout)?;
        if let Some(lines) = &mut lines {
            lines.push(record.line);
        }
        for (cell, value) in cells.iter_mut().zip(&record.values) {
            match cell {
                Cells::Skipped | Cells::Failed => {}
                Cells::Numbers(numbers) => match markers.number(value) {
                    Some(number) => numbers.push(number),
                    None => *cell = Cells::Failed,
                },
                Cells::Text(collector) if markers.contain(value) => collector.push_missing(),
                Cells::Text(collector) => collector.push(value)?,
            }
        }
    }
    Ok(())
}

/// Checks the record's length, and takes off a trailing delimiter or the class's dot where all records have them.
pub(crate) fn straighten(record: &mut Record<'_>, layout: &Layout) -> Result<(), ReadError> {
    if layout.trailing
        && record.values.len() == layout.columns + 1
        && record.values.last().is_some_and(|value| value.is_empty())
    {
        record.values.pop();
    }
    if record.values.len() != layout.columns {
        let problem = Problem::Ragged { found: record.values.len(), expected: layout.columns };
        return Err(ReadError::at(Place::Line(record.line), problem));
    }
    if layout.dotted_class
        && let Some(class) = record.values.last_mut()
    {
        let Some(undotted) = class.strip_suffix('.') else {
            let place = Place::Value { line: record.line, column: layout.columns };
            let found = crate::error::shorten(class);
            let expected = "a class with a dot behind it".to_owned();
            return Err(ReadError::at(place, Problem::Form { found, expected }));
        };
        *class = Cow::Owned(undotted.to_owned());
    }
    Ok(())
}
