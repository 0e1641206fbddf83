//! Files of strangers: models that contradict themselves, names that are endless, characters that a terminal
//! would obey.

use crate::support::{Folder, done, pellucid, run_with, stderr, stdout};
use serde_json::{Value, json};

/// A model that was learned, as a value.
fn model(folder: &Folder) -> Value {
    let table = "age,smoker,class\n34,no,0\n61,yes,1\n58,yes,1\n47,no,0\n39,no,0\n66,yes,1\n";
    let data = folder.file("t.csv", table);
    let text = done(["learn", "rules", &data, "--out", "-", "--quiet"], "");
    serde_json::from_str(&text).expect("a model")
}

#[test]
fn models_that_contradict_themselves_are_refused() {
    let folder = Folder::new();
    let sound = model(&folder);
    let long = "x".repeat(2_000_000);
    type Forge<'a> = &'a dyn Fn(&mut Value);
    let forgeries: [(&str, Forge<'_>); 10] = [
        ("it lists class '0' twice", &|m| m["schema"]["classes"] = json!(["0", "0"])),
        ("starting scores for 3 classes", &|m| {
            m["schema"]["classes"] = json!(["0", "1", "2"]);
            m["calibration"] = Value::Null;
        }),
        ("a slope of at least 0 and 2 offsets", &|m| m["calibration"]["offsets"] = json!([0.0])),
        ("points of the model do not add up to a finite number", &|m| {
            m["model"]["base"] = json!([1.7e308, 1.7e308])
        }),
        ("is for class 7", &|m| m["model"]["rules"][0]["class"] = json!(7)),
        ("has counts for 3 classes", &|m| m["model"]["rules"][0]["covered"] = json!([1, 2, 3])),
        ("counts of training examples for 1 classes", &|m| m["model"]["examples"] = json!([1])),
        ("a condition has 2000000 bytes", &|m| m["model"]["rules"][0]["when"] = json!(long)),
        ("condition 'a b", &|m| {
            m["model"]["rules"][0]["when"] = json!(format!("a b{}", &long[..900_000]))
        }),
        ("invalid rules model", &|m| m["params"]["mode"] = json!(long)),
    ];
    for (expected, forge) in forgeries {
        let mut forged = sound.clone();
        forge(&mut forged);
        let file = folder.file("forged.json", forged.to_string());
        for command in [&["show", &file][..], &["predict", &file, &folder.at("t.csv")]] {
            let output = run_with(&mut pellucid(command), b"");
            let message = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{expected}: {}{message}", stdout(&output));
            assert!(message.contains(expected) && message.len() < 1000, "{expected}: {message}");
        }
    }
    done(["show", &folder.file("sound.json", sound.to_string())], "");
}

#[test]
fn control_characters_are_escaped() {
    let folder = Folder::new();
    let (clear, turned) = ("\u{1b}[2J\u{9b}31m\u{7}", "exe\u{202e}fdp\u{2066}");
    let rows: String = (0..8)
        .map(|n| format!("{n},{},{}\n", ["a", turned][n % 2], [clear, "no"][n % 2]))
        .collect();
    let data = folder.file("t.csv", format!("n{clear},c{turned},class\n{rows}"));
    let is_obeyed = |letter: char| {
        (letter.is_control() && !"\n\t".contains(letter)) || "\u{202e}\u{2066}".contains(letter)
    };
    let model = folder.at("m.json");
    let (ontology, problem) = (
        folder.file(
            "o.ttl",
            "@prefix : <http://e/#> .\n:a :n \"x\\u001b[2J\\u202E\\n\" . :b :n \"y\\u0007\" . :c :n \"z\" .",
        ),
        folder.file("p.json", r#"{"positive_examples":["a"],"negative_examples":["b","c"]}"#),
    );
    let logic = folder.at("l.json");
    for (code, arguments) in [
        (0, &["learn", "rules", &data, "--target", "class", "--out", &model][..]),
        (0, &["show", &model]),
        (0, &["predict", &model, &data, "--explain"]),
        (2, &["learn", "rules", &data, "--target", &format!("x{}", "\u{1b}[1m"), "--out", "-"]),
        (0, &["learn", "logic", &ontology, "--problem", &problem, "--out", &logic]),
        (0, &["show", &logic]),
        (0, &["show", &logic, "--format", "manchester"]),
        (0, &["show", &logic, "--format", "dl"]),
        (0, &["predict", &logic, &ontology, "--explain"]),
        (0, &["show", &ontology]),
    ] {
        let output = run_with(&mut pellucid(arguments), b"");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
        for message in [stdout(&output), stderr(&output)] {
            let raw: Vec<char> = message.chars().filter(|&letter| is_obeyed(letter)).collect();
            assert!(raw.is_empty(), "{arguments:?}: {raw:?}");
        }
    }
    // What was shown reads back as it was meant.
    for form in ["manchester", "dl"] {
        let shown = done(["show", &logic, "--format", form], "");
        let answer = done(["evaluate", &ontology, "--hypotheses", "-"], &shown);
        assert!(answer.contains(r#""counts":{"all":1}"#), "{shown}{answer}");
    }
}

/// A model of class expressions shows names of its own; they must be those of what it means.
#[test]
fn names_in_a_model_are_those_of_its_expression() {
    let folder = Folder::new();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/compat/logic-0.1.0.json");
    let sound = std::fs::read_to_string(file).expect("a model");
    done(["show", &folder.file("sound.json", &sound)], "");
    for (from, to) in
        [("#Male\": \"Male\"", "#Male\": \"Female\""), ("#Male\": \"Male\"", "#Male\": \"Saint\"")]
    {
        assert!(sound.contains(from), "{sound}");
        let forged = folder.file("forged.json", sound.replace(from, to));
        let output = run_with(&mut pellucid(["show", &forged]), b"");
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        assert!(
            message.contains("#Male' has the short name '") && message.contains("'Male' or '<http"),
            "{message}"
        );
    }
}

/// A table of two classes, by what is written for each of its rows.
fn of_classes(folder: &Folder, classes: [&str; 2]) -> String {
    let row = |n: usize| format!("{},{}\n", n * 7 % 40, classes[usize::from(n * 7 % 40 > 20)]);
    let rows: String = (0..80).map(row).collect();
    folder.file("classes.csv", format!("x,class\n{rows}"))
}

#[test]
fn control_characters_of_classes_are_escaped() {
    let folder = Folder::new();
    let data = of_classes(&folder, ["\u{1b}]0;owned\u{7}", "b\u{202e}a"]);
    let model = folder.at("m.json");
    done(["learn", "rules", &data, "--out", &model, "--quiet"], "");
    let message = done(["predict", &model, &data, "--row", "3"], "");
    assert!(message.contains("probability: ") && message.contains("actual: "), "{message}");
    assert!(
        message.contains("\\u001b]0;owned\\u0007") && message.contains("b\\u202ea"),
        "{message}"
    );
    assert!(!message.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{message:?}");
}

#[test]
fn votes_that_overflow_are_refused() {
    let folder = Folder::new();
    let sound = model(&folder);
    let large = ["1.8e308", "1.7e308", "1e200", "-1.7e308"];
    for votes in large {
        for key in ["rules", "base"] {
            let mut forged = sound.clone();
            let marked = json!(987_654_321);
            if key == "rules" {
                forged["model"]["rules"][0]["votes"] = marked;
            } else {
                forged["model"]["base"][0] = marked;
            }
            // Written by hand: no number of JSON's reader is so large.
            let text = forged.to_string().replace("987654321", votes);
            let file = folder.file("forged.json", text);
            for command in [&["show", &file][..], &["predict", &file, &folder.at("t.csv")]] {
                let output = run_with(&mut pellucid(command), b"");
                let message = stderr(&output);
                assert_eq!(output.status.code(), Some(2), "{votes}: {}{message}", stdout(&output));
                assert!(
                    message.contains("add up to") || message.contains("out of range"),
                    "{message}"
                );
            }
        }
    }
    for slope in ["1e101", "1.7e308"] {
        let mut forged = sound.clone();
        forged["calibration"]["slope"] = json!(987_654_321);
        let text = forged.to_string().replace("987654321", slope);
        let file = folder.file("forged.json", text);
        let output = run_with(&mut pellucid(["predict", &file, &folder.at("t.csv")]), b"");
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        assert!(stderr(&output).contains("none beyond 1e100"), "{}", stderr(&output));
    }
}

#[test]
fn cells_for_spreadsheets_are_not_formulas() {
    let folder = Folder::new();
    let data = of_classes(&folder, ["=1+1", "@sum"]);
    let model = folder.at("m.json");
    done(["learn", "xcs", &data, "--out", &model, "--quiet", "--iterations", "2000"], "");
    for command in
        [&["predict", &model, &data, "--quiet"][..], &["show", &model, "--format", "csv"]]
    {
        let plain = done(command, "");
        assert!(plain.contains(",=1+1") && plain.contains(",@sum"), "{plain}");
        let safe = done([command, &["--spreadsheet"]].concat(), "");
        assert!(safe.contains(",'=1+1") && safe.contains(",'@sum"), "{safe}");
        let is_formula = |cell: &str| cell.starts_with(['=', '@', '\t', '\r']);
        let cells = safe.lines().flat_map(|line| line.split(','));
        assert!(!cells.map(|cell| cell.trim_matches('"')).any(is_formula), "{safe}");
    }
}

#[test]
fn a_class_that_is_never_predicted_is_named() {
    let folder = Folder::new();
    // Nothing tells the few from the many.
    let rows: String =
        (0..60).map(|n| format!("{},{}\n", n % 2, if n < 3 { "rare" } else { "usual" })).collect();
    let data = folder.file("rare.csv", format!("x,class\n{rows}"));
    for learner in ["rules", "xcs", "network"] {
        let model = folder.at(&format!("{learner}.json"));
        let message = done(["learn", learner, &data, "--out", &model, "--quiet"], "");
        let predicted = done(["predict", &model, &data, "--quiet"], "");
        let never = "This model never predicts 'rare'.";
        let is_predicted = predicted.lines().any(|line| line.split(',').nth(1) == Some("rare"));
        assert!(!is_predicted, "{learner}: {predicted}");
        assert!(message.contains(never), "{learner}: {message}");
        assert!(done(["show", &model], "").contains(never), "{learner}");
        assert!(!message.contains("never predicts 'usual'"), "{learner}: {message}");
    }
}
