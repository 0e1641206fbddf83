//! Learning, judging, showing and using rules, as a person does it.

use crate::support::{Folder, answers, done, pellucid, run_with, stderr, stdout};
use pellucid_testdata::real;
use serde_json::Value;
use std::process::Command;

fn trains() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/trains.csv").to_owned()
}

/// Learns from the trains and gives the path of the model.
fn learned(folder: &Folder, more: &[&str]) -> String {
    let model = folder.at("model.json");
    let data = trains();
    let base = [
        "learn",
        "rules",
        &data,
        "--bag",
        "train",
        "--target",
        "direction",
        "--force",
        "--out",
        &model,
        "--quiet",
    ];
    done(base.iter().chain(more), "");
    model
}

#[test]
fn the_trains_have_a_short_car_with_a_roof() {
    let folder = Folder::new();
    let model = learned(&folder, &[]);
    assert_eq!(
        done(["show", &model], ""),
        "Predicts direction (east or west) for each bag (column 'train') from 2 columns.\n\
         10 bags: 5 east, 5 west.\n\n\
         IF some row has length = short and roof != none\n\
         THEN east\n     covers 5 of 5 'east' and 0 of 5 'west': precision 100 %, lift 2.0\notherwise west\n"
    );
    let predicted = done(["predict", &model, &trains(), "--quiet"], "");
    let lines: Vec<&str> = predicted.lines().collect();
    assert_eq!(lines.len(), 11);
    assert_eq!(
        lines[0],
        "train,predicted,probability of west,actual,score for east,score for west"
    );
    let first: Vec<&str> = lines[1].split(',').collect();
    assert_eq!(
        [first[0], first[1], first[3], first[4], first[5]],
        ["t1", "east", "east", "1", "0.5"]
    );
    let probability: f64 = first[2].parse().expect("a probability");
    assert!(
        probability > 0.0 && probability <= 0.5,
        "ten trains are too few for certainty: {probability}"
    );
    let explained = done(["predict", &model, &trains(), "--quiet", "--explain"], "");
    assert!(explained.contains("bag 't1': east"), "{explained}");
    assert!(explained.contains("length = short, roof = "), "{explained}");
}

#[test]
fn the_html_page_matches_the_text() {
    let folder = Folder::new();
    let page = done(["show", &learned(&folder, &[]), "--format", "html"], "");
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"), "{page}");
    assert!(page.contains("some row has length = short and roof != none"), "{page}");
    assert!(page.contains("<td>otherwise</td><td>west</td>"), "{page}");
    let Some(data) = real("tabular/pima-indians-diabetes.csv") else { return };
    let (data, model) = (data.to_string_lossy().into_owned(), folder.at("pima.json"));
    let text = done(["learn", "rules", &data, "--out", &model, "--quiet"], "");
    let page = done(["show", &model, "--format", "html"], "");
    let (_, chart) =
        text.split_once("The same model as a table of points").expect("a table of points");
    let (chart, _) = chart.split_once("Accuracy by number of rules").expect("other sizes");
    let rows = chart.lines().filter_map(|line| line.strip_prefix("  ")?.trim().rsplit_once("  "));
    let mut count = 0;
    for (value, points) in rows {
        let value = value.trim().replace('<', "&lt;").replace('>', "&gt;");
        let row = format!("<code>{value}</code></th><td class=\"n\">{}</td>", points.trim());
        assert!(page.contains(&row), "{row}\n{page}");
        count += 1;
    }
    assert!(count > 6, "{text}");
}

