//! `learn xcs` and what follows from it: one seed one model, resuming, explaining, exporting, judging.

use crate::support::{Folder, answers, done, pellucid, run_with, stderr};
use serde_json::Value;

/// Numbers, words and gaps; the class follows from two columns.
fn rows(count: u32) -> String {
    let mut text = "height,width,colour,kind\n".to_owned();
    for row in 0..count {
        let (height, width) = (row * 37 % 101, row * 53 % 89);
        let colour = ["red", "green", "blue"][(row * 7 % 3) as usize];
        let kind = if height > 50 && colour != "blue" { "tall" } else { "plain" };
        let width = if row % 13 == 0 { String::new() } else { width.to_string() };
        text += &format!("{height},{width},{colour},{kind}\n");
    }
    text
}

#[test]
fn from_a_file_to_a_model_that_explains_itself() {
    let folder = Folder::new();
    let (data, model) = (folder.file("rows.csv", rows(300)), folder.at("model.json"));
    let learn = ["learn", "xcs", &data, "--target", "kind", "--iterations", "20000"];
    let events = done([&learn[..], &["--out", &model, "--json", "--quiet"]].concat(), "");
    let result = answers(&events).pop().expect("a result");
    assert_eq!(result["train"]["accuracy"], 1.0, "{result}");
    assert_eq!(result["stop"], "steps");
    assert!(result["population"]["copies"].as_u64().is_some_and(|copies| copies <= 2000));
    let text = done(["show", &model], "");
    assert!(text.contains("height > 50") && text.contains("colour"), "{text}");
    let why = done(["predict", &model, &data, "--explain", "--quiet"], "");
    assert!(why.contains("applies: IF") && why.contains("height = "), "{why}");
    for (format, sign) in
        [("sql", "CASE WHEN"), ("python", "def predict"), ("csv", "rule,condition")]
    {
        assert!(done(["show", &model, "--format", format], "").contains(sign), "{format}");
    }
    // The same seed on another number of threads, and again.
    let other = folder.at("other.json");
    done([&learn[..], &["--out", &other, "--quiet", "--threads", "2"]].concat(), "");
    let bytes = |path: &str| std::fs::read(path).expect("a model");
    assert_eq!(bytes(&model), bytes(&other));
}

#[test]
fn a_resumed_run_gives_the_same_model() {
    let folder = Folder::new();
    let data = folder.file("rows.csv", rows(200));
    let (whole, halves, kept) =
        (folder.at("whole.json"), folder.at("halves.json"), folder.at("kept"));
    let learn = |iterations: &str, rest: &[&str]| {
        let start =
            ["learn", "xcs", &data, "--target", "kind", "--quiet", "--iterations", iterations];
        done([&start[..], rest].concat(), "")
    };
    learn("12000", &["--out", &whole]);
    learn("5000", &["--out", &folder.at("half.json"), "--checkpoint", &kept]);
    learn("12000", &["--out", &halves, "--checkpoint", &kept, "--resume"]);
    let model = |path: &str| -> Value {
        serde_json::from_slice(&std::fs::read(path).expect("a model")).expect("JSON")
    };
    assert_eq!(model(&whole), model(&halves));
}

#[test]
fn training_continues_from_a_stored_population() {
    let folder = Folder::new();
    let (old, new) = (folder.file("old.csv", rows(200)), folder.file("new.csv", rows(260)));
    let (first, second, third) =
        (folder.at("first.json"), folder.at("second.json"), folder.at("third.json"));
    let learn = |data: &str, rest: &[&str]| {
        let start = ["learn", "xcs", data, "--target", "kind", "--json", "--iterations", "3000"];
        answers(&done([&start[..], rest].concat(), ""))
    };
    learn(&old, &["--keep-population", "--out", &first]);
    let continued = learn(&new, &["--continue", &first, "--keep-population", "--out", &second]);
    let started = &continued[0];
    assert_eq!(
        (&started["event"], &started["counts"]),
        (&"started".into(), &"examples shown".into())
    );
    let result = continued.last().expect("a result");
    assert!(result["held_out"].is_null(), "the examples may have been seen: {result}");
    // What was known is known from the first thousand examples on.
    let fresh = learn(&new, &["--no-inner-folds", "--out", &third]);
    let begins = |events: &[Value]| events[1]["values"]["accuracy"].as_f64().expect("a figure");
    assert!(
        begins(&continued) > begins(&fresh) + 0.02,
        "{} {}",
        begins(&continued),
        begins(&fresh)
    );
    let output = run_with(
        &mut pellucid([
            "learn",
            "rules",
            &new,
            "--target",
            "kind",
            "--continue",
            &first,
            "--out",
            &folder.at("rules.json"),
        ]),
        b"",
    );
    assert_eq!(output.status.code(), Some(2));
    let message = stderr(&output);
    assert!(
        message.contains("--continue: rules cannot continue from an earlier model"),
        "{message}"
    );
}

#[test]
fn cross_validation_reports_metrics() {
    let folder = Folder::new();
    let data = folder.file("rows.csv", rows(150));
    let events = done(
        [
            "cv",
            "xcs",
            &data,
            "--target",
            "kind",
            "--folds",
            "3",
            "--iterations",
            "8000",
            "--json",
            "--quiet",
        ],
        "",
    );
    let result = answers(&events).pop().expect("a result");
    let mean = result["accuracy"]["mean"].as_f64().expect("a mean");
    assert!(mean > 0.9 && mean > result["baseline"].as_f64().expect("a baseline"), "{result}");
}

#[test]
fn bags_and_wrong_flags_are_rejected() {
    let folder = Folder::new();
    let data = folder.file("rows.csv", rows(30));
    let run = |rest: &[&str]| {
        let start = ["learn", "xcs", &data, "--target", "kind", "--quiet"];
        run_with(&mut pellucid([&start[..], rest].concat()), b"")
    };
    let bags = folder.file("bags.csv", "box,x,kind\n1,1,a\n1,2,a\n2,3,b\n2,4,b\n3,1,a\n4,5,b\n");
    let output = run_with(&mut pellucid(["learn", "xcs", &bags, "--bag", "box", "--quiet"]), b"");
    assert_eq!(output.status.code(), Some(2));
    let message = stderr(&output);
    assert!(message.contains("classifiers learn from single rows"), "{message}");
    let output = run(&["--mode", "reward", "--accurate-from", "0.9"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}
