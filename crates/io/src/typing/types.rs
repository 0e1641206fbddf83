//! Decides the types of columns: text that is numbers or dates, the column that names the bags, and
//! identifiers, which are not features. Every decision that the caller did not make is noted.

use crate::cells::dates::{self, Guess};
use crate::cells::parser::CellParser;
use crate::cells::units::{self, UnitHint};
use crate::columns::known;
use crate::columns::parsed::{ParsedColumn, ParsedTable, RowPositions};
use crate::columns::roles::AssignedRole;
use crate::columns::spellings;
use crate::source::error::{ReadError, ReadProblem, listed, shorten};
use crate::source::options::ReadOptions;
use crate::typing::retype::{counts, known, to_numbers};
use crate::typing::{identify, unusual};
use pellucid_data::{DateFormat, Message, ParameterRef, Values, message, parameter};
use std::fmt::Display;

/// Decides the types of all columns, and finds bags and identifiers.
pub(crate) fn assign_types(
    table: &mut ParsedTable,
    options: &ReadOptions,
) -> Result<(), ReadError> {
    let parser = CellParser::new(options).with_form(table.form);
    spellings::merge(table, options)?;
    identify::find_bags(table, options);
    let ParsedTable { columns, positions, notes, .. } = table;
    for parsed in columns.iter_mut() {
        assign_type(parsed, positions, &parser, notes)?;
        known::align(parsed, notes);
        note_misfits(parsed, notes);
        if matches!(positions, RowPositions::Lines(_)) {
            note_rounding(parsed, notes);
        }
        if parsed.role == AssignedRole::Target {
            note_similar_classes(parsed, notes);
        }
        // A file for an existing model is read as the training data was.
        if options.expected.is_empty() {
            unusual::note(parsed, positions, notes);
        }
    }
    identify::mark_identifiers(table, options);
    Ok(())
}

/// Gives a text column the type that the caller set, or the one that its values have.
fn assign_type(
    parsed: &mut ParsedColumn,
    positions: &RowPositions,
    parser: &CellParser<'_>,
    notes: &mut Vec<Message>,
) -> Result<(), ReadError> {
    let Values::Nominal { codes, categories } = &parsed.column.values else { return Ok(()) };
    let number = |text: &str| parser.number(text);
    let mut format = parsed.date.clone();
    match parsed.role {
        AssignedRole::Numeric => {
            parse_numeric(parsed, positions, parser, notes);
            return Ok(());
        }
        // The file declares the date format.
        AssignedRole::Feature if format.is_some() => {}
        AssignedRole::Date if format.is_none() => format = Some(required_date_format(parsed)?),
        AssignedRole::Date => {}
        // It was read as text because it might name the bags, but it does not.
        AssignedRole::Feature
            if parsed.may_name_bags && is_numeric(codes, categories, positions, parser) =>
        {
            (parsed.column.values, parsed.misfits) =
                to_numbers(codes, categories, positions, number);
            return Ok(());
        }
        AssignedRole::Feature if !parsed.declared => {
            let guess = dates::guess(&words(codes, categories));
            notes.extend(date_note(&parsed.column.name, &guess));
            match guess {
                Guess::One(found) => format = Some(found),
                Guess::Mixed(..) | Guess::Several(_) => return Ok(()),
                Guess::None => {
                    parse_units(parsed, positions, parser, notes);
                    return Ok(());
                }
            }
        }
        _ => return Ok(()),
    }
    if let Some(format) = format {
        let day = |text: &str| {
            format.parse(text).or_else(|| parser.is_missing_number(text).then_some(f64::NAN))
        };
        (parsed.column.values, parsed.misfits) = to_numbers(codes, categories, positions, day);
        parsed.date = Some(format);
    }
    Ok(())
}

/// Returns the note about the dates in a column.
fn date_note(name: &str, guess: &Guess) -> Option<Message> {
    match guess {
        Guess::None => None,
        Guess::One(found) => Some(message!(
            "read column '{name}' as dates ({found}); use `",
            parameter("nominal").with(name),
            "` to read it as text"
        )),
        Guess::Mixed(one, other) => Some(message!(
            "read column '{name}' as text, because it mixes two date formats ({one} and {other}); \
             write all dates in one format, or use `",
            date_option(name, one),
            "` to treat the others as missing"
        )),
        Guess::Several(formats) => Some(message!(
            "read column '{name}' as text, because its date format is ambiguous; use ",
            date_options(name, formats),
            " to read it as dates"
        )),
    }
}

/// Converts a column that the caller or a model declared numeric; the unit is optional.
fn parse_numeric(
    parsed: &mut ParsedColumn,
    positions: &RowPositions,
    parser: &CellParser<'_>,
    notes: &mut Vec<Message>,
) {
    let Values::Nominal { codes, categories } = &parsed.column.values else { return };
    if parsed.unit == UnitHint::Unknown
        && let units::Guess::One(unit) = units::guess(&words(codes, categories), parser)
    {
        let name = &parsed.column.name;
        notes.push(message!("read column '{name}' as numbers with the unit '{unit}'"));
        parsed.unit = UnitHint::Unit(unit);
    }
    let measured = |text: &str| match parsed.unit.known() {
        Some(unit) => units::number(text, unit, parser),
        None => parser.number(text),
    };
    (parsed.column.values, parsed.misfits) = to_numbers(codes, categories, positions, measured);
}

