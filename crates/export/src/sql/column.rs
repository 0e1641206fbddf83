//! SQL expressions that parse the columns of a table as the model does.
//!
//! A database may store a number as a number or as text: a CSV file that was imported without types
//! has only text columns. So every column is parsed by an expression that accepts both, and returns
//! NULL for a missing value: for empty text, for the marks of missing values of the model's table,
//! and for text that is not a number in a numeric column. The functions it needs, `TRIM` with
//! characters, `LOWER`, `SUBSTR` and `LENGTH`, exist in `SQLite`, `PostgreSQL` and `DuckDB`.

use super::literal::{identifier, literal, string};
use crate::missing::missing_marks;
use crate::spellings::merged_spellings;
use pellucid_data::FIRST_YEAR;
use pellucid_learn::model::{Column, ColumnKind, Schema};

/// Returns a column of the table with alias `row` as the model reads it: a double, a text, 1 or 0,
/// or a date as it is; NULL if the value is missing.
fn cleaned(schema: &Schema, row: &str, name: &str) -> String {
    let header = schema.reading.headers.get(name).map_or(name, String::as_str);
    // Always with the alias, because SQLite treats an unknown quoted name as text.
    let raw = format!("{row}.{}", identifier(header));
    let known = schema.columns.iter().find(|column| column.name == name);
    match known.map(|column| (column.kind, column)) {
        Some((ColumnKind::Nominal, column)) => word(&raw, column, schema),
        Some((ColumnKind::Boolean, _)) => truth(&raw),
        _ if schema.reading.date(name).is_some() => date(&raw),
        _ => number(&raw),
    }
}

/// Returns the same with dates as numbers: days since 1970, or seconds if they have a time.
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

/// Returns columns of the table with alias `row`, each under its own name, as the list of a `SELECT`.
#[must_use]
pub fn all_cleaned(schema: &Schema, row: &str, names: &[&str]) -> Vec<String> {
    names
        .iter()
        .map(|name| format!("{} AS {}", cleaned(schema, row, name), identifier(name)))
        .collect()
}

/// Returns a column as a number. Text with letters, with two decimal points, or with a date is not a number.
fn number(raw: &str) -> String {
    let text = format!("CAST({raw} AS TEXT)");
    let odd = ["%.%.%", "____-__-__%", "%e", "%E"];
    let odd: String = odd.iter().map(|odd| format!(" AND {text} NOT LIKE '{odd}'")).collect();
    let number = format!("CAST({raw} AS DOUBLE PRECISION)");
    // SQLite does not parse infinity, and there is no portable way to write it, so the largest
    // finite number replaces it.
    let (most, least) = (literal(f64::MAX), literal(f64::MIN));
    format!(
        "CASE WHEN TRIM({text}, ' 0123456789.+-eE') = '' AND TRIM({text}, ' .+-eE') <> ''{odd} \
         THEN {number} \
         WHEN LOWER(TRIM({text})) IN ('inf', '+inf', 'infinity', '+infinity') \
         THEN CASE WHEN {number} > {most} THEN {number} ELSE {most} END \
         WHEN LOWER(TRIM({text})) IN ('-inf', '-infinity') \
         THEN CASE WHEN {number} < {least} THEN {number} ELSE {least} END END"
    )
}

/// Returns a column as a category. If categories are integers, a column of floats has `1.0` for `1`.
fn word(raw: &str, column: &Column, schema: &Schema) -> String {
    let categories = &column.categories;
    let blanks = categories.iter().any(|word| word.trim() != *word);
    let text = match blanks {
        true => format!("CAST({raw} AS TEXT)"),
        false => format!("TRIM(CAST({raw} AS TEXT))"),
    };
    let text = match merged_spellings(schema, column) {
        spellings if spellings.is_empty() => text,
        spellings => {
            let known = spellings.iter().map(|(letters, category)| {
                format!(" WHEN {} THEN {}", string(letters), string(category))
            });
            let known: String = known.collect();
            format!("CASE LOWER(REPLACE({text}, ' ', '')){known} ELSE {text} END")
        }
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

/// Returns a column as a boolean: 1 or 0.
fn truth(raw: &str) -> String {
    let text = format!("LOWER(TRIM(CAST({raw} AS TEXT)))");
    format!(
        "CASE WHEN {text} IN ('true', '1', '1.0', 'yes') THEN 1 \
         WHEN {text} IN ('false', '0', '0.0', 'no') THEN 0 END"
    )
}

/// Returns a column as a date or text, unchanged; NULL if it does not look like a date.
fn date(raw: &str) -> String {
    format!("CASE WHEN {} THEN {raw} END", is_date(&format!("CAST({raw} AS TEXT)")))
}

/// Returns the test that a text starts like a date within the supported years.
fn is_date(text: &str) -> String {
    format!("{text} LIKE '____-__-__%' AND {text} >= '{FIRST_YEAR}'")
}
