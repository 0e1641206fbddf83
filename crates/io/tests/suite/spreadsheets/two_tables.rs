//! A table of rows with a table of bags, or with a separate file of labels.

use super::{load, noted, numbers, plain, refused, words};
use pellucid_io::ReadOptions;
use std::path::Path;
use tempfile::TempDir;

const ROWS: &str = "box,length\nb1,3\nb2,5\nb1,4\nb3,1\n";

/// Writes a second table to a temporary folder.
fn second(text: &str) -> (TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("boxes.csv");
    std::fs::write(&path, text).expect("a file");
    (folder, path)
}

fn joined(path: &Path) -> ReadOptions {
    plain().bags(path, "box")
}

#[test]
fn columns_of_bags_are_joined_to_their_rows() {
    let (_folder, boxes) =
        second("supplier,box,weight,good\nann,b3,1.5,yes\nbob,b1,2.5,no\nann,b2,3.5,yes\n");
    let data = load(ROWS, &joined(&boxes));
    assert_eq!(numbers(&data, "weight"), [2.5, 3.5, 2.5, 1.5]);
    assert_eq!(words(&data, "supplier"), ["ann", "bob"]);
    let target = data.target.as_ref().expect("target");
    assert_eq!((target.name.as_str(), &target.codes[..]), ("good", &[0, 1, 1][..]));
    assert_eq!(data.bags.as_ref().expect("bags").names, ["b1", "b2", "b3"]);
    assert!(data.origin.guessed_target);
    // Options apply to columns of either table.
    let options = joined(&boxes).target("supplier").ignore(["length"]).nominal(["weight"]);
    let data = load(ROWS, &options);
    assert_eq!(
        (data.target.as_ref().expect("target").name.as_str(), data.columns.len()),
        ("supplier", 2)
    );
    let error = refused(ROWS, &joined(&boxes).ignore(["wight"]));
    assert!(error.contains("'wight' not found; did you mean 'weight'?"), "{error}");
}

#[test]
fn names_missing_in_one_table_are_reported() {
    let (_folder, boxes) = second("box,good\nb1,yes\nb3,no\n");
    let error = refused(ROWS, &joined(&boxes));
    assert!(
        error.starts_with("t.csv, line 3: bag 'b2' has no row in ") && error.contains("boxes.csv"),
        "{error}"
    );
    let (_folder, boxes) = second("box,good\nb1,yes\nb3,no\nb2,no\nb9,yes\n");
    let data = load(ROWS, &joined(&boxes));
    assert!(noted(&data, &["skipped 1 name of", "without a row", "'b9'"]), "{:?}", data.notes);
    let (_folder, boxes) = second("box,good\nb1,yes\nb3,no\nb1,no\n");
    let error = refused(ROWS, &joined(&boxes));
    assert!(error.contains("boxes.csv, line 4: 'b1' appears twice, first on line 2"), "{error}");
    let (_folder, boxes) = second("crate,good\nb1,yes\nb3,no\nb2,no\n");
    let error = refused(ROWS, &joined(&boxes));
    assert!(error.contains("boxes.csv") && error.contains("box"), "{error}");
    let error = refused("bag,length\nb1,3\n", &joined(&boxes));
    assert!(error.contains("key column 'box' not found"), "{error}");
    let (_folder, boxes) = second("box,length,good\nb1,1,yes\nb2,2,no\nb3,3,no\n");
    assert!(refused(ROWS, &joined(&boxes)).contains("column 'length' is in both tables"));
    let (_folder, boxes) = second("box,good\nb1,yes\nb3,\nb2,no\n");
    let data = load(ROWS, &joined(&boxes));
    assert!(
        noted(&data, &["skipped 1 bag without a label in target column 'good'"]),
        "{:?}",
        data.notes
    );
}

#[test]
fn labels_are_found_by_name() {
    let (_folder, labels) = second("box,label\nb3,0\nb1,1\nb2,0\n");
    let data = load(ROWS, &plain().bag("box").labels(&labels));
    assert_eq!(data.target.as_ref().expect("target").codes, [1, 0, 0]);
    assert!(!data.origin.guessed_target);
    // Without a header the first column has the names and the last one the labels.
    let (_folder, bare) = second("b3,0\nb1,1\nb2,0\n");
    assert_eq!(
        load(ROWS, &plain().bag("box").labels(&bare)).target.expect("target").codes,
        [1, 0, 0]
    );
    let rows = "who,v\nanna,1\nbert,2\ncarl,3\n";
    let (_folder, of_rows) = second("who,ill\ncarl,yes\nanna,no\nbert,no\n");
    let data = load(rows, &plain().id("who").labels(&of_rows));
    assert_eq!(data.target.expect("target").codes, [0, 0, 1]);
    let error = refused(rows, &plain().labels(&of_rows));
    assert!(
        error.contains("the rows have no names") && error.contains("`labels_by_position`"),
        "{error}"
    );
    let (_folder, few) = second("who,ill\ncarl,yes\nanna,no\n");
    let error = refused(rows, &plain().id("who").labels(&few));
    assert!(error.contains("found no label for row 'bert'"), "{error}");
    let (_folder, one) = second("1\n0\n1\n");
    let error = refused(rows, &plain().id("who").labels(&one));
    assert!(error.contains("`labels_by_position`"), "{error}");
    let data = load(rows, &plain().labels(&one).labels_by_position(true));
    assert_eq!(data.target.expect("target").codes, [1, 0, 1]);
}

#[test]
fn the_key_may_have_another_name_in_the_table_of_bags() {
    let (_folder, boxes) = second("id,weight,good\nb3,1.5,yes\nb1,2.5,no\nb2,3.5,yes\n");
    let data = load(ROWS, &plain().bags_by(&boxes, "box", "id"));
    assert_eq!(numbers(&data, "weight"), [2.5, 3.5, 2.5, 1.5]);
    assert_eq!(data.bags.as_ref().map(|bags| bags.name.as_str()), Some("box"));
    assert_eq!(data.origin.reading.key.as_deref(), Some("id"));
    let error = refused(ROWS, &joined(&boxes));
    assert!(error.contains("boxes.csv") && error.contains("'box' not found"), "{error}");
    let error = refused(ROWS, &plain().bags_by(&boxes, "crate", "id"));
    assert!(error.contains("t.csv") && error.contains("'crate' not found"), "{error}");
}

#[test]
fn a_description_has_both_tables_and_the_error_of_reading() {
    let (_folder, boxes) = second("box,weight,good\nb3,1.5,yes\nb1,2.5,no\nb2,3.5,yes\nb9,1,no\n");
    let describe = |options: &ReadOptions| {
        pellucid_io::describe_from(ROWS.as_bytes(), "t.csv", options).expect("tables")
    };
    let description = describe(&joined(&boxes));
    assert_eq!(description.columns[0].role, pellucid_io::ColumnRole::Bag);
    let bags = description.bags.as_ref().expect("a second table");
    assert_eq!((bags.rows, bags.columns[2].role.name()), (4, "target"));
    assert!(
        description.notes.iter().any(|note| note.contains("without a row: 'b9'")),
        "{:?}",
        description.notes
    );
    assert!(
        description.to_string().contains("Table of bags, boxes: 4 rows, 3 columns"),
        "{description}"
    );
    assert_eq!(description.to_json()["bags"]["rows"], 4);
    // The last note is the error of reading.
    let (_folder, few) = second("box,weight,good\nb3,1.5,yes\nb1,2.5,no\n");
    let description = describe(&joined(&few));
    let last = description.notes.last().expect("a note");
    assert!(last.contains("cannot learn from this table") && last.contains("'b2'"), "{last}");
}
