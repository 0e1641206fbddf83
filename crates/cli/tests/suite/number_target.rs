//! A number as target, from the file to the prediction.

use crate::support::{Folder, answers, done, pellucid, run_with, stderr};
use pellucid_testdata::real;
use serde_json::Value;
use std::collections::HashMap;
use std::process::Command;

fn flats() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/flats.csv").to_owned()
}

/// A model of the rents.
fn learned(folder: &Folder, learner: &str, more: &[&str]) -> (String, Vec<Value>) {
    let (data, model) = (flats(), folder.at("m.json"));
    let words = [
        "learn", learner, &data, "--target", "rent", "--out", &model, "--force", "--json",
        "--quiet",
    ];
    let lines = answers(&done(words.iter().chain(more), ""));
    (model, lines)
}

fn numbers(csv: &str, column: usize) -> Vec<f64> {
    let number = |line: &str| line.split(',').nth(column).and_then(|cell| cell.parse().ok());
    csv.lines().skip(1).map(|line| number(line).expect("a number")).collect()
}

#[test]
fn training_evaluation_and_prediction_agree() {
    ["rules", "xcs"].into_iter().for_each(agree);
}

fn agree(learner: &str) {
    let folder = Folder::new();
    let (model, lines) = learned(&folder, learner, &[]);
    let result = lines.last().expect("a result");
    let value = |summary: &Value, name: &str, what: &str| {
        summary[name][what].as_f64().unwrap_or_else(|| panic!("{name} {what} of {summary}"))
    };
    let data = flats();
    let validated = answers(&done(
        ["cv", learner, &data, "--target", "rent", "--folds", "5", "--json", "--quiet"],
        "",
    ));
    for summary in [&result["held_out"], &validated[0]["summary"]] {
        assert!(value(summary, "r2", "value") > 0.9, "{summary}");
        assert!(value(summary, "r2", "trivial").abs() < 0.1, "{summary}");
        assert!(
            value(summary, "mae", "value") < value(summary, "mae", "trivial") / 3.0,
            "{summary}"
        );
        for name in ["r2", "mae", "rmse"] {
            assert!(value(summary, name, "low") < value(summary, name, "value"), "{summary}");
            assert!(value(summary, name, "value") < value(summary, name, "high"), "{summary}");
        }
    }
    assert_eq!(validated[0]["r2"]["folds"].as_array().map(Vec::len), Some(5));
    let csv = done(["predict", &model, &data, "--quiet"], "");
    assert!(csv.starts_with("row,predicted,actual\n1,"), "{csv}");
    let predicted = numbers(&csv, 1);
    let lines = answers(&done(["predict", &model, &data, "--json", "--quiet"], ""));
    let last = lines.last().expect("a summary");
    assert_eq!((last["judged"].as_u64(), lines.len()), (Some(300), 301));
    assert_eq!(last["r2"], result["train"]["r2"], "what it says of itself is what it does");
    assert!(lines.iter().zip(&predicted).all(|(line, number)| line["predicted"] == *number));
    // Without the number there is nothing to judge.
    let cells: String = std::fs::read_to_string(&data)
        .expect("the example")
        .lines()
        .map(|line| line.rsplit_once(',').expect("cells").0.to_owned() + "\n")
        .collect();
    let blind = done(["predict", &model, &folder.file("new.csv", cells), "--quiet"], "");
    assert!(blind.starts_with("row,predicted\n1,"), "{blind}");
    assert_eq!(numbers(&blind, 1), predicted);
}

#[test]
fn a_model_reads_as_it_adds_up() {
    reads("rules", &["--size", "small"]);
    reads("xcs", &[]);
}

fn reads(learner: &str, more: &[&str]) {
    let folder = Folder::new();
    let (model, _) = learned(&folder, learner, more);
    let text = done(["show", &model], "");
    for words in [
        "rent = ",
        " + the amounts of all rules that apply.",
        "THEN add ",
        "THEN subtract ",
        "; their mean rent is ",
        "  selected\n",
    ] {
        assert!(text.contains(words), "{words} in\n{text}");
    }
    let data = flats();
    let one = done(["predict", &model, &data, "--row", "1", "--quiet"], "");
    assert!(one.starts_with("row 1: ") && one.contains(" (starting value)"), "{one}");
    assert!(one.contains("actual: ") && one.contains("does not apply"), "{one}");
    let because =
        &answers(&done(["predict", &model, &data, "--row", "1", "--json", "--quiet"], ""))[0];
    let rules = because["because"]["rules"].as_array().expect("rules");
    let held = rules.iter().filter(|rule| rule["holds"] == true);
    let amounts: f64 = held.filter_map(|rule| rule["votes"].as_f64()).sum();
    let begin = because["because"]["begin"][0]["votes"].as_f64().expect("a number");
    let predicted = because["predicted"].as_f64().expect("a number");
    assert!((begin + amounts - predicted).abs() < 1e-9, "{because}");
    let shorter = done(["show", &model, "--rules", "2"], "");
    assert!(shorter.contains("\n2. IF ") && !shorter.contains("\n3. IF "), "{shorter}");
}