#[test]
fn json_ends_with_the_result() {
    let folder = Folder::new();
    let (data, model) = (trains(), folder.at("m.json"));
    for (mode, least) in [("default", 1.0), ("list", 0.5), ("g3p-mi", 0.7), ("pareto", 0.7)] {
        let lines = answers(&done(
            [
                "learn",
                "rules",
                &data,
                "--bag",
                "train",
                "--target",
                "direction",
                "--force",
                "--out",
                &model,
                "--mode",
                mode,
                "--population",
                "50",
                "--generations",
                "5",
                "--json",
            ],
            "",
        ));
        let last = lines.last().expect("a result");
        assert_eq!(last["model"], Value::from(model.as_str()), "{mode}");
        let accuracy = last["train"]["accuracy"].as_f64().expect("a number");
        assert!(accuracy >= least, "{mode}: {last}");
        // What it says of itself is what it does.
        let predicted = answers(&done(["predict", &model, &data, "--json"], ""));
        assert_eq!(predicted.last().expect("a judgement")["accuracy"], accuracy, "{mode}");
        for key in ["stop", "seconds", "device", "evaluated"] {
            assert!(!last[key].is_null(), "{mode}: {key} in {last}");
        }
        assert!(lines.iter().any(|line| line["event"] == "record"), "{mode}");
    }
    let lines = answers(&done(["predict", &model, &data, "--json", "--explain"], ""));
    assert_eq!(lines.len(), 11);
    assert!(lines[0]["because"].is_object() && lines[0]["predicted"].is_string(), "{}", lines[0]);
    assert_eq!(lines[10]["judged"], 10);
}

#[test]
fn cross_validation_reports_the_baseline() {
    let data = trains();
    let base = [
        "cv",
        "rules",
        &data,
        "--bag",
        "train",
        "--target",
        "direction",
        "--folds",
        "5",
        "--repeats",
        "2",
    ];
    let text = done(base.iter().chain(&["--quiet"]), "");
    assert!(text.contains("10 folds") && text.contains("baseline"), "{text}");
    let lines = answers(&done(base.iter().chain(&["--json"]), ""));
    let result = lines.last().expect("a result");
    for metric in ["accuracy", "balanced_accuracy", "f1"] {
        assert!(
            result[metric]["mean"].is_number() && result[metric]["std"].is_number(),
            "{result}"
        );
    }
    assert!(result["baseline"].is_number() && result["seconds"].is_number());
    let again = answers(&done(base.iter().chain(&["--json", "--threads", "1"]), ""));
    assert_eq!(again[0]["accuracy"], result["accuracy"], "any number of threads");
}

/// Every mode, under every instruction set that any machine has and several numbers of threads. Each part of
/// a model is compared where it is cheap to make: the rules of a mode without inner folds, what inner folds
/// add with a small population.
#[test]
fn one_seed_one_model_on_every_machine() {
    let folder = Folder::new();
    let bags = folder.at("bags.csv");
    done(
        ["generate", "bags", "--bags", "24", "--noise", "0.1", "--missing", "0.05", "--out", &bags],
        "",
    );
    let bred = "--population 60 --generations 8 --no-inner-folds";
    let runs = [
        "--mode default --most-rules 8 --most-comparisons 2".to_owned(),
        format!("--mode g3p-mi {bred}"),
        format!("--mode pareto {bred}"),
        "--mode g3p-mi --population 12 --generations 2".to_owned(),
    ];
    for run in &runs {
        let model = |name: &str, threads: &str, level: Option<&str>| {
            let path = folder.at(name);
            let start = ["learn", "rules", &bags, "--bag", "bag", "--seed", "3"];
            let end = ["--threads", threads, "--force", "--out", &path, "--quiet"];
            let mut command = pellucid(start.into_iter().chain(run.split(' ')).chain(end));
            if let Some(level) = level {
                command.env("PELLUCID_SIMD", level);
            }
            let output = run_with(&mut command, b"");
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            std::fs::read_to_string(path).expect("a model")
        };
        let first = model("first.json", "1", None);
        let is_judged = first.contains("\"calibration\"");
        assert_eq!(is_judged, !run.contains("--no-inner-folds"), "{run}: {first}");
        // One row at a time takes its time, and once is enough.
        for (level, threads) in
            [("scalar", "2"), ("portable", "1"), ("portable", "2"), ("portable", "3")]
        {
            let other = model("other.json", threads, Some(level));
            assert_eq!(other, first, "{run} {threads} {level}");
        }
    }
}

/// Runs a query on a CSV file in a database, and a Python module on its rows.
const RUN_EXPORTS: &str = r#"
import csv, sqlite3, sys, runpy
data, query, module, bag = sys.argv[1:5]
rows = list(csv.DictReader(open(data)))
def value(text):
    if text in ("", "?", "NA"):
        return None
    try:
        return float(text)
    except ValueError:
        return text
