//! Files of strangers: models that contradict themselves, names that are endless, characters that a terminal would obey.

mod support;

use serde_json::{Value, json};
use support::{Folder, done, pellucid, run_with, stderr, stdout};

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
        ("base votes for 3 classes", &|m| {
            m["schema"]["classes"] = json!(["0", "1", "2"]);
            m["calibration"] = Value::Null;
        }),
        ("a slope of 0 or more and 2 offsets", &|m| m["calibration"]["offsets"] = json!([0.0])),
        ("votes of the model add up to no number", &|m| {
            m["model"]["base"] = json!([1.7e308, 1.7e308])
        }),
        ("speaks for class 7", &|m| m["model"]["rules"][0]["class"] = json!(7)),
        ("counts examples of 3 classes", &|m| m["model"]["rules"][0]["covered"] = json!([1, 2, 3])),
        ("counts training examples of 1 classes", &|m| m["model"]["examples"] = json!([1])),
        ("a condition has 2000000 letters", &|m| m["model"]["rules"][0]["when"] = json!(long)),
        ("the condition 'a b", &|m| {
            m["model"]["rules"][0]["when"] = json!(format!("a b{}", &long[..900_000]))
        }),
        ("cannot be understood", &|m| m["params"]["mode"] = json!(long)),
    ];
    for (expected, forge) in forgeries {
        let mut forged = sound.clone();
        forge(&mut forged);
        let file = folder.file("forged.json", forged.to_string());
        for command in [&["show", &file][..], &["predict", &file, &folder.at("t.csv")]] {
            let output = run_with(&mut pellucid(command), b"");
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{expected}: {}{said}", stdout(&output));
            assert!(said.contains(expected) && said.len() < 1000, "{expected}: {said}");
        }
    }
    done(["show", &folder.file("sound.json", sound.to_string())], "");
}

#[test]
fn nothing_that_a_terminal_would_obey_is_said() {
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
        for said in [stdout(&output), stderr(&output)] {
            let raw: Vec<char> = said.chars().filter(|&letter| is_obeyed(letter)).collect();
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
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        assert!(said.contains("#Male' is called '") && said.contains("'Male' or '<http"), "{said}");
    }
}
