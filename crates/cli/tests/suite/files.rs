//! Spreadsheets, several files, standard input, and spellings that are merged.

use crate::support::{Folder, done, pellucid, run_with, stderr, stdout};
use std::process::Command;

fn sheet(name: &str) -> String {
    format!("{}/../../tests/data/spreadsheets/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_spreadsheet_is_learned_from_and_predicted() {
    let folder = Folder::new();
    let (file, model) = (sheet("clinic.xlsx"), folder.at("model.json"));
    done(["learn", "rules", &file, "--target", "outcome", "--out", &model, "--quiet"], "");
    let by_name = done(["predict", &model, &file, "--quiet"], "");
    assert_eq!(by_name.lines().count(), 41);
    let bytes = std::fs::read(&file).expect("the file");
    let piped = run_with(&mut pellucid(["predict", &model, "-", "--quiet"]), &bytes);
    assert_eq!(stdout(&piped), by_name, "{}", stderr(&piped));
    let output = run_with(&mut pellucid(["describe", &file, "--sheet", "Nope"]), b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("found no sheet 'Nope'"), "{}", stderr(&output));
}

#[test]
fn parquet_comes_from_standard_input() {
    let folder = Folder::new();
    let file = folder.at("table.parquet");
    done(["generate", "table", "--rows", "50", "--out", &file], "");
    let bytes = std::fs::read(&file).expect("the file");
    let output = run_with(&mut pellucid(["describe", "-", "--quiet"]), &bytes);
    assert!(stdout(&output).starts_with("standard input: 50 rows"), "{}", stderr(&output));
}

#[test]
fn several_files_are_one_table_in_every_command() {
    let folder = Folder::new();
    let rows = |numbers: std::ops::Range<u32>| -> String {
        let row =
            |number: u32| format!("{number},{}\n", if number % 40 > 20 { "yes" } else { "no" });
        format!("a,class\n{}", numbers.map(row).collect::<String>())
    };
    let whole = folder.file("whole.csv", rows(0..80));
    let (one, two) = (folder.file("1.csv", rows(0..30)), folder.file("2.csv", rows(30..80)));
    let [joined, alone] = ["joined.json", "alone.json"].map(|name| folder.at(name));
    let learn = |files: &[&str], out: &str| {
        let flags = ["--target", "class", "--out", out, "--quiet"];
        done([&["learn", "rules"], files, &flags[..]].concat(), "")
    };
    assert_eq!(learn(&[&one, &two], &joined), learn(&[&whole], &alone));
    let predicted = done(["predict", &joined, &one, &two, "--quiet"], "");
    assert_eq!(predicted, done(["predict", &alone, &whole, "--quiet"], ""));
    let other = folder.file("other.csv", "b,class\n1,no\n");
    let output = run_with(&mut pellucid(["describe", &one, &other]), b"");
    assert_eq!(output.status.code(), Some(2));
    let expected = "other.csv, line 1: found the column names 'b,class'; expected 'a,class' as in";
    assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    let ontology = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/family.ttl");
    let output = run_with(&mut pellucid(["evaluate", ontology, &one, "--hypotheses", "-"]), b"");
    assert!(stderr(&output).contains("a second file applies to tables"), "{}", stderr(&output));
}

/// Runs the query in `SQLite` on rows of `work` and prints the predictions.
const QUERY: &str = "
import sqlite3, sys
data = sqlite3.connect(':memory:')
data.execute('CREATE TABLE data (work TEXT, n TEXT)')
data.executemany('INSERT INTO data VALUES (?, 1)', [(work,) for work in sys.argv[2:]])
names = {}
exec(compile(open(sys.argv[1] + '.py').read(), 'model.py', 'exec'), names)
rows = [{'work': work, 'n': '1'} for work in sys.argv[2:]]
found = data.execute('SELECT predicted FROM (' + open(sys.argv[1] + '.sql').read() + ')')
print([row[0] for row in found] == names['predict_all'](rows), names['predict_all'](rows))
";

#[test]
fn merged_spellings_hold_for_new_data_and_for_exports() {
    let folder = Folder::new();
    let mut text = String::from("work,n,class\n");
    for number in 0..90 {
        let work = ["full time", "Full Time", "fulltime", "none", "None "][number % 5];
        let class = if work.to_lowercase().starts_with("none") { "yes" } else { "no" };
        text += &format!("{work},{number},{class}\n");
    }
    let (data, model) = (folder.file("work.csv", &text), folder.at("model.json"));
    let flags = ["--target", "class", "--merge-spellings", "work", "--out", &model];
    let output = run_with(&mut pellucid([&["learn", "rules", &data], &flags[..]].concat()), b"");
    let notes = stderr(&output);
    assert!(notes.contains("merged 5 spellings in column 'work' into 2 values"), "{notes}");
    let new = ["NONE", "FullTime", "none", "full TIME"];
    let table = folder.file("new.csv", format!("work,n\n{},1\n", new.join(",1\n")));
    let predicted = done(["predict", &model, &table, "--quiet"], "");
    let classes: Vec<&str> =
        predicted.lines().skip(1).filter_map(|line| line.split(',').nth(1)).collect();
    assert_eq!(classes, ["yes", "no", "yes", "no"], "{predicted}");
    for form in ["sql", "python"] {
        let code = done(["show", &model, "--format", form], "");
        folder.file(&format!("code.{}", if form == "sql" { "sql" } else { "py" }), &code);
    }
    let code = folder.at("code");
    let run = Command::new("python3").args(["-c", QUERY, &code]).args(new).output();
    let run = run.expect("python3 runs");
    assert_eq!(stdout(&run).trim(), "True ['yes', 'no', 'yes', 'no']", "{}", stderr(&run));
}
