//! The numbers people need: figures with intervals, probabilities, decisions by threshold and cost, targets
//! and their ways out.

use crate::support::{Folder, answers, done, pellucid, run_with, stderr, stdout};
use pellucid_testdata::real;
use serde_json::Value;

/// Visits of forty people, several each: who is old is ill, more or less.
fn visits(folder: &Folder) -> String {
    let mut text = "age,weight,person,ill\n".to_owned();
    for visit in 0..160_u32 {
        let person = visit / 4;
        let age = 20 + (person * 37) % 60;
        let ill = age > 55 || person % 9 == 0;
        let weight = 1 + visit % 3;
        text +=
            &format!("{},{weight},p{person},{}\n", age + visit % 3, if ill { "yes" } else { "no" });
    }
    folder.file("visits.csv", text)
}

/// The visits, and a model of them.
fn learned(folder: &Folder) -> (String, String) {
    let (data, model) = (visits(folder), folder.at("m.json"));
    done(["learn", "rules", &data, "--ignore", "person,weight", "--out", &model, "--quiet"], "");
    (data, model)
}

fn refused(arguments: &[&str]) -> String {
    let output = run_with(&mut pellucid(arguments), b"");
    assert_eq!(output.status.code(), Some(2), "{}{}", stdout(&output), stderr(&output));
    stderr(&output)
}

/// A figure lies within its interval, and the interval is one.
fn assert_interval(figure: &Value) {
    let number = |name: &str| figure[name].as_f64().unwrap_or_else(|| panic!("{name} of {figure}"));
    assert!(number("low") <= number("value") && number("value") <= number("high"), "{figure}");
    assert!(number("low") < number("high"), "{figure}");
}

#[test]
fn cross_validation_predictions_and_learning_give_the_same_figures() {
    let folder = Folder::new();
    let (data, model) = (visits(&folder), folder.at("m.json"));
    let same = ["--ignore", "person,weight", "--json", "--quiet"];
    let learned = answers(&done(
        ["learn", "rules", &data, "--force", "--out", &model].iter().chain(&same),
        "",
    ));
    let validated = answers(&done(["cv", "rules", &data, "--folds", "4"].iter().chain(&same), ""));
    let predicted = answers(&done(["predict", &model, &data, "--json", "--quiet"], ""));
    let learned = &learned.last().expect("a result")["held_out"];
    let validated = &validated[0]["summary"];
    let predicted = &predicted.last().expect("a summary")["summary"];
    for summary in [learned, validated, predicted] {
        for name in
            ["accuracy", "balanced_accuracy", "f1", "auc", "log_loss", "brier", "lift_at_20"]
        {
            assert_interval(&summary[name]);
            assert!(summary[name]["trivial"].is_number(), "{name} of {summary}");
        }
        assert_eq!((&summary["judged"], &summary["positive"]), (&160.into(), &"yes".into()));
        for class in summary["classes"].as_array().expect("classes") {
            assert_interval(&class["precision"]);
            assert_interval(&class["recall"]);
        }
        let cells = summary["confusion"].as_array().expect("rows").iter();
        let all: u64 =
            cells.flat_map(|row| row.as_array().expect("cells")).filter_map(Value::as_u64).sum();
        assert_eq!(all, 160);
    }
    let text =
        done(["cv", "rules", &data, "--ignore", "person,weight", "--folds", "4", "--quiet"], "");
    for words in
        ["95 % interval", "positive class: 'yes'", "predicted no", "lift at 20 %", "actual yes"]
    {
        assert!(text.contains(words), "{words} in\n{text}");
    }
}

#[test]
fn learning_ends_with_an_estimate_from_folds_that_were_held_out() {
    let folder = Folder::new();
    // Labels without any pattern: the training score alone would be misleading.
    let mut text = "a,b,c,class\n".to_owned();
    for row in 0..80_u64 {
        let mixed = row.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let cell = |at: u32| (mixed >> at) % 97;
        text += &format!("{},{},{},{}\n", cell(7), cell(19), cell(31), (mixed >> 50) % 2);
    }
    let (data, model) = (folder.file("noise.csv", text), folder.at("m.json"));
    let output = run_with(
        &mut pellucid(["learn", "rules", &data, "--always-vote", "--force", "--out", &model]),
        b"",
    );
    let message = stderr(&output);
    assert!(message.contains("Held-out estimate (5-fold cross-validation)"), "{message}");
    let lines = answers(&done(
        ["learn", "rules", &data, "--force", "--out", &model, "--json", "--quiet"],
        "",
    ));
    let result = lines.last().expect("a result");
    let low = result["held_out"]["accuracy"]["low"].as_f64().expect("an estimate");
    assert!(low < 0.5, "noise is not learned: {}", result["held_out"]["accuracy"]);
    let kept = std::fs::read_to_string(&model).expect("a model");
    assert!(kept.contains("\"calibration\": {"), "{kept}");
    let without = done(
        ["learn", "rules", &data, "--mode", "g3p-mi", "--generations", "3", "--population", "20"]
            .iter()
            .chain(&["--no-inner-folds", "--force", "--out", &model, "--json", "--quiet"]),
        "",
    );
    assert!(answers(&without).last().expect("a result")["held_out"].is_null());
    let predicted = done(["predict", &model, &data, "--quiet"], "");
    assert!(predicted.starts_with("row,predicted,actual,score for 0,score for 1\n"), "{predicted}");
    let message = refused(&["predict", &model, &data, "--threshold", "0.3"]);
    assert!(message.contains("--threshold: found a model without probabilities"), "{message}");
}

