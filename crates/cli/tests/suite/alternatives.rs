//! Costs in learning, and models without the leading columns.

use crate::support::{Folder, answers, done, pellucid, run_with, stderr};
use serde_json::Value;

fn letters() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/letters.csv").to_owned()
}

/// Learns from letters and returns the JSON lines.
fn learn(folder: &Folder, more: &[&str]) -> Vec<Value> {
    let (data, out) = (letters(), folder.at("model.json"));
    let base =
        ["learn", "rules", &data, "--target", "answered", "--out", &out, "--force", "--json"];
    answers(&done([&base[..], more].concat(), ""))
}

#[test]
fn costs_are_stated_beside_the_baseline_and_select_the_size() {
    let folder = Folder::new();
    let run = learn(&folder, &["--decide", "cost:yes=8"]);
    let cost = &run.last().expect("a result")["held_out"]["cost"];
    let (value, baseline) = (cost["value"].as_f64(), cost["trivial"].as_f64());
    assert!(value < baseline && value > Some(0.0), "{cost}");
    // Without costs there is no such figure.
    assert!(learn(&folder, &[]).last().expect("a result")["held_out"]["cost"].is_null());

    let (data, out) = (letters(), folder.at("costs.json"));
    let learn = ["learn", "rules", &data, "--target", "answered", "--decide", "cost:yes=8"];
    let run = run_with(&mut pellucid([&learn[..], &["--out", &out]].concat()), b"");
    let message = stderr(&run);
    assert!(message.contains("cost per example"), "{message}");
    assert!(message.contains("; baseline (always '"), "{message}");
    let shown = done(["show", &out], "");
    assert!(shown.contains("accuracy    AUC  cost per example\n"), "{shown}");
    let folds = ["cv", "rules", &data, "--target", "answered", "--decide", "cost:yes=8"];
    let table = done([&folds[..], &["--folds", "3", "--quiet"]].concat(), "");
    assert!(table.contains("\ncost per example"), "{table}");
}

#[test]
fn alternatives_leave_out_the_leading_columns() {
    let folder = Folder::new();
    let run = learn(&folder, &["--alternatives", "2"]);
    let found: Vec<&Value> = run.iter().filter(|line| line["alternative"].is_string()).collect();
    assert_eq!(found.len(), 2, "{run:?}");
    let without = |of: &Value| -> Vec<String> {
        let columns = of["without"].as_array().expect("columns").iter();
        columns.map(|column| column.as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!((without(found[0]).len(), without(found[1]).len()), (1, 2));
    assert_eq!(without(found[1])[0], without(found[0])[0]);
    for (number, alternative) in ["2", "3"].iter().zip(&found) {
        let path = folder.at(&format!("model-{number}.json"));
        let shown = done(["show", &path], "");
        for column in without(alternative) {
            assert!(!shown.contains(&format!("{column} ")), "{column}: {shown}");
        }
        let figures = alternative["figures"].as_array().expect("figures");
        assert!(figures.iter().any(|figure| figure["key"] == "accuracy"), "{figures:?}");
    }
    let (data, out) = (letters(), folder.at("other.json"));
    folder.file("other-2.json", "something");
    let again =
        ["learn", "rules", &data, "--target", "answered", "--alternatives", "1", "--out", &out];
    let message = stderr(&run_with(&mut pellucid(again), b""));
    assert!(message.contains("already exists"), "{message}");
}
