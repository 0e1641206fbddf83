//! Files that declare their attributes before the data: WEKA's ARFF and KEEL's `.dat`.
//!
//! A relational ARFF attribute holds a whole bag in quotes. Its rows become rows of the table, and
//! the values around it (the name of the bag, the class) are repeated for each row.

mod column;
mod date_pattern;
mod header;
mod keel;
mod rows;
pub(crate) mod token;

use column::AttributeColumns;
use header::{Attribute, AttributeHeader, DeclaredKind, Slot};
use rows::AttributeRows;

use crate::cells::number_form::NumberForm;
use crate::cells::parser::CellParser;
use crate::columns::categories::CategoryCollector;
use crate::columns::parsed::{ParsedColumn, ParsedTable, RowPositions};
use crate::columns::roles::{self, AssignedRole, Roles, Suggestion, Suggestions};
use crate::source::error::{Position, ReadError, ReadProblem, counted, shorten};
use crate::source::options::{Choice, ReadOptions};
use pellucid_data::Values;
use pellucid_data::{Column, Message, message, parameter};

/// The dialect of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AttributeDialect {
    Arff,
    Keel,
}

/// Reads an ARFF or KEEL file; `stem` is the name of the table if the file does not name its relation.
pub(crate) fn read(
    text: &str,
    stem: &str,
    dialect: AttributeDialect,
    options: &ReadOptions,
) -> Result<ParsedTable, ReadError> {
    if text.trim().is_empty() {
        return Err(ReadProblem::Empty.into());
    }
    let mut notes = Vec::new();
    let mut lines = (1u64..).zip(text.lines());
    let header = header::read(&mut lines)?;
    let names = header.names();
    let suggestions = match dialect {
        AttributeDialect::Keel => keel::suggestions(&header, options, &mut notes)?,
        AttributeDialect::Arff => arff_suggestions(&header),
    };
    let roles = roles::assign(&names, options, suggestions, &mut notes)?;
    let columns = header.attributes.iter().zip(&roles.of);
    let columns = columns
        .map(|(attribute, &role)| AttributeColumns::new(attribute, role))
        .collect::<Result<_, _>>()?;
    let mut rows = AttributeRows::new(
        &header,
        columns,
        CellParser::new(options).with_form(given_form(options)),
        dialect == AttributeDialect::Arff,
    );
    let mut tokens = Vec::new();
    for (number, line) in lines {
        if line.len() > options.limits.max_line_bytes {
            let problem = ReadProblem::LineTooLong { limit: options.limits.max_line_bytes };
            return Err(ReadError::at(Position::Line(number), problem));
        }
        rows.push(number, line, &mut tokens)?;
    }
    if rows.weights > 0 {
        let weights = usize::try_from(rows.weights).unwrap_or(usize::MAX);
        notes.push(format!("ignored the weights of {}", counted(weights, "row")).into());
    }
    note_texts(&header, &roles.of, &mut notes);
    let AttributeRows { columns, lines, outer, .. } = rows;
    let filled: Vec<Option<Values>> =
        columns.into_iter().map(|column| column.finish(&mut notes)).collect();
    let mut columns = Vec::with_capacity(names.len());
    for (index, (values, name)) in filled.into_iter().zip(&names).enumerate() {
        if let Some(values) = values {
            let mut parsed =
                ParsedColumn::new(&roles, index, Column { name: name.clone(), values });
            let kind = &header.attributes[index].kind;
            parsed.declared = matches!(kind, DeclaredKind::Nominal(_));
            if let (DeclaredKind::Date(format), AssignedRole::Feature | AssignedRole::Date, None) =
                (kind, parsed.role, &parsed.date)
            {
                parsed.date = Some(format.clone());
            }
            columns.push(parsed);
        }
    }
    match dialect {
        AttributeDialect::Keel => keel::find_bags(&header, &mut columns, options, &mut notes),
        AttributeDialect::Arff => {
            name_bags(&roles, &header, &mut columns, &outer, options, &mut notes)?;
        }
    }
    let name = if header.relation.is_empty() { stem.to_owned() } else { header.relation };
    Ok(ParsedTable {
        name,
        columns,
        rows: lines.len(),
        positions: RowPositions::Lines(lines),
        notes,
        form: given_form(options),
        // The rules of KEEL and ARFF have already looked for bags.
        has_first_column: false,
        guessed_target: roles.guessed_target,
        names,
    })
}

