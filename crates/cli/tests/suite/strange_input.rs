//! Input that is not what it seems: headers over dirty cells, ontologies in other syntaxes, names as classes,
//! forged populations, categories that a model was not learned with.

use crate::support::{Folder, answers, done, pellucid, run_with, stderr, stdout};
use serde_json::{Value, json};

fn visits(rows: u32) -> String {
    let mut text = String::from("age,colour,class\n");
    for row in 0..rows {
        let age = row * 13 % 60;
        let colour = ["red", "green", "blue"][(row % 3) as usize];
        text += &format!("{age},{colour},{}\n", ["no", "yes"][usize::from(colour != "red")]);
    }
    text
}

#[test]
fn a_first_line_with_the_columns_of_the_model_is_the_header() {
    let folder = Folder::new();
    let data = folder.file("t.csv", visits(90));
    let model = folder.at("m.json");
    done(["learn", "rules", &data, "--target", "class", "--out", &model, "--quiet"], "");
    // The cells alone do not show that the first line is another: its words occur again, and there is no
    // number.
    let dirty = folder.file("dirty.csv", "colour,age\nred,?\ngreen,age\ncolour,n/a\n");
    let lines = answers(&done(["predict", &model, &dirty, "--json", "--quiet"], ""));
    assert_eq!(lines.len(), 4, "three rows and a summary: {lines:?}");
}

#[test]
fn a_category_that_was_not_learned_meets_no_condition() {
    let folder = Folder::new();
    let data = folder.file("t.csv", visits(90));
    let model = folder.at("m.json");
    done(["learn", "rules", &data, "--target", "class", "--out", &model, "--quiet"], "");
    let text = std::fs::read_to_string(&model).expect("a model");
    let mut changed: Value = serde_json::from_str(&text).expect("JSON");
    let rule = json!({"when": "colour != 'red'", "class": 1, "votes": 2.0, "covered": [0, 60]});
    changed["model"] = json!({"base": [0.0, -1.0], "rules": [rule], "examples": [30, 60]});
    changed["calibration"] = Value::Null;
    let model = folder.file("changed.json", changed.to_string());
    let new = folder.file("new.csv", "age,colour\n30,green\n30,red\n30,violet\n30,\n");
    let lines = answers(&done(["predict", &model, &new, "--json", "--quiet"], ""));
    let predicted: Vec<&str> =
        lines[..4].iter().map(|line| line["predicted"].as_str().expect("a class")).collect();
    assert_eq!(predicted, ["yes", "no", "no", "no"], "violet is like a missing value");
}

#[test]
fn ontologies_are_recognized_in_every_syntax() {
    let folder = Folder::new();
    let files = [
        ("a.x", "Prefix(:=<http://e/#>)\nOntology(<http://e/> ClassAssertion(:A :a))\n"),
        ("b.x", "Prefix: : <http://e/#>\nOntology: <http://e/>\nIndividual: a Types: A\n"),
        ("c.x", "format-version: 1.2\n\n[Instance]\nid: X:1\ninstance_of: X:2\n"),
        (
            "d.x",
            "<Ontology xmlns=\"http://www.w3.org/2002/07/owl#\"><ClassAssertion>\
             <Class IRI=\"#A\"/><NamedIndividual IRI=\"#a\"/></ClassAssertion></Ontology>",
        ),
        ("e.jsonld", "{\"@id\": \"http://e/#a\", \"@type\": \"http://e/#A\"}"),
    ];
    for (name, text) in files {
        let output = run_with(&mut pellucid(["show", &folder.file(name, text)]), b"");
        let (page, message) = (stdout(&output), stderr(&output));
        assert!(page.contains(": 1 individual, 1 class"), "{page}{message}");
    }
}

