//! Rows without a label: learning leaves them out and says so, prediction predicts them and scores the
//! others.

use crate::support::{Folder, answers, done, pellucid, run_with, stderr, stdout};
use serde_json::Value;

/// A table of two classes and a number, with labels removed from some rows.
fn table(target: &str, missing: impl Fn(u32) -> bool) -> String {
    let mut text = format!("size,weight,{target}\n");
    for row in 0..80_u32 {
        let (size, weight) = (row % 17, row * 7 % 23);
        let label = match target {
            "class" => ["low", "high"][usize::from(size > 8)].to_owned(),
            _ => format!("{}.5", 3 * size + weight),
        };
        let label = if missing(row) { String::new() } else { label };
        text += &format!("{size},{weight},{label}\n");
    }
    text
}

#[test]
fn predict_predicts_rows_without_a_label_and_scores_the_others() {
    let folder = Folder::new();
    let full = folder.file("full.csv", table("class", |_| false));
    let part = folder.file("part.csv", table("class", |row| row % 4 == 1));
    let learners: [&[&str]; 3] = [
        &["rules"],
        &["xcs", "--iterations", "3000", "--no-inner-folds"],
        &["network", "--generations", "1", "--rounds", "2", "--no-inner-folds"],
    ];
    for learner in learners {
        let model = folder.at(&format!("{}.json", learner[0]));
        let words =
            [&["learn"], learner, &[&full, "--target", "class", "--out", &model, "--quiet"]];
        done(words.concat(), "");
        let lines = answers(&done(["predict", &model, &part, "--json", "--quiet"], ""));
        let (last, rows) = lines.split_last().expect("a summary");
        assert_eq!(rows.len(), 80, "{}", learner[0]);
        let labeled = rows.iter().filter(|row| row.get("actual").is_some()).count();
        assert_eq!((labeled, &last["judged"]), (60, &Value::from(60)), "{}", learner[0]);
        // Where no row has a label there is nothing to score, and still everything to predict.
        let bare = folder.file("bare.csv", table("class", |_| true));
        let lines = answers(&done(["predict", &model, &bare, "--json", "--quiet"], ""));
        assert_eq!(lines.len(), 81);
        assert!(lines[80].get("judged").is_none(), "{}", lines[80]);
    }
}

#[test]
fn numbers_may_be_missing_too() {
    let folder = Folder::new();
    let full = folder.file("full.csv", table("price", |_| false));
    let part = folder.file("part.csv", table("price", |row| row % 5 == 2));
    let model = folder.at("m.json");
    let words = ["learn", "rules", &full, "--target", "price", "--task", "number", "--out", &model];
    done(words.into_iter().chain(["--quiet", "--no-inner-folds"]), "");
    let lines = answers(&done(["predict", &model, &part, "--json", "--quiet"], ""));
    let (last, rows) = lines.split_last().expect("a summary");
    assert_eq!((rows.len(), &last["judged"]), (80, &Value::from(64)), "{last}");
}

#[test]
fn learn_and_cv_skip_unlabeled_rows_and_report_the_number() {
    let folder = Folder::new();
    let part = folder.file("part.csv", table("class", |row| row % 8 == 1));
    let kept: String = table("class", |row| row % 8 == 1)
        .lines()
        .filter(|line| !line.ends_with(','))
        .map(|line| format!("{line}\n"))
        .collect();
    let kept = folder.file("kept.csv", kept);
    let learn = |data: &str, out: &str| {
        let words = ["learn", "rules", data, "--target", "class", "--json", "--out", out];
        run_with(&mut pellucid(words), b"")
    };
    let (one, other) = (folder.at("one.json"), folder.at("other.json"));
    let output = learn(&part, &one);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let note = "skipped 10 rows without a label in target column 'class'";
    assert!(stderr(&output).contains(&format!("note: {note}")), "{}", stderr(&output));
    let result = answers(&stdout(&output)).pop().expect("a result");
    assert!(result["notes"].as_array().expect("a list").contains(&note.into()), "{result}");
    learn(&kept, &other);
    let model = |path: &str| {
        let text = std::fs::read_to_string(path).expect("a model");
        serde_json::from_str::<Value>(&text).expect("JSON")["model"].clone()
    };
    assert_eq!(model(&one), model(&other), "as if the rows were not there");
    let words =
        ["cv", "rules", &part, "--target", "class", "--folds", "2", "--json", "--no-inner-folds"];
    let result = answers(&done(words, "")).pop().expect("a result");
    assert!(result["notes"].as_array().expect("a list").contains(&note.into()), "{result}");
}