names = list(rows[0])
table = sqlite3.connect(":memory:")
table.execute("CREATE TABLE data (%s)" % ", ".join('"%s"' % name for name in names))
marks = ", ".join("?" for _ in names)
whole = [{name: (text if name == bag else value(text)) for name, text in row.items()} for row in rows]
table.executemany("INSERT INTO data VALUES (%s)" % marks, [[row[name] for name in names] for row in whole])
for name, predicted, probability, *votes in table.execute(open(query).read()):
    print("sql", name, predicted, "%.4f" % probability, sep=",")
module = runpy.run_path(module)
for name, predicted in module["predict_all"](whole).items():
    likely = module["probabilities"]([row for row in whole if row[bag] == name])
    print("python", name, predicted, "%.4f" % list(likely.values())[1], sep=",")
"#;

#[test]
fn sql_and_python_predict_the_same() {
    let folder = Folder::new();
    let bags = folder.at("bags.csv");
    done(
        ["generate", "bags", "--bags", "80", "--noise", "0.2", "--missing", "0.1", "--out", &bags],
        "",
    );
    for mode in ["default", "g3p-mi"] {
        let model = folder.at("model.json");
        let base = [
            "learn",
            "rules",
            &bags,
            "--bag",
            "bag",
            "--mode",
            mode,
            "--population",
            "100",
            "--generations",
            "10",
        ];
        done(base.iter().chain(&["--force", "--out", &model, "--quiet"]), "");
        let expected: Vec<String> = done(["predict", &model, &bags, "--quiet"], "")
            .lines()
            .skip(1)
            .map(|line| line.split(',').take(3).collect::<Vec<_>>().join(","))
            .collect();
        let query = folder.file("query.sql", done(["show", &model, "--format", "sql"], ""));
        let module = folder.file("module.py", done(["show", &model, "--format", "python"], ""));
        let output = Command::new("python3")
            .args(["-c", RUN_EXPORTS, &bags, &query, &module, "bag"])
            .output()
            .expect("python3");
        assert!(output.status.success(), "{}", stderr(&output));
        let rows = stdout(&output);
        for language in ["sql", "python"] {
            let prefix = format!("{language},");
            let mut found: Vec<&str> =
                rows.lines().filter_map(|line| line.strip_prefix(&prefix)).collect();
            found.sort_unstable();
            let mut expected: Vec<&str> = expected.iter().map(String::as_str).collect();
            expected.sort_unstable();
            assert_eq!(found, expected, "{mode} in {language}");
        }
    }
}

/// What the command says when it refuses.
fn refused<'a>(arguments: impl IntoIterator<Item = &'a str>) -> String {
    let output = run_with(&mut pellucid(arguments), b"");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    stderr(&output)
}

/// A table with four bags.
const FEW: &str = "bag,x,class\na,1,0\nb,2,1\nc,3,1\nd,1.5,0\n";

