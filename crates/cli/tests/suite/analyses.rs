//! `pellucid compare`, `monitor` and `describe --html`.

use crate::support::{Folder, done, pellucid, run_with, stderr};
use serde_json::Value;

/// Returns a table of two classes; a shift moves one column without moving the classes.
fn table(rows: u32, start: u32, shift: u32) -> String {
    let mut text = "age,color,weight,outcome\n".to_owned();
    for row in start..start + rows {
        let (age, color) = (20 + (row * 7) % 60, ["red", "blue", "green"][(row % 3) as usize]);
        let weight = 50 + (row * 11) % 40;
        let is_ill = (age > 50) != (row % 9 == 0) || (color == "red" && row % 2 == 0);
        let outcome = if is_ill { "ill" } else { "well" };
        text += &format!("{},{color},{weight},{outcome}\n", age + shift);
    }
    text
}

/// Returns a folder with two models and data that they were not trained on.
fn models() -> (Folder, [String; 3]) {
    let folder = Folder::new();
    let train = folder.file("train.csv", table(180, 0, 0));
    let test = folder.file("test.csv", table(120, 1000, 0));
    let paths = ["a.json", "b.json"].map(|name| folder.at(name));
    let target = ["--target", "outcome", "--quiet", "--out"];
    done(["learn", "rules", &train].into_iter().chain(target).chain([paths[0].as_str()]), "");
    let few = ["--most-rules", "1"];
    let learn = ["learn", "rules", &train].into_iter().chain(target).chain([paths[1].as_str()]);
    done(learn.chain(few), "");
    let [a, b] = paths;
    (folder, [a, b, test])
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&done(arguments.iter().copied(), "")).expect("one JSON object")
}

#[test]
fn two_models_are_compared() {
    let (folder, [a, b, test]) = models();
    let found = json(&["compare", &a, &b, &test, "--json", "--quiet", "--limit", "3"]);
    assert_eq!(found["evaluated"], 120);
    // The figures are those of `predict`.
    for (key, model) in [("a", &a), ("b", &b)] {
        let predicted = done(["predict", model, &test, "--json", "--quiet"], "");
        let summary: Value =
            serde_json::from_str(predicted.lines().last().expect("a summary")).expect("JSON");
        assert_eq!(found["figures"][0][key]["value"], summary["summary"]["accuracy"]["value"]);
    }
    let count = |name: &str| found["correct"][name].as_u64().expect("a count");
    assert_eq!(count("both") + count("only_a") + count("only_b") + count("neither"), 120);
    let listed = found["disagreements"].as_array().expect("a list").len() as u64;
    assert_eq!(listed, found["differing"].as_u64().expect("a count").min(3));
    let page = folder.at("compare.html");
    let text = done(["compare", &a, &b, &test, "--quiet", "--out", &page], "");
    assert!(text.starts_with("A: a.json (rules)\nB: b.json (rules)\n"), "{text}");
    assert!(text.contains("B - A (95 % interval)"), "{text}");
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.contains("drawComparison") && page.contains("Content-Security-Policy"));
}

#[test]
fn a_model_agrees_with_itself() {
    let (_folder, [a, _, test]) = models();
    let text = done(["compare", &a, &a, &test, "--quiet"], "");
    assert!(text.contains("Both have the same accuracy."), "{text}");
    assert!(text.ends_with("The models agree on all 120 rows.\n"), "{text}");
}

#[test]
fn other_targets_and_missing_labels_are_reported() {
    let (folder, [a, b, _]) = models();
    let other = folder.at("other.json");
    let train = folder.at("train.csv");
    done(["learn", "rules", &train, "--target", "color", "--out", &other, "--quiet"], "");
    let failed = run_with(&mut pellucid(["compare", &a, &other, &train]), b"");
    let expected = "a.json predicts 'outcome' and other.json predicts 'color'; \
                    expected two models of one target";
    assert!(stderr(&failed).contains(expected), "{}", stderr(&failed));
    let unlabeled = folder.file("unlabeled.csv", "age,color,weight\n70,red,60\n21,blue,55\n");
    let text = done(["compare", &a, &b, &unlabeled, "--quiet"], "");
    assert!(text.contains("The data has no actual values, so there are no figures."), "{text}");
    let failed = run_with(&mut pellucid(["compare", &a, &b, "-"]), b"");
    assert!(stderr(&failed).contains("use a file instead of standard input"));
}

#[test]
fn drift_is_found_and_equal_data_is_stable() {
    let (folder, [a, _, test]) = models();
    let stable = json(&["monitor", &a, &test, "--json", "--quiet"]);
    let severities = |found: &Value| -> Vec<String> {
        let columns = found["columns"].as_array().expect("columns").iter();
        columns.map(|one| format!("{} {}", one["name"], one["severity"])).collect()
    };
    assert!(severities(&stable).iter().all(|one| one.ends_with("\"stable\"")), "{stable}");
    assert_eq!(stable["reference"], Value::Null);
    assert_eq!((&stable["reference_rows"], &stable["rows"]), (&180.into(), &120.into()));
    assert!(stable["quality"][0]["reference"]["value"].is_number(), "held-out figures");
    let shifted = folder.file("shifted.csv", table(120, 1000, 30));
    let found = json(&["monitor", &a, &shifted, "--json", "--quiet"]);
    assert_eq!(severities(&found)[0], "\"age\" \"drift\"");
    let page = folder.at("monitor.html");
    let text = done(["monitor", &a, &shifted, "--quiet", "--out", &page], "");
    assert!(text.contains("1 of 3 columns drifts: age."), "{text}");
    assert!(std::fs::read_to_string(page).expect("a page").contains("drawMonitoring"));
    // Compared with itself, the shifted data is stable.
    let itself = json(&["monitor", &a, &shifted, "--reference", &shifted, "--json", "--quiet"]);
    assert!(severities(&itself).iter().all(|one| one.ends_with("\"stable\"")), "{itself}");
    assert_eq!(itself["reference"], "shifted.csv");
}

#[test]
fn a_model_without_a_profile_needs_a_reference() {
    let (folder, [a, _, test]) = models();
    let text = std::fs::read_to_string(&a).expect("a model");
    let mut model: Value = serde_json::from_str(&text).expect("JSON");
    model.as_object_mut().expect("an object").remove("training");
    let old = folder.file("old.json", model.to_string());
    let failed = run_with(&mut pellucid(["monitor", &old, &test, "--quiet"]), b"");
    let expected = "--reference: the model file has no profile of its training data";
    assert!(stderr(&failed).contains(expected), "{}", stderr(&failed));
    let train = folder.at("train.csv");
    let found = json(&["monitor", &old, &test, "--reference", &train, "--json", "--quiet"]);
    assert_eq!(found["reference_rows"], 180);
}

#[test]
fn a_description_is_written_as_a_page() {
    let folder = Folder::new();
    let data = folder.file("people.csv", table(60, 0, 0));
    let page = folder.at("people.html");
    let text = done(["describe", &data, "--quiet"], "");
    assert_eq!(done(["describe", &data, "--quiet", "--html", &page], ""), text);
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.contains("drawDescription") && page.contains("\"target\":\"outcome\""));
    let failed = run_with(&mut pellucid(["describe", &data, "--html", &data]), b"");
    assert!(stderr(&failed).contains("would overwrite the data"), "{}", stderr(&failed));
}
