//! Tables in several files.

use super::{numbers, plain};
use pellucid_io::{Header, read};
use std::path::PathBuf;
use tempfile::TempDir;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("room on the disk");
    }
    folder
}

#[test]
fn the_parts_of_a_table_are_one_table() {
    let folder = folder(&[
        ("part-2.csv", "a,class\n3,x\n4,y\n"),
        ("part-1.csv", "a,class\r\n1,x\r\n2,y"),
        ("_SUCCESS", ""),
    ]);
    let at = |name: &str| folder.path().join(name);
    let one = read(&at("part-1.csv"), &plain().parts([at("part-2.csv")])).expect("two parts");
    assert_eq!(numbers(&one, "a"), [1.0, 2.0, 3.0, 4.0]);
    for path in [folder.path().to_owned(), at("part-*.csv"), at("*.csv")] {
        let data = read(&path, &plain()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((numbers(&data, "a"), &data.target), (numbers(&one, "a"), &one.target));
        assert!(data.notes[0].to_string().contains("as one table"), "{}", data.notes[0]);
    }
    // Without names, all lines are rows.
    let data = read(&at("*.csv"), &plain().header(Header::No)).expect("no names");
    assert_eq!(data.rows, 6);
}

#[test]
fn errors_name_the_part_and_its_own_line() {
    let error = |files: &[(&str, &str)]| {
        let folder = folder(files);
        let error = read(folder.path(), &plain()).expect_err("refused").to_string();
        error.replace(&format!("{}/", folder.path().display()), "")
    };
    assert_eq!(
        error(&[("1.csv", "a,class\n1,x\n"), ("2.csv", "b,class\n1,x\n")]),
        "2.csv, line 1: found the column names 'b,class'; expected 'a,class' as in 1.csv"
    );
    assert_eq!(
        error(&[("1.csv", "a,class\n1,x\n2,y\n"), ("2.csv", "a,class\n1,x\n1,x,3\n")]),
        "2.csv, line 3: found 3 values; expected 2"
    );
    let error =
        error(&[("1.arff", "@relation a\n@attribute a numeric\n@data\n1\n"), ("2.csv", "a\n")]);
    assert_eq!(error, "1.arff: only CSV files and spreadsheets can be read as parts of one table");
    let missing = read(&PathBuf::from("nowhere/part-*.csv"), &plain()).expect_err("no folder");
    assert!(missing.to_string().starts_with("nowhere/part-*.csv: cannot read the file"));
}