fn note_texts(header: &AttributeHeader, roles: &[AssignedRole], notes: &mut Vec<Message>) {
    let features = header.attributes.iter().zip(roles);
    for (Attribute { name, kind }, _) in
        features.filter(|(_, role)| **role == AssignedRole::Feature)
    {
        match kind {
            DeclaredKind::Text => {
                notes.push(message!("read the text of column '{name}' as categories"));
            }
            DeclaredKind::UnknownDate(form) => {
                let (form, letters) = (shorten(form), date_pattern::LETTERS);
                notes.push(message!(
                    "read column '{name}' as text, because its date format '{form}' is not supported \
                     (supported letters: {letters}); use `",
                    parameter("date").with(format_args!("{name}=%d.%m.%Y")),
                    "` to set the format"
                ));
            }
            _ => {}
        }
    }
}

/// Returns the number format that the caller gave; these files have the plain format by default.
fn given_form(options: &ReadOptions) -> NumberForm {
    NumberForm { decimal: options.decimal.unwrap_or('.'), thousands: options.thousands }
}

/// Suggests the attribute named class, or else the last nominal one, as the target. In a relational
/// file the first other nominal or text attribute names the bags.
fn arff_suggestions(header: &AttributeHeader) -> Suggestions {
    let outer: Vec<usize> = header
        .slots
        .iter()
        .filter_map(|slot| match slot {
            Slot::Plain(attribute) => Some(*attribute),
            Slot::Relational(_) => None,
        })
        .collect();
    let name = |column: usize| &header.attributes[column].name;
    let is_nominal =
        |column: &usize| matches!(header.attributes[*column].kind, DeclaredKind::Nominal(_));
    let class = outer.iter().copied().find(|&column| name(column).eq_ignore_ascii_case("class"));
    let last = outer.iter().copied().rev().find(is_nominal);
    let target = class.or(last);
    let as_target =
        |column: usize| Suggestion { column, note: roles::assumed_target(name(column)) };
    let bag = header.relational().and_then(|_| {
        let names_bags = |&column: &usize| {
            !matches!(header.attributes[column].kind, DeclaredKind::Number { .. })
        };
        outer.iter().copied().filter(|&column| Some(column) != target).find(names_bags)
    });
    let as_bag = |column: usize| {
        let (name, bag) = (name(column), parameter("bag"));
        let note = message!("assumed column '{name}' names the bags; use `", bag, "` to change it");
        Suggestion { column, note }
    };
    Suggestions {
        target: class.into_iter().chain(last).map(as_target).collect(),
        bag: bag.into_iter().map(as_bag).collect(),
        ..Suggestions::default()
    }
}

/// Names the bags of a relational file by the number of their data line if no column names them.
fn name_bags(
    roles: &Roles,
    header: &AttributeHeader,
    columns: &mut Vec<ParsedColumn>,
    outer: &[u64],
    options: &ReadOptions,
    notes: &mut Vec<Message>,
) -> Result<(), ReadError> {
    let named = columns.iter().any(|parsed| parsed.role == AssignedRole::Bag);
    if header.relational().is_none() || named || options.bag == Choice::None {
        return Ok(());
    }
    let mut collector = CategoryCollector::default();
    for record in outer {
        collector.push(&record.to_string())?;
    }
    notes.push("numbered the bags, because they have no names".into());
    let column = Column { name: "bag".to_owned(), values: collector.in_given_order() };
    columns.push(ParsedColumn { role: AssignedRole::Bag, ..ParsedColumn::new(roles, 0, column) });
    Ok(())
}
