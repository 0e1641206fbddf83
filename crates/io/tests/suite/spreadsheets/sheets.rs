//! Sheets of `.xlsx` and `.ods` files, which `tests/data/spreadsheets/make.py` wrote.
#![cfg(feature = "spreadsheets")]

use super::{column, numbers, plain, words};
use pellucid_io::{Dataset, ReadOptions, Values, read, read_from};
use std::path::{Path, PathBuf};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/spreadsheets").join(name)
}

fn sheet(name: &str, options: &ReadOptions) -> Dataset {
    let data = read(&file(name), options).unwrap_or_else(|error| panic!("{error}"));
    data.check().unwrap_or_else(|error| panic!("{error}"));
    data
}

fn refused(name: &str, options: &ReadOptions) -> String {
    let error = read(&file(name), options).expect_err("refused").to_string();
    error.rsplit('/').next().unwrap_or_default().to_owned()
}

fn notes(data: &Dataset) -> String {
    data.notes.iter().map(|note| format!("{note}\n")).collect()
}

#[test]
fn a_sheet_with_titles_merged_names_and_totals_is_read_like_csv() {
    let data = sheet("clinic.xlsx", &plain());
    let names: Vec<&str> = data.columns.iter().map(|column| column.name.as_str()).collect();
    let expected = ["seen", "age", "blood pressure systolic", "blood pressure diastolic", "work"];
    assert_eq!((data.rows, &names[..]), (40, &expected[..]));
    let classes = &data.target.as_ref().expect("a target").classes;
    assert_eq!(classes, &["well", "ill"]);
    // A number as text, a cell that is not a number, and an error value.
    let ages = numbers(&data, "age");
    assert_eq!((ages[2], ages[4].is_nan()), (47.0, true));
    assert!(numbers(&data, "blood pressure systolic")[5].is_nan());
    // 2024-01-09 in days since 1970.
    assert_eq!(numbers(&data, "seen")[0], 19_731.0);
    let notes = notes(&data);
    for part in [
        "read sheet 'Visits', the first of 3; use `sheet` to read another one: 'Codes', 'Empty'",
        "joined the column names in lines 3 and 4, as in 'blood pressure systolic'",
        "treated line 4 as column names",
        "skipped line 46 ('Total'), because it holds totals",
        "'unclear' (line 9)",
    ] {
        assert!(notes.contains(part), "{part}:\n{notes}");
    }
}

#[test]
fn a_merged_cell_is_the_value_of_all_its_rows() {
    let data = sheet("visits.xlsx", &plain().bag("patient"));
    assert_eq!((data.rows, data.examples()), (36, 12));
    assert!(notes(&data).contains("filled 48 merged cells"), "{}", notes(&data));
}

#[test]
fn an_open_document_sheet_is_read() {
    let data = sheet("table.ods", &plain());
    assert_eq!(data.rows, 40);
    assert_eq!(numbers(&data, "age")[0], 37.0);
    assert_eq!(numbers(&data, "seen")[39], 19_770.0);
    assert_eq!(words(&data, "smoker"), ["false", "true"]);
    let bytes = std::fs::read(file("table.ods")).expect("the file");
    let piped = read_from(&bytes[..], "standard input", &plain()).expect("a stream is read, too");
    assert_eq!(piped.columns, data.columns);
}

#[test]
fn a_sheet_is_chosen_by_name_or_number() {
    for wanted in ["Codes", "2"] {
        let data = sheet("clinic.xlsx", &plain().sheet(wanted).target("meaning"));
        assert_eq!((data.rows, data.columns.len()), (1, 1));
    }
    assert_eq!(
        refused("clinic.xlsx", &plain().sheet("Nope")),
        "clinic.xlsx: found no sheet 'Nope'; expected one of 'Visits', 'Codes', 'Empty'"
    );
    assert_eq!(
        refused("clinic.xlsx", &plain().sheet("Empty")),
        "clinic.xlsx: sheet 'Empty' is empty; expected a table"
    );
    let error = read_from(&b"a,b\n1,2\n"[..], "a.csv", &plain().sheet("1")).expect_err("a text");
    assert_eq!(
        error.to_string(),
        "a.csv: `sheet` applies to spreadsheets (.xlsx, .ods), and the file is not one"
    );
}

#[test]
fn damaged_spreadsheets_are_errors() {
    for name in ["clinic.xlsx", "table.ods"] {
        let bytes = std::fs::read(file(name)).expect("the file");
        for cut in (0..bytes.len()).step_by(97) {
            read_from(&bytes[..cut], name, &plain()).expect_err("truncated");
        }
        for at in (0..bytes.len()).step_by(13) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x55;
            // Either the damage does not matter, or it is an error; it is no panic.
            let _ = read_from(&damaged[..], name, &plain());
        }
    }
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file("notes.txt", zip::write::SimpleFileOptions::DEFAULT).expect("memory");
    let bytes = archive.finish().expect("memory").into_inner();
    let error = read_from(&bytes[..], "a.zip", &plain()).expect_err("no sheet").to_string();
    assert_eq!(error, "a.zip: the file is a zip archive; extract it first");
}

#[test]
fn spellings_are_merged_on_request_and_remembered() {
    let data = sheet("clinic.xlsx", &plain().merge_spellings(["work"]));
    assert_eq!(words(&data, "work"), ["Full-Time", "none", "part time"]);
    assert!(notes(&data).contains("merged 4 spellings in column 'work' into 3 values"));
    assert_eq!(data.origin.reading.merged_spellings, ["work"]);
    let error = refused("clinic.xlsx", &plain().merge_spellings(["wrok"]));
    assert!(error.contains("column 'wrok' not found; did you mean 'work'?"), "{error}");
    // The most frequent spelling wins.
    let text = "size,class\nSmall,a\nsmall,b\nsmall ,a\n LARGE,b\nlarge,a\nlarge,b\n";
    let data = super::load(text, &plain().merge_spellings(["size"]));
    assert_eq!(words(&data, "size"), ["large", "small"]);
    let Values::Nominal { codes, .. } = column(&data, "size") else { panic!("text") };
    assert_eq!(codes, &[1, 1, 1, 0, 0, 0]);
}