#[test]
fn a_target_of_names_is_refused_unless_it_is_allowed() {
    let folder = Folder::new();
    let mut text = String::from("a,b,who\n");
    (0..12_000).for_each(|row| text += &format!("{},{},n{}\n", row % 7, row % 5, row % 1200));
    let data = folder.file("names.csv", text);
    let out = folder.at("m.json");
    let words = ["learn", "rules", &data, "--target", "who", "--out", &out, "--time-limit", "1ms"];
    let output = run_with(&mut pellucid(words), b"");
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    let wanted =
        "target column 'who' has 1200 classes, which look like names; the limit is 1000 classes";
    assert!(message.contains(wanted) && message.contains("--most-classes 1200"), "{message}");
    // Allowed, the run begins and its time limit ends it before the first rule of all classes.
    let allowed = words.into_iter().chain(["--most-classes", "1200"]);
    let output = run_with(&mut pellucid(allowed), b"");
    assert_eq!(output.status.code(), Some(1), "cut short: {}", stderr(&output));
}

/// A full population may delete the rule that it has just made for a rare class; then no rule is right about
/// the example.
#[test]
fn many_classes_in_a_small_population_give_a_model_that_reads_back() {
    let folder = Folder::new();
    let mut text = String::from("a,b,c,class\n");
    for row in 0..600_u32 {
        let class = if row % 50 < 40 { 0 } else { row % 9 };
        text += &format!("{},{},{},k{class}\n", row * 37 % 101, row * 53 % 89, row % 7);
    }
    let data = folder.file("t.csv", text);
    for mode in ["supervised", "reward"] {
        let model = folder.at(&format!("{mode}.json"));
        let words = ["learn", "xcs", &data, "--target", "class", "--mode", mode, "--out", &model];
        let few = ["--population", "20", "--iterations", "20000", "--no-inner-folds", "--quiet"];
        done(words.into_iter().chain(few).chain(["--keep-population"]), "");
        done(["predict", &model, &data, "--quiet"], "");
    }
}

#[test]
fn a_forged_population_is_refused() {
    let folder = Folder::new();
    let data = folder.file("t.csv", visits(60));
    let model = folder.at("m.json");
    let base = ["learn", "xcs", &data, "--target", "class", "--iterations", "2000"];
    let words = base.into_iter().chain(["--keep-population", "--quiet", "--out", &model]);
    done(words, "");
    let text = std::fs::read_to_string(&model).expect("a model");
    let mut forged: Value = serde_json::from_str(&text).expect("JSON");
    forged["model"]["everyone"][0]["copies"] = json!(1_u32 << 31);
    let forged = folder.file("forged.json", forged.to_string());
    let out = folder.at("on.json");
    let words = base.into_iter().chain(["--continue", &forged, "--out", &out]);
    let output = run_with(&mut pellucid(words), b"");
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("expected at most 1000000"), "{message}");
}

/// Every restriction inside another once multiplied the work by the number of edges: 12 of them over 30
/// neighbours would take years.
#[test]
fn nested_restrictions_are_answered_one_individual_at_a_time_too() {
    let folder = Folder::new();
    let mut ontology = String::from("@prefix : <http://e/#> .\n");
    for one in 0..30 {
        let others: Vec<String> = (0..30).map(|other| format!(":p{other}")).collect();
        ontology +=
            &format!(":p{one} a :{} ; :knows {} .\n", ["A", "B"][one % 2], others.join(", "));
    }
    let ontology = folder.file("o.ttl", ontology);
    let nested = (0..12).fold("A".to_owned(), |inner, depth| match depth % 2 {
        0 => format!("knows some ({inner} or not B)"),
        _ => format!("knows only ({inner})"),
    });
    let hypotheses = folder.file("h.txt", format!("{nested}\nB and knows min 15 ({nested})\n"));
    let words = ["evaluate", &ontology, "--hypotheses", &hypotheses, "--json"];
    let counted = |level: &str| {
        let output = run_with(pellucid(words).env("PELLUCID_SIMD", level), b"");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        answers(&crate::support::stdout(&output))
            .into_iter()
            .map(|line| line.to_string())
            .collect::<Vec<_>>()
    };
    let first = |lines: Vec<String>| lines.into_iter().take(2).collect::<Vec<_>>();
    assert_eq!(first(counted("scalar")), first(counted("portable")));
}