#[test]
fn thresholds_and_costs_decide_by_probability() {
    let folder = Folder::new();
    let (data, model) = learned(&folder);
    let called = |more: &[&str]| -> Vec<(String, f64)> {
        let text = done(["predict", &model, &data, "--quiet"].iter().chain(more), "");
        let row = |line: &str| {
            let cells: Vec<&str> = line.split(',').collect();
            (cells[1].to_owned(), cells[2].parse().expect("a probability"))
        };
        text.lines().skip(1).map(row).collect()
    };
    for (flags, least) in
        [(["--threshold", "0.2"], 0.2), (["--cost", "yes=4"], 0.2), (["--cost", "no=9"], 0.9)]
    {
        for (class, probability) in called(&flags) {
            // What is printed is rounded.
            if (probability - least).abs() > 1e-3 {
                assert_eq!(class == "yes", probability > least, "{probability} at {flags:?}");
            }
        }
    }
    // An explanation is about the class that was decided on, whatever the votes say.
    for (flags, by) in
        [(["--threshold", "0.001"], "threshold of 0.1 %"), (["--cost", "yes=999"], "no (cost 1), ")]
    {
        let all = called(&flags);
        let row = all.iter().position(|(class, _)| class == "yes").expect("nearly all");
        for asked in [&["--row", &(row + 1).to_string()][..], &["--explain"]] {
            let text =
                done(["predict", &model, &data, "--quiet"].iter().chain(&flags).chain(asked), "");
            // Of all rows some explanation is of a yes; of one row it is the head.
            let of_all = asked == ["--explain"];
            let head = if of_all { &text } else { text.split("\n  votes").next().unwrap_or("") };
            assert!(head.replace("\n  ", " ").contains(": yes, decided by "), "{text}");
            assert!(text.replace("\n  ", " ").contains(by), "{text}");
        }
    }
    let message = refused(&["predict", &model, &data, "--cost", "maybe=4"]);
    assert!(message.contains("--cost: found class 'maybe'; expected one of no, yes"), "{message}");
    let message = refused(&["predict", &model, &data, "--threshold", "2"]);
    let expected = "--threshold: found 2; expected a number greater than 0 and less than 1";
    assert!(message.contains(expected), "{message}");
}

#[test]
fn labels_of_unknown_classes_are_not_evaluated() {
    let folder = Folder::new();
    let (_, model) = learned(&folder);
    let unknown = folder.file("unknown.csv", "age,ill\n30,ja\n70,nein\n");
    let lines = answers(&done(["predict", &model, &unknown, "--json", "--quiet"], ""));
    let summary = lines.last().expect("a summary");
    assert_eq!(summary["judged"], 0);
    assert!(summary["accuracy"].is_null() && summary["f1"].is_null(), "{summary}");
    let output = run_with(&mut pellucid(["predict", &model, &unknown]), b"");
    assert!(
        stderr(&output).contains("no example has a class that the model knows"),
        "{}",
        stderr(&output)
    );
    assert!(stdout(&output).contains(",ja,"), "no actual class: {}", stdout(&output));
}