/// Converts a text column of numbers with a unit to numbers.
fn parse_units(
    parsed: &mut ParsedColumn,
    positions: &RowPositions,
    parser: &CellParser<'_>,
    notes: &mut Vec<Message>,
) {
    let Values::Nominal { codes, categories } = &parsed.column.values else { return };
    let name = &parsed.column.name;
    match units::guess(&words(codes, categories), parser) {
        units::Guess::None => {}
        units::Guess::One(unit) => {
            notes.push(message!(
                "read column '{name}' as numbers with the unit '{unit}'; use `",
                parameter("nominal").with(name),
                "` to read it as text"
            ));
            let measured = |text: &str| units::number(text, &unit, parser);
            (parsed.column.values, parsed.misfits) =
                to_numbers(codes, categories, positions, measured);
            parsed.unit = UnitHint::Unit(unit);
        }
        units::Guess::Several(units) => notes.push(
            format!(
                "read column '{name}' as text, because it mixes units ({}); \
             convert the values to one unit to read it as numbers",
                listed(&units)
            )
            .into(),
        ),
    }
}

fn words<'a>(codes: &[u32], categories: &'a [String]) -> Vec<(&'a str, usize)> {
    let rows = counts(codes, categories.len());
    categories.iter().map(String::as_str).zip(rows).filter(|&(_, rows)| rows > 0).collect()
}

fn is_numeric(
    codes: &[u32],
    categories: &[String],
    positions: &RowPositions,
    parser: &CellParser<'_>,
) -> bool {
    let (values, misfits) = to_numbers(codes, categories, positions, |text| parser.number(text));
    misfits.are_strays(known(&values))
}

/// Returns the parameter that sets the date format of a column.
fn date_option(column: &str, format: impl Display) -> ParameterRef {
    parameter("date").with(format_args!("{column}={format}"))
}

/// Returns the parameters that set the possible date formats of a column.
fn date_options(column: &str, formats: &[DateFormat]) -> Message {
    let mut options = Message::default();
    for format in formats {
        let or = if options.is_empty() { "" } else { " or " };
        options.push(message!("{or}`", date_option(column, format), "`"));
    }
    options
}

/// Detects the format of a column that the caller declared as dates.
fn required_date_format(parsed: &ParsedColumn) -> Result<DateFormat, ReadError> {
    let Values::Nominal { codes, categories } = &parsed.column.values else {
        return Err(ReadProblem::Options(Message::default()).into());
    };
    let name = &parsed.column.name;
    match dates::guess(&words(codes, categories)) {
        Guess::One(format) => Ok(format),
        Guess::None | Guess::Mixed(..) => {
            let (column, found) = (shorten(name), listed(categories));
            Err(ReadProblem::Options(message!(
                "found {found} in column '{column}'; expected dates in a common format; use `",
                date_option(&column, "%d.%m.%Y"),
                "` to set the format"
            ))
            .into())
        }
        Guess::Several(formats) => {
            let column = shorten(name);
            Err(ReadProblem::Options(message!(
                "the date format of column '{column}' is ambiguous; use ",
                date_options(name, &formats),
                " to set it"
            ))
            .into())
        }
    }
}

/// Notes classes that differ only in case, because they are probably the same class.
fn note_similar_classes(parsed: &ParsedColumn, notes: &mut Vec<Message>) {
    const MOST: usize = 1000;
    let Values::Nominal { categories, .. } = &parsed.column.values else { return };
    if categories.len() > MOST {
        return;
    }
    let mut lower: Vec<(String, &String)> =
        categories.iter().map(|word| (word.to_lowercase(), word)).collect();
    lower.sort_unstable();
    for pair in lower.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        notes.push(
            format!(
                "classes '{}' and '{}' of target column '{}' differ only in case; \
             use one spelling if they are the same class",
                shorten(pair[0].1),
                shorten(pair[1].1),
                parsed.column.name
            )
            .into(),
        );
    }
}

/// Notes integers that may be rounded: a 64-bit float represents every integer below 2⁵³, but not all above.
fn note_rounding(parsed: &ParsedColumn, notes: &mut Vec<Message>) {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let Values::Numeric(numbers) = &parsed.column.values else { return };
    let is_known = |number: &&f64| number.is_finite();
    let Some(large) = numbers.iter().filter(is_known).find(|number| number.abs() >= EXACT) else {
        return;
    };
    if parsed.date.is_none() && numbers.iter().filter(is_known).all(|number| number.fract() == 0.0)
    {
        let name = &parsed.column.name;
        notes.push(message!(
            "column '{name}' holds integers of {EXACT} or more, such as {large}, which are rounded to 64-bit \
             floats, so different integers may become equal; use `",
            parameter("nominal").with(name),
            "` if they are identifiers"
        ));
    }
}

/// Notes the cells that do not have the column's type, and how they were read.
fn note_misfits(parsed: &ParsedColumn, notes: &mut Vec<Message>) {
    if parsed.misfits.count == 0 {
        return;
    }
    let column = &parsed.column;
    let is_given = matches!(parsed.role, AssignedRole::Numeric | AssignedRole::Date);
    match &column.values {
        Values::Numeric(_) => {
            let kind = if parsed.date.is_some() { "dates" } else { "numbers" };
            let fitting = known(&column.values);
            notes.push(parsed.misfits.taken_as_missing(&column.name, kind, fitting, is_given));
        }
        // The misfits are the cells that are not numbers, so the other cells are numbers.
        _ => {
            let fitting = known(&column.values).saturating_sub(parsed.misfits.count);
            if !parsed.misfits.are_fewer_than(fitting) {
                return;
            }
            notes.push(parsed.misfits.made_words(&column.name, "numbers", fitting));
        }
    }
}
