//! `learn network` and what follows from it: one seed one model, resuming, explaining, exporting, judging.

use crate::support::{Folder, answers, done};
use serde_json::Value;

const QUICK: [&str; 8] =
    ["--rounds", "6", "--nodes", "4", "--generations", "3", "--population", "8"];

fn letters() -> String {
    pellucid_testdata::ours("examples/letters.csv").display().to_string()
}

#[test]
fn from_a_file_to_a_model_that_explains_itself() {
    let (folder, data) = (Folder::new(), letters());
    let model = folder.at("model.json");
    let learn = [&["learn", "network", &data, "--target", "answered"][..], &QUICK].concat();
    let events = done([&learn[..], &["--out", &model, "--json", "--quiet"]].concat(), "");
    let result = answers(&events).pop().expect("a result");
    assert!(result["train"]["auc"].as_f64().is_some_and(|auc| auc > 0.7), "{result}");
    assert_eq!((&result["stop"], &result["networks"]), (&"finished".into(), &5.into()));
    let text = done(["show", &model], "");
    assert!(text.contains("Held-out performance ("), "{text}");
    assert!(text.contains("highest scores") && text.contains("  age  "), "{text}");
    let why = done(["predict", &model, &data, "--explain", "--quiet"], "");
    assert!(why.contains("('yes' if above ") && why.contains("age = "), "{why}");
    let table = done(["predict", &model, &data, "--quiet"], "");
    assert!(
        table.starts_with("row,predicted,probability of yes,actual,score for no,score for yes")
    );
    for (format, sign) in [("sql", "AS \"score\""), ("python", "def score"), ("svg", "<svg")] {
        assert!(done(["show", &model, "--format", format], "").contains(sign), "{format}");
    }
    let other = folder.at("other.json");
    done([&learn[..], &["--out", &other, "--quiet", "--threads", "2"]].concat(), "");
    let bytes = |path: &str| std::fs::read(path).expect("a model");
    assert_eq!(bytes(&model), bytes(&other));
}

#[test]
fn a_resumed_run_gives_the_same_model() {
    let (folder, data) = (Folder::new(), letters());
    let (whole, halves, kept) =
        (folder.at("whole.json"), folder.at("halves.json"), folder.at("kept"));
    for mode in ["default", "paper"] {
        let learn = |generations: &str, rest: &[&str]| {
            let start = [
                "learn",
                "network",
                &data,
                "--target",
                "answered",
                "--quiet",
                "--force",
                "--nodes",
                "3",
                "--population",
                "6",
                "--no-inner-folds",
                "--mode",
                mode,
                "--generations",
                generations,
            ];
            done([&start[..], rest].concat(), "")
        };
        learn("6", &["--out", &whole]);
        learn("2", &["--out", &folder.at("half.json"), "--checkpoint", &kept]);
        learn("6", &["--out", &halves, "--checkpoint", &kept, "--resume"]);
        let model = |path: &str| -> Value {
            serde_json::from_slice(&std::fs::read(path).expect("a model")).expect("JSON")
        };
        assert_eq!(model(&whole), model(&halves), "{mode}");
        std::fs::remove_file(&kept).expect("a checkpoint");
    }
}

#[test]
fn cross_validation_reports_lift_and_auc() {
    let data = letters();
    let start =
        ["cv", "network", &data, "--target", "answered", "--folds", "3", "--json", "--quiet"];
    let events = done([&start[..], &QUICK].concat(), "");
    let result = answers(&events).pop().expect("a result");
    let mean = |name: &str| result[name]["mean"].as_f64().expect("a mean");
    assert!(mean("lift") > 1.3 && mean("auc") > 0.6, "{result}");
    assert!(result["lift"]["std"].is_number());
}

#[test]
fn numbers_and_many_classes_are_predicted() {
    let folder = Folder::new();
    let flats = pellucid_testdata::ours("examples/flats.csv").display().to_string();
    let model = folder.at("flats.json");
    let words =
        ["learn", "network", &flats, "--target", "rent", "--out", &model, "--json", "--quiet"];
    let result = answers(&done(words, "")).pop().expect("a result");
    let r2 = |figure: &Value| figure["r2"]["value"].as_f64().expect("R²");
    assert!(r2(&result["held_out"]) > 0.8, "{result}");
    let words = ["cv", "network", &flats, "--target", "rent", "--folds", "3", "--json", "--quiet"];
    assert!(r2(&answers(&done(words, ""))[0]["summary"]) > 0.8);
    let table = done(["predict", &model, &flats, "--quiet"], "");
    assert!(table.starts_with("row,predicted,actual\n1,"), "{table}");
    let why = done(["predict", &model, &flats, "--row", "1", "--quiet"], "");
    assert!(why.contains("row 1: rent = "), "{why}");
    let text = done(["show", &model, "--format", "formula"], "");
    assert!(text.contains("Prediction of rent"), "{text}");
    // A column with three values.
    let model = folder.at("districts.json");
    let words = ["learn", "network", &flats, "--target", "district", "--out", &model, "--quiet"];
    done(words, "");
    let table = done(["predict", &model, &flats, "--json", "--quiet"], "");
    let first = answers(&table).swap_remove(0);
    let shares = first["probability"].as_object().expect("probabilities");
    let sum: f64 = shares.values().filter_map(Value::as_f64).sum();
    assert!(shares.len() > 2 && (sum - 1.0).abs() < 1e-9, "{first}");
    let html = folder.at("report.html");
    done(["report", &model, &flats, "--out", &html, "--quiet"], "");
}