/// What cannot be learned: a file, its contents, flags, and a part of the message.
const REFUSED_CASES: [(&str, &str, &[&str], &str); 13] = [
    (
        "few.csv",
        FEW,
        &["--bag", "bag", "--mode", "pareto", "--metric", "f1"],
        "--metric: applies to mode g3p-mi only, but the mode is pareto",
    ),
    (
        "two.csv",
        "bag,x,class\na,1,0\na,2,1\nb,3,1\n",
        &["--bag", "bag"],
        "two.csv, line 3: bag 'a' has two labels: '1' here and '0' on line 2; expected one label per bag",
    ),
    (
        "lonely.csv",
        "bag,x,class\na,1,0\nb,2,1\nc,3,1\n",
        &["--bag", "bag"],
        "lonely: class '0' has a single bag in column 'class' (assumed to be the target); a class needs \
             at least 2 bags. Use --drop-class to leave classes out, or --merge-rare 2 to merge classes with \
             fewer than 2 bags",
    ),
    (
        "one.csv",
        "x,class\n1,0\n2,0\n",
        &[],
        "one: target column 'class' has only one class ('0'); expected at least two",
    ),
    (
        "few.csv",
        FEW,
        &["--bag", "bag", "--population", "1"],
        "--population: found 1; expected a number from 2 to 10000000",
    ),
    (
        "few.csv",
        FEW,
        &["--bag", "bag", "--mode", "g3p"],
        "--mode: found 'g3p'; expected one of default, scorecard, list, g3p-mi, pareto",
    ),
    ("few.csv", FEW, &["--bag", "bag", "--attributes", "y"], "attributes: found 'y'; expected x"),
    (
        "few.csv",
        FEW,
        &["--bag", "bag", "--operators", "~"],
        "operators: found '~'; expected >, <=, =, !=",
    ),
    (
        "few.csv",
        FEW,
        &["--bag", "bag", "--class-weight", "2=3"],
        "--class-weight: found class '2'; expected one of 0, 1",
    ),
    (
        "few.csv",
        FEW,
        &["--bag", "bag", "--class-weight", "1=-3"],
        "--class-weight: found -3.0 for class '1'; expected a number from 0.000001 to 1000000",
    ),
    (
        "few.csv",
        FEW,
        &["--bag", "bag", "--hypothesis", "rows"],
        "--hypothesis: found 'rows'; expected auto, presence, at-least=N, between=A..B (A <= B)",
    ),
    (
        "few.csv",
        FEW,
        &["--bag", "bag", "--time-limit", "soon"],
        "expected seconds, or a number with s, m or h",
    ),
    (
        "three.csv",
        "x,class\n1,a\n2,a\n3,b\n4,b\n5,c\n6,c\n",
        &["--mode", "g3p-mi"],
        "mode g3p-mi needs two classes, found 3",
    ),
];

