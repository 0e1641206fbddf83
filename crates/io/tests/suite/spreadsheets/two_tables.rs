//! A table of rows and a table of bags, and labels in a file of their own.

use super::{load, noted, numbers, plain, refused, words};
use pellucid_io::ReadOptions;
use std::path::Path;
use tempfile::TempDir;

const ROWS: &str = "box,length\nb1,3\nb2,5\nb1,4\nb3,1\n";

/// A second table in a folder.
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
fn what_is_said_of_bags_is_said_of_their_rows() {
    let (_folder, boxes) =
        second("supplier,box,weight,good\nann,b3,1.5,yes\nbob,b1,2.5,no\nann,b2,3.5,yes\n");
    let data = load(ROWS, &joined(&boxes));
    assert_eq!(numbers(&data, "weight"), [2.5, 3.5, 2.5, 1.5]);
    assert_eq!(words(&data, "supplier"), ["ann", "bob"]);
    let target = data.target.as_ref().expect("target");
    assert_eq!((target.name.as_str(), &target.codes[..]), ("good", &[0, 1, 1][..]));
    assert_eq!(data.bags.as_ref().expect("bags").names, ["b1", "b2", "b3"]);
    assert!(data.origin.guessed_target);
    // Flags speak of columns of either table.
    let told = joined(&boxes).target("supplier").ignore(["length"]).nominal(["weight"]);
    let data = load(ROWS, &told);
    assert_eq!(
        (data.target.as_ref().expect("target").name.as_str(), data.columns.len()),
        ("supplier", 2)
    );
    let error = refused(ROWS, &joined(&boxes).ignore(["wight"]));
    assert!(error.contains("'wight' is not there; did you mean 'weight'?"), "{error}");
}

#[test]
fn names_that_are_missing_on_one_side_are_told() {
    let (_folder, boxes) = second("box,good\nb1,yes\nb3,no\n");
    let error = refused(ROWS, &joined(&boxes));
    assert!(
        error.starts_with("t.csv line 3: bag 'b2' has no line in ") && error.contains("boxes.csv"),
        "{error}"
    );
    let (_folder, boxes) = second("box,good\nb1,yes\nb3,no\nb2,no\nb9,yes\n");
    let data = load(ROWS, &joined(&boxes));
    assert!(noted(&data, &["1 names of", "have no row", "'b9'"]), "{:?}", data.notes);
    let (_folder, boxes) = second("box,good\nb1,yes\nb3,no\nb1,no\n");
    let error = refused(ROWS, &joined(&boxes));
    assert!(error.contains("boxes.csv line 4: 'b1' is named twice, first on line 2"), "{error}");
    let (_folder, boxes) = second("crate,good\nb1,yes\nb3,no\nb2,no\n");
    let error = refused(ROWS, &joined(&boxes));
    assert!(error.contains("boxes.csv") && error.contains("box"), "{error}");
    let error = refused("bag,length\nb1,3\n", &joined(&boxes));
    assert!(error.contains("key column 'box' is not there"), "{error}");
    let (_folder, boxes) = second("box,length,good\nb1,1,yes\nb2,2,no\nb3,3,no\n");
    assert!(refused(ROWS, &joined(&boxes)).contains("column 'length' is in both tables"));
    let (_folder, boxes) = second("box,good\nb1,yes\nb3,\nb2,no\n");
    let data = load(ROWS, &joined(&boxes));
    assert!(
        noted(&data, &["1 bag has no label in target column 'good' and was left out"]),
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
    // Without a head the first column names, the last labels.
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
    assert!(error.contains("there is no label for row 'bert'"), "{error}");
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
    assert!(error.contains("boxes.csv") && error.contains("'box' is not there"), "{error}");
    let error = refused(ROWS, &plain().bags_by(&boxes, "crate", "id"));
    assert!(error.contains("t.csv") && error.contains("'crate' is not there"), "{error}");
}

#[test]
fn a_description_tells_both_tables_and_what_learning_would_say() {
    let (_folder, boxes) = second("box,weight,good\nb3,1.5,yes\nb1,2.5,no\nb2,3.5,yes\nb9,1,no\n");
    let tell = |options: &ReadOptions| {
        pellucid_io::describe_from(ROWS.as_bytes(), "t.csv", options).expect("tables")
    };
    let told = tell(&joined(&boxes));
    assert_eq!(told.columns[0].role, pellucid_io::Role::Bag);
    let bags = told.bags.as_ref().expect("a second table");
    assert_eq!((bags.rows, bags.columns[2].role.name()), (4, "target"));
    assert!(
        told.notes.iter().any(|note| note.contains("have no row and were left out: 'b9'")),
        "{:?}",
        told.notes
    );
    assert!(told.to_string().contains("The table of bags, boxes: 4 rows, 3 columns"), "{told}");
    assert_eq!(told.to_json()["bags"]["rows"], 4);
    // What learning would refuse is the last note.
    let (_folder, few) = second("box,weight,good\nb3,1.5,yes\nb1,2.5,no\n");
    let told = tell(&joined(&few));
    let last = told.notes.last().expect("a note");
    assert!(last.contains("nothing can be learned") && last.contains("'b2'"), "{last}");
}
