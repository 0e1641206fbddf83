//! The columns of a table as a model reads them.
//!
//! A database may hold a number as a number or as text: a CSV file that was imported without types has columns of text alone.
//! So every column that a query asks about is read by an expression that takes both, and gives NULL for a missing value: for
//! empty text, for the marks of missing values that the model's table had, and for text that is no number where numbers are
//! expected. The functions it needs, `TRIM` with characters, `LOWER`, `SUBSTR` and `LENGTH`, are known to `SQLite`,
//! `PostgreSQL` and `DuckDB`.

use super::literal::{identifier, literal, string};
use crate::export::cells::missing_marks;
use pellucid_data::FIRST_YEAR;
use pellucid_learn::model::{Column, ColumnKind, Schema};

/// A column of a table that is called `row`, as the model reads it: a double, a text, 1 or 0, or a date as it is; NULL where the
/// value is missing.
pub(super) fn cleaned(schema: &Schema, row: &str, name: &str) -> String {
    let header = schema.reading.headers.get(name).map_or(name, String::as_str);
    // Always with the row's name: SQLite takes an unknown "name" by itself for a text.
    let raw = format!("{row}.{}", identifier(header));
    let known = schema.columns.iter().find(|column| column.name == name);
    match known.map(|column| (column.kind, column)) {
        Some((ColumnKind::Nominal, column)) => word(&raw, column, schema),
        Some((ColumnKind::Boolean, _)) => truth(&raw),
        _ if schema.reading.date(name).is_some() => date(&raw),
        _ => number(&raw),
    }
}

/// The same with dates as numbers: days since 1970, or seconds where they have a time.
#[must_use]
pub fn measured(schema: &Schema, row: &str, name: &str) -> String {
    let Some(format) = schema.reading.date(name) else { return cleaned(schema, row, name) };
    let header = schema.reading.headers.get(name).map_or(name, String::as_str);
    let raw = format!("{row}.{}", identifier(header));
    let text = format!("CAST({raw} AS TEXT)");
    let part =
        |from: usize, long: usize| format!("CAST(SUBSTR({text}, {from}, {long}) AS INTEGER)");
    // The year begins in March, so that the leap day is its last.
    let year = format!("({} - CASE WHEN {} <= 2 THEN 1 ELSE 0 END)", part(1, 4), part(6, 2));
    let month = format!("(({} + 9) % 12)", part(6, 2));
    let days = format!(
        "365.0 * {year} + FLOOR({year} / 4.0) - FLOOR({year} / 100.0) + FLOOR({year} / 400.0) \
         + FLOOR((153 * {month} + 2) / 5.0) + {} - 719469.0",
        part(9, 2)
    );
    let value = match format.has_time() {
        false => days,
        true => {
            let clock =
                [(16, 12, 3600.0), (16, 15, 60.0), (19, 18, 1.0)].map(|(least, from, worth)| {
                    let (part, worth) = (part(from, 2), literal(worth));
                    format!(
                        " + CASE WHEN LENGTH({text}) >= {least} THEN {worth} * {part} ELSE 0.0 END"
                    )
                });
            format!("86400.0 * ({days}){}", clock.concat())
        }
    };
    format!("CASE WHEN {} THEN {value} ELSE {} END", is_date(&text), number(&text))
}

/// The columns of a table that is called `row`, each under its own name, as the list of a `SELECT`.
pub(super) fn all_cleaned(schema: &Schema, row: &str, names: &[&str]) -> Vec<String> {
    names
        .iter()
        .map(|name| format!("{} AS {}", cleaned(schema, row, name), identifier(name)))
        .collect()
}

/// A number. Text that holds another letter than numbers have, two points, or a date, is none.
fn number(raw: &str) -> String {
    let text = format!("CAST({raw} AS TEXT)");
    let odd = ["%.%.%", "____-__-__%", "%e", "%E"];
    let odd: String = odd.iter().map(|odd| format!(" AND {text} NOT LIKE '{odd}'")).collect();
    let number = format!("CAST({raw} AS DOUBLE PRECISION)");
    // SQLite reads no infinity from text, and there is no common way to write one: the greatest finite number stands in for it.
    let (most, least) = (literal(f64::MAX), literal(f64::MIN));
    format!(
        "CASE WHEN TRIM({text}, ' 0123456789.+-eE') = '' AND TRIM({text}, ' .+-eE') <> ''{odd} THEN {number} \
         WHEN LOWER(TRIM({text})) IN ('inf', '+inf', 'infinity', '+infinity') \
         THEN CASE WHEN {number} > {most} THEN {number} ELSE {most} END \
         WHEN LOWER(TRIM({text})) IN ('-inf', '-infinity') \
         THEN CASE WHEN {number} < {least} THEN {number} ELSE {least} END END"
    )
}

/// A category. Where categories are whole numbers, a column of floats says `1.0` for `1`.
fn word(raw: &str, column: &Column, schema: &Schema) -> String {
    let categories = &column.categories;
    let blanks = categories.iter().any(|word| word.trim() != *word);
    let text = match blanks {
        true => format!("CAST({raw} AS TEXT)"),
        false => format!("TRIM(CAST({raw} AS TEXT))"),
    };
    let marks: Vec<String> = missing_marks(schema).into_iter().map(string).collect();
    let whole = |word: &String| word.parse::<i64>().is_ok();
    let is_whole =
        categories.iter().any(whole) && !categories.iter().any(|word| word.ends_with(".0"));
    let whole = match is_whole {
        true => format!(" WHEN {text} LIKE '%.0' THEN SUBSTR({text}, 1, LENGTH({text}) - 2)"),
        false => String::new(),
    };
    match marks.is_empty() {
        true if whole.is_empty() => text,
        true => format!("CASE{whole} ELSE {text} END"),
        false => {
            format!("CASE WHEN {text} IN ({}) THEN NULL{whole} ELSE {text} END", marks.join(", "))
        }
    }
}

/// A truth value: 1 or 0.
fn truth(raw: &str) -> String {
    let text = format!("LOWER(TRIM(CAST({raw} AS TEXT)))");
    format!(
        "CASE WHEN {text} IN ('true', '1', '1.0', 'yes') THEN 1 WHEN {text} IN ('false', '0', '0.0', 'no') THEN 0 END"
    )
}

/// A date stays what it is, a date or a text; what does not begin like one is missing.
fn date(raw: &str) -> String {
    format!("CASE WHEN {} THEN {raw} END", is_date(&format!("CAST({raw} AS TEXT)")))
}

/// Whether a text begins like a date that the model knows.
fn is_date(text: &str) -> String {
    format!("{text} LIKE '____-__-__%' AND {text} >= '{FIRST_YEAR}'")
}