#[test]
fn invalid_training_data_and_parameters() {
    let folder = Folder::new();
    let model = folder.at("m.json");
    let error_for = |name: &str, contents: &str, more: &[&str]| {
        let data = folder.file(name, contents);
        refused(
            ["learn", "rules", &data, "--out", &model, "--quiet"]
                .into_iter()
                .chain(more.iter().copied()),
        )
    };
    for (name, contents, more, words) in REFUSED_CASES {
        let message = error_for(name, contents, more);
        assert!(message.contains(words), "{message}\ninstead of\n{words}");
    }
    let data = folder.file("few.csv", FEW);
    let message = refused(["cv", "rules", &data, "--bag", "bag", "--quiet"]);
    assert!(
        message.contains("folds: found 10; expected at most 4, the number of examples"),
        "{message}"
    );
    let nowhere = folder.at("no/such/m.json");
    let message = refused(["learn", "rules", &data, "--bag", "bag", "--quiet", "--out", &nowhere]);
    assert!(message.contains("does not exist"), "{message}");
    let message = refused(["learn", "rules", &data, "--bag", "bag", "--quiet", "--resume"]);
    assert!(message.contains("--checkpoint"), "{message}");
    assert!(!std::fs::exists(&model).expect("a look"), "nothing was written");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_once() {
    let data = trains();
    let base = [
        "learn",
        "rules",
        &data,
        "--bag",
        "train",
        "--target",
        "direction",
        "--quiet",
        "--out",
        "/dev/full",
    ];
    let message = refused(base);
    assert!(message.contains("No space left on device"), "{message}");
    assert_eq!(message.matches("No space left").count(), 1, "{message}");
}

#[test]
fn data_and_models_that_do_not_match() {
    let folder = Folder::new();
    let model = learned(&folder, &[]);
    let error_for = |name: &str, contents: &str, more: &[&str]| {
        let data = folder.file(name, contents);
        refused(["predict", &model, &data, "--quiet"].into_iter().chain(more.iter().copied()))
    };
    let lacking = "renamed lacks column 'length' (did you mean 'lenght'?), which the model needs; \
                   found: lenght, roof";
    assert!(error_for("renamed.csv", "train,lenght,roof\na,long,none\n", &[]).contains(lacking));
    assert!(
        error_for("missing.csv", "train,wheels\na,2\n", &[])
            .contains("missing lacks columns 'length', 'roof', which the model needs")
    );
    assert!(
        error_for("plain.csv", "length,roof\nlong,none\n", &[]).contains(
            "--bag: the model was trained on bags (column 'train'), but plain has no bags"
        )
    );
    let broken = folder.file(
        "broken.json",
        "{\"format\": \"pellucid-model\", \"version\": 1, \"learner\": \"oracle\"}",
    );
    assert!(
        refused(["show", &broken])
            .contains("found a model of learner 'oracle'; this version supports rules")
    );
    let text = std::fs::read_to_string(&model).expect("the model");
    let forged = folder.file("forged.json", text.replace("some row (", "sme row ("));
    assert!(refused(["show", &forged]).contains("condition 'sme row ("));
    let forged = folder.file("forged.json", text.replace("\"class\": 0", "\"class\": 7"));
    assert!(
        refused(["predict", &forged, &trains()])
            .contains("rule 1 is for class 7, but the model has 2 classes")
    );
}

#[test]
fn bags_are_learned_well_enough() {
    let planted = Folder::new();
    let ours = planted.at("planted.csv");
    done(["generate", "bags", "--bags", "120", "--seed", "5", "--out", &ours], "");
    let musk = real("mil/musk1.dat.gz").map(|file| file.display().to_string());
    let mut sets = vec![(ours, &["--bag", "bag"][..], [("default", 0.9), ("g3p-mi", 0.9)])];
    sets.extend(musk.map(|file| (file, &[][..], [("default", 0.80), ("g3p-mi", 0.62)])));
    for (file, flags, modes) in sets {
        for (mode, least) in modes {
            let how = ["--folds", "5", "--mode", mode, "--json"];
            // What is bred needs no more, and what is found one after the other is good enough by then.
            let less: &[&str] =
                if mode == "default" { &["--most-rules", "10"] } else { &["--generations", "40"] };
            let arguments = [&["cv", "rules", &file], flags, &how[..], less].concat();
            let lines = answers(&done(arguments, ""));
            let accuracy = lines[0]["accuracy"]["mean"].as_f64().expect("a number");
            assert!(accuracy >= least, "{file}, {mode}: {accuracy}");
        }
    }
}

/// A model keeps the models of other sizes that were found on the way.
#[test]
fn shorter_models_are_shown_and_applied_without_learning_again() {
    let folder = Folder::new();
    let rows = |n: usize| {
        let (age, dose) = (n * 7 % 60, n * 11 % 30);
        let ill = (age > 20 && dose < 18) != n.is_multiple_of(9);
        format!("{age},{dose},{},{}\n", n * 13 % 10, if ill { "yes" } else { "no" })
    };
    let text: String = (0..300).map(rows).collect();
    let data = folder.file("patients.csv", format!("age,dose,ward,ill\n{text}"));
    let model = folder.at("model.json");
    let learn = ["learn", "rules", &data, "--target", "ill", "--always-vote", "--quiet", "--out"];
    let summary = done([&learn[..], &[&model]].concat(), "");
    assert!(summary.contains("  selected\n"), "{summary}");
    let rules = |shown: &str| shown.lines().filter(|line| line.contains("IF ")).count();
    for size in ["1", "2", "5"] {
        let shown = done(["show", &model, "--rules", size], "");
        assert!(rules(&shown) <= size.parse().unwrap() && rules(&shown) > 0, "{size}: {shown}");
    }
    let predict = |rest: &[&str]| done([&["predict", &model, &data, "--quiet"], rest].concat(), "");
    let (all, one) = (predict(&[]), predict(&["--rules", "1"]));
    assert_eq!(all.lines().count(), one.lines().count());
    assert_ne!(all, one, "one rule is not all of them");
    assert!(one.starts_with("row,predicted,probability of yes"), "{one}");
    let fixed = done([&learn[..], &[&folder.at("two.json"), "--rules", "2"]].concat(), "");
    assert!(rules(&fixed) <= 2 && rules(&fixed) > 0, "{fixed}");
    let bred = folder.at("bred.json");
    let breed = "--mode g3p-mi --population 20 --generations 2 --no-inner-folds --quiet --out";
    done(["learn", "rules", &data].into_iter().chain(breed.split(' ')).chain([&*bred]), "");
    let message = stderr(&run_with(&mut pellucid(["show", &bred, "--rules", "2"]), b""));
    assert!(message.contains("has a single size"), "{message}");
}