/// Runs what was exported, by the table as a database and as Python read it.
const SCRIPT: &str = r#"
import csv, json, sqlite3, sys
data, query, module = sys.argv[1:]
rows = list(csv.DictReader(open(data)))
database = sqlite3.connect(":memory:")
database.execute("CREATE TABLE data (size REAL, floor REAL, lift TEXT, built REAL, district TEXT, rent REAL)")
cells = [[cell if cell else None for cell in row.values()] for row in rows]
database.executemany("INSERT INTO data VALUES (?, ?, ?, ?, ?, ?)", cells)
found = database.execute(open(query).read())
place = [head[0] for head in found.description].index("predicted")
names = {}
exec(open(module).read(), names)
print(json.dumps({"sql": [row[place] for row in found], "python": names["predict_all"](rows)}))
"#;

#[test]
fn databases_and_python_give_the_same_number() {
    let kinds = [
        ("rules", &[][..]),
        ("rules", &["--mode", "list"]),
        ("rules", &["--loss", "absolute"]),
        ("xcs", &[]),
    ];
    for (learner, more) in kinds {
        let folder = Folder::new();
        let (model, _) = learned(&folder, learner, more);
        let data = flats();
        let predicted = numbers(&done(["predict", &model, &data, "--quiet"], ""), 1);
        let query = folder.file("q.sql", done(["show", &model, "--format", "sql"], ""));
        let module = folder.file("m.py", done(["show", &model, "--format", "python"], ""));
        let script = folder.file("script.py", SCRIPT);
        let output = Command::new("python3").args([&script, &data, &query, &module]).output();
        let output = output.expect("python3 is needed to run what is exported");
        assert!(output.status.success(), "{}", stderr(&output));
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        for form in ["sql", "python"] {
            let numbers: Vec<f64> = answer[form]
                .as_array()
                .expect("numbers")
                .iter()
                .filter_map(Value::as_f64)
                .collect();
            assert_eq!(numbers, predicted, "{learner} {form} {more:?}");
        }
    }
}

/// Learns a classifier system from the rents and returns the bytes of its model.
fn system(folder: &Folder, more: &[&str]) -> String {
    let (model, _) = learned(folder, "xcs", more);
    std::fs::read_to_string(model).expect("a model")
}

#[test]
fn a_classifier_system_is_the_same_after_a_stop_and_with_any_number_of_threads() {
    let folder = Folder::new();
    let kept = folder.at("run");
    let one = system(&folder, &["--iterations", "8000", "--threads", "1"]);
    assert_eq!(system(&folder, &["--iterations", "8000", "--threads", "3"]), one);
    let stopped = ["--iterations", "3000", "--checkpoint", &kept];
    assert_ne!(system(&folder, &stopped), one);
    let resumed = ["--iterations", "8000", "--checkpoint", &kept, "--resume"];
    assert_eq!(system(&folder, &resumed), one);
}

/// Returns the experience of each rule of the population of a model, by condition.
fn experience(model: &str) -> HashMap<String, u64> {
    let model: Value = serde_json::from_str(model).expect("JSON");
    let members = model["model"]["everyone"].as_array().expect("a population");
    let entry = |one: &Value| Some((one["when"].as_str()?.to_owned(), one["experience"].as_u64()?));
    members.iter().filter_map(entry).collect()
}