#[test]
fn people_are_kept_together() {
    let folder = Folder::new();
    let data = visits(&folder);
    let base = ["cv", "rules", &data, "--ignore", "weight", "--folds", "4", "--json", "--quiet"];
    let lines = answers(&done(base.iter().chain(&["--groups", "person"]), ""));
    assert_eq!(lines[0]["summary"]["units"], 40);
    assert_eq!(lines[0]["summary"]["judged"], 160);
    let message = refused(&["cv", "rules", &data, "--groups", "persn", "--quiet"]);
    assert!(message.contains("--groups: unknown column 'persn'"), "{message}");
    assert!(message.contains("did you mean 'person'?"), "{message}");
    let message =
        refused(&["cv", "rules", &data, "--groups", "person", "--folds", "41", "--quiet"]);
    assert!(message.contains("41; expected at most 40, the number of groups"), "{message}");
    // Each row twelve times: apart they would judge each other.
    let copies: String = (0..720).map(|row| format!("{},{}\n", row / 12, row / 12 % 2)).collect();
    let copied = folder.file("copies.csv", format!("x,class\n{copies}"));
    let base = ["cv", "rules", &copied, "--folds", "4", "--always-vote", "--json", "--quiet"];
    let apart = answers(&done(base, ""));
    let together = answers(&done(base.iter().chain(&["--groups", "identical"]), ""));
    assert_eq!(together[0]["summary"]["units"], 60);
    let accuracy = |lines: &[Value]| lines[0]["accuracy"]["mean"].as_f64().expect("a number");
    assert!(accuracy(&together) < accuracy(&apart), "{} {}", together[0], apart[0]);
}

#[test]
fn weights_count_when_learning() {
    let folder = Folder::new();
    // At x = 1 both classes occur; the weights say which one matters there.
    let rows: String = (0..120)
        .map(|row| format!("{},{},{}\n", row % 3, if row % 2 == 0 { 9 } else { 1 }, row % 2))
        .collect();
    let data = folder.file("weighed.csv", format!("x,w,class\n{rows}"));
    let model = folder.at("m.json");
    let share = |more: &[&str]| {
        done(
            ["learn", "rules", &data, "--force", "--out", &model, "--quiet"].iter().chain(more),
            "",
        );
        let text = done(["predict", &model, &data, "--quiet"], "");
        text.lines().skip(1).filter(|line| line.split(',').nth(1) == Some("0")).count()
    };
    assert_eq!(
        share(&["--weight", "w"]),
        120,
        "everybody is of the class that weighs nine times as much"
    );
    let kept = std::fs::read_to_string(&model).expect("a model");
    assert!(!kept.contains("\"w\""), "a weight predicts nothing: {kept}");
    let odd = folder.file("odd.csv", "x,w,class\n1,1,a\n2,-3,b\n3,1,a\n4,1,b\n");
    let message =
        refused(&["learn", "rules", &odd, "--weight", "w", "--force", "--out", &model, "--quiet"]);
    assert!(message.contains("--weight: line 3: found -3.0 in column 'w'"), "{message}");
}

#[test]
fn class_weights_are_checked_before_anything_is_read() {
    for weight in ["east=1e308", "east=inf", "east=NaN", "east=0"] {
        let message = refused(&["learn", "rules", "no-such-file.csv", "--class-weight", weight]);
        assert!(
            message.contains("--class-weight: found")
                && message.contains("from 0.000001 to 1000000"),
            "{message}"
        );
    }
    let folder = Folder::new();
    let (data, model) = (visits(&folder), folder.at("m.json"));
    let base = [
        "learn",
        "rules",
        &data,
        "--ignore",
        "person,weight",
        "--force",
        "--out",
        &model,
        "--quiet",
    ];
    done(base.iter().chain(&["--class-weight", "balanced"]), "");
    assert!(std::fs::read_to_string(&model).expect("a model").contains("\"balanced\""));
    let message = refused(&["cv", "rules", &data, "--class-weight", "balancd"]);
    assert!(message.contains("expected balanced, or classes with weights"), "{message}");
}

#[test]
fn a_time_limit_applies_to_every_command() {
    let folder = Folder::new();
    let data = visits(&folder);
    for repeats in ["1000000", "400000000"] {
        let arguments = [
            "cv",
            "rules",
            &data,
            "--ignore",
            "person",
            "--repeats",
            repeats,
            "--time-limit",
            "0.2s",
        ];
        let output = run_with(&mut pellucid(arguments), b"");
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(stderr(&output).contains("stopped "), "{}", stderr(&output));
    }
    let output =
        run_with(&mut pellucid(["cv", "rules", &data, "--time-limit", "0", "--json"]), b"");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("none of the 10 folds was finished"), "{}", stderr(&output));
    let message = refused(&["cv", "rules", &data, "--repeats", "18446744073709551615"]);
    assert!(message.contains("expected at most 4294967295 in total"), "{message}");
}

