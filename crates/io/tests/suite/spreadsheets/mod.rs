//! Tables from spreadsheets, and the notes about them.

mod cells;
mod messy;
mod parts;
mod roles;
mod sheets;
mod two_tables;

use pellucid_io::{Dataset, ReadOptions, Values, read_from};

fn load(text: impl AsRef<[u8]>, options: &ReadOptions) -> Dataset {
    let data = read_from(text.as_ref(), "t.csv", options).unwrap_or_else(|error| panic!("{error}"));
    data.check().unwrap_or_else(|error| panic!("{error}"));
    data
}

fn refused(text: &str, options: &ReadOptions) -> String {
    read_from(text.as_bytes(), "t.csv", options).expect_err("refused").to_string()
}

fn plain() -> ReadOptions {
    ReadOptions::default()
}

fn column<'a>(data: &'a Dataset, name: &str) -> &'a Values {
    let found = data.columns.iter().find(|column| column.name == name);
    &found.unwrap_or_else(|| panic!("no column '{name}', {:?}", data.notes)).values
}

fn numbers(data: &Dataset, name: &str) -> Vec<f64> {
    match column(data, name) {
        Values::Numeric(numbers) => numbers.to_vec(),
        other => panic!("expected numbers, found {other:?}"),
    }
}

fn words(data: &Dataset, name: &str) -> Vec<String> {
    match column(data, name) {
        Values::Nominal { categories, .. } => categories.clone(),
        other => panic!("expected text, found {other:?}"),
    }
}

/// Whether a note contains all of these texts.
fn noted(data: &Dataset, parts: &[&str]) -> bool {
    data.notes.iter().any(|note| parts.iter().all(|part| note.contains(part)))
}