#[test]
fn a_classifier_system_learns_on_and_refuses_what_needs_classes() {
    let folder = Folder::new();
    let (data, kept) = (flats(), folder.at("kept.json"));
    let first = system(&folder, &["--iterations", "4000", "--keep-population"]);
    std::fs::write(&kept, &first).expect("a file");
    let more = ["--iterations", "1000", "--keep-population", "--continue", &kept];
    let (before, after) = (experience(&first), experience(&system(&folder, &more)));
    let learned_on = before.iter().filter(|(when, own)| after.get(*when) > Some(*own)).count();
    assert!(3 * learned_on > before.len(), "{learned_on} of {}", before.len());
    let out = folder.at("other.json");
    for (more, words) in [
        (&["--mode", "reward"][..], "--mode: in mode 'reward' rules choose one of several classes"),
        (&["--keep-all"], "--keep-all: a whole population predicts a number by a weighted mean"),
        (&["--accurate-from", "0.9"], "--accurate-from: the target is a number"),
        (&["--class-weight", "balanced"], "--class-weight: the target is a number"),
        (
            &["--task", "classes", "--target", "lift", "--continue", &kept],
            "the model to continue from predicts a number, but the data has classes as target",
        ),
    ] {
        let mut words_of = vec!["learn", "xcs", &data, "--out", &out, "--quiet"];
        if !more.contains(&"--target") {
            words_of.extend(["--target", "rent"]);
        }
        words_of.extend(more);
        let wrong = refused(&words_of);
        let line = wrong.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(line.contains(words), "{wrong}");
    }
    let csv = done(["show", &kept, "--format", "csv"], "");
    assert!(csv.starts_with("rule,condition,amount,covers,mean,"), "{csv}");
    let page = done(["show", &kept, "--format", "html"], "");
    assert!(page.contains("the amounts of all rules that apply"), "{page}");
    let script = done(["show", &kept, "--format", "javascript"], "");
    assert!(script.contains("predict"), "{script}");
}

fn refused(arguments: &[&str]) -> String {
    let output = run_with(&mut pellucid(arguments), b"");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    stderr(&output)
}

#[test]
fn the_type_of_the_target_is_reported() {
    let folder = Folder::new();
    let (data, model) = (flats(), folder.at("m.json"));
    let learn_messages = |more: &[&str]| {
        let words = ["learn", "rules", &data, "--out", &model, "--force", "--no-inner-folds"];
        let output = run_with(&mut pellucid(words.iter().chain(more)), b"");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stderr(&output)
    };
    let rent = learn_messages(&["--target", "rent"]);
    assert!(rent.contains("different numbers is a number; use --task classes"), "{rent}");
    // Few numbers are classes, unless --task says otherwise.
    let floor = learn_messages(&["--target", "floor"]);
    assert!(!floor.contains("--task") && floor.contains("Training accuracy "), "{floor}");
    let floor = learn_messages(&["--target", "floor", "--task", "number"]);
    assert!(floor.contains("R² "), "{floor}");
    let wrong = refused(&[
        "learn", "rules", &data, "--target", "lift", "--task", "number", "--out", &model, "--force",
    ]);
    assert!(wrong.contains("--task: flats"), "{wrong}");
    assert!(wrong.contains("in target column 'lift'; expected a number"), "{wrong}");
    let (model, _) = learned(&folder, "rules", &[]);
    let wrong = refused(&["predict", &model, &data, "--threshold", "0.5"]);
    assert!(wrong.contains("the model predicts a number"), "{wrong}");
}

/// Bags: the number of a group of rows.
#[test]
fn bags_have_numbers_too() {
    let folder = Folder::new();
    let mut text = "order,piece,weight,cost\n".to_owned();
    for order in 0..120_u32 {
        let pieces = 1 + order % 4;
        let heavy = order % 3 == 0;
        let cost = 10.5 + if heavy { 20.0 } else { 0.0 } + f64::from(u8::from(pieces > 2)) * 5.0;
        for piece in 0..pieces {
            let weight = if heavy && piece == 0 { 50 + order % 9 } else { order * 7 % 30 };
            text += &format!("o{order},{piece},{weight},{}\n", cost + f64::from(order % 2) * 0.25);
        }
    }
    let (data, model) = (folder.file("orders.csv", text), folder.at("m.json"));
    let words = [
        "learn", "rules", &data, "--bag", "order", "--target", "cost", "--task", "number", "--out",
        &model, "--quiet",
    ];
    let text = done(words, "");
    assert!(text.contains("some row has weight > "), "{text}");
    let lines = answers(&done(["predict", &model, &data, "--json", "--quiet"], ""));
    let last = lines.last().expect("a summary");
    assert!(last["r2"].as_f64().expect("a figure") > 0.95, "{last}\n{text}");
    assert!(done(["show", &model, "--format", "sql"], "").contains("GROUP BY"));
}

#[test]
fn real_tables_are_explained_better_than_by_their_mean() {
    for (file, target, least) in
        [("pima-indians-diabetes.csv", "6", 0.1), ("parkinsons.data", "PPE", 0.5)]
    {
        let Some(path) = real(&format!("tabular/{file}")) else { continue };
        let path = path.display().to_string();
        let words = [
            "cv", "rules", &path, "--target", target, "--task", "number", "--folds", "5", "--json",
            "--quiet",
        ];
        let summary = &answers(&done(words, ""))[0]["summary"];
        assert!(summary["r2"]["value"].as_f64().expect("a figure") > least, "{file}: {summary}");
    }
}