#[test]
fn errors_about_targets_suggest_flags() {
    let folder = Folder::new();
    let model = folder.at("m.json");
    let prices: String = (0..60).map(|row| format!("{},{}.5\n", row % 7, row * 13)).collect();
    let prices = folder.file("prices.csv", format!("rooms,price\n{prices}"));
    for learner in ["rules", "xcs", "network"] {
        let message = refused(&[
            "learn", learner, &prices, "--target", "price", "--task", "classes", "--out", &model,
            "--quiet",
        ]);
        let found =
            "has 60 different numbers in 60 rows, which looks like a quantity rather than classes";
        assert!(message.contains(found), "{message}");
        assert!(
            message.contains("--merge-rare 10") && message.contains("--task number"),
            "{message}"
        );
    }
    let names: String = (0..200).map(|row| format!("{},name {}\n", row % 7, row / 2)).collect();
    let names = folder.file("names.csv", format!("x,who\n{names}"));
    let message = refused(&[
        "learn", "rules", &names, "--target", "who", "--force", "--out", &model, "--quiet",
    ]);
    assert!(
        message.contains("has 100 classes in 200 rows, which is too few rows per class"),
        "{message}"
    );
    let few = "x,kind\n1,a\n2,a\n3,a\n7,b\n8,b\n9,b\n4,c\n5,d\n";
    let few = folder.file("few.csv", few);
    let message = refused(&["learn", "rules", &few, "--force", "--out", &model, "--quiet"]);
    assert!(
        message.contains("2 classes have a single row each ('c', 'd') in column 'kind'"),
        "{message}"
    );
    done(
        ["learn", "rules", &few, "--drop-class", "c,d", "--force", "--out", &model, "--quiet"],
        "",
    );
    done(["learn", "rules", &few, "--merge-rare", "2", "--force", "--out", &model, "--quiet"], "");
    // The model knows what was merged, so rare classes are evaluated as what they became.
    let lines = answers(&done(["predict", &model, &few, "--json", "--quiet"], ""));
    assert_eq!(lines.last().expect("a summary")["judged"], 8);
    assert_eq!(lines[6]["actual"], "other");
    let message =
        refused(&["learn", "rules", &few, "--drop-class", "e", "--force", "--out", &model]);
    assert!(
        message.contains("--drop-class: unknown class 'e'; expected one of a, b, c, d"),
        "{message}"
    );
    let message =
        refused(&["learn", "rules", &few, "--merge-rare", "9", "--force", "--out", &model]);
    assert!(
        message.contains("--merge-rare: all 4 classes have fewer than 9 examples"),
        "{message}"
    );
}

#[test]
fn one_example_is_explained_in_full() {
    let trains = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/trains.csv");
    let folder = Folder::new();
    let model = folder.at("m.json");
    done(
        [
            "learn",
            "rules",
            trains,
            "--bag",
            "train",
            "--target",
            "direction",
            "--out",
            &model,
            "--quiet",
        ],
        "",
    );
    let by_row = done(["predict", &model, trains, "--row", "2", "--quiet"], "");
    let by_name = done(["predict", &model, trains, "--id", "t1", "--quiet"], "");
    assert_eq!(by_row, by_name, "row 2 is one of train t1");
    for words in [
        "bag 't1': east",
        "1 rule applies:",
        "rule 1 applies: IF ",
        "probability: ",
        "actual: east (correct)",
    ] {
        assert!(by_name.contains(words), "{words} in\n{by_name}");
    }
    let lines = answers(&done(["predict", &model, trains, "--id", "t10", "--json", "--quiet"], ""));
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["because"]["rules"][0]["holds"], false);
    let message = refused(&["predict", &model, trains, "--id", "t99"]);
    assert!(message.contains("trains.csv has no column and no train named"), "{message}");
    let message = refused(&["predict", &model, trains, "--row", "0"]);
    assert!(message.contains("has no row "), "{message}");
    // With a column that names the rows, it is that name.
    let named = "id,x,class\nu1,1,a\nu2,2,a\nu3,3,a\nu4,7,b\nu5,8,b\nu6,9,b\n";
    let named = folder.file("named.csv", named);
    done(["learn", "rules", &named, "--id", "id", "--force", "--out", &model, "--quiet"], "");
    assert!(
        done(["predict", &model, &named, "--id", "u5", "--quiet"], "")
            .starts_with("row 5 ('u5'): b")
    );
    assert!(
        done(["predict", &model, &named, "--id", "id", "--quiet"], "").starts_with("id,predicted")
    );
}

#[test]
fn probabilities_are_calibrated_on_real_data() {
    let Some(adult) = real("tabular/pima-indians-diabetes.csv") else { return };
    let file = adult.display().to_string();
    let lines = answers(&done(["cv", "rules", &file, "--folds", "5", "--json", "--quiet"], ""));
    let summary = &lines[0]["summary"];
    let value = |name: &str, what: &str| summary[name][what].as_f64().expect("a number");
    assert!(value("log_loss", "value") < value("log_loss", "trivial"), "{summary}");
    assert!(value("brier", "value") < value("brier", "trivial"), "{summary}");
    assert!(value("auc", "value") > 0.75, "{summary}");
}
