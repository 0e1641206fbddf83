//! Ontologies shown, and class expressions evaluated line by line.

use crate::support::{
    Folder, answers, done, lacks_instructions, pellucid, run_with, spawn_piped, stderr, stdout,
};
use pellucid_testdata::file;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};

const FAMILY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/family.ttl");
const UNCLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/uncle.json");

fn evaluate(more: &[&str], lines: &str) -> Vec<Value> {
    let arguments = [&["evaluate", FAMILY, "--hypotheses", "-"], more].concat();
    answers(&done(arguments, lines))
}

#[test]
fn the_page_of_a_family() {
    let page = done(["show", FAMILY], "");
    let first = "family: 25 individuals, 4 classes, 3 object properties, 1 data property\n";
    assert!(page.starts_with(first), "{page}");
    // No individual is asserted to be a parent or a person; that is inferred.
    assert!(page.contains("Parent         16         0\n"), "{page}");
    let all: Value = serde_json::from_str(&done(["show", FAMILY, "--json"], "")).expect("JSON");
    assert_eq!(all["individuals"], 25);
    assert_eq!(all["classes"][0], json!({ "name": "Person", "members": 25, "asserted": 0 }));
    assert_eq!(all["data_properties"][0]["range"], json!([1924.0, 2008.0]));
    assert_eq!(all["ignored"][0]["name"], "rdfs:range of a data property");
    let bare = done(["show", FAMILY, "--no-domain-range"], "");
    assert!(bare.contains("Person         25         0\n"), "subclasses still say it: {bare}");
}

#[test]
fn an_ontology_is_detected_by_name_or_content() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(FAMILY).expect("the example");
    let unnamed = folder.file("family", &text);
    assert!(done(["show", &unnamed], "").starts_with("family: 25 individuals"));
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text.as_bytes()).expect("memory");
    let packed = folder.file("family.ttl.gz", packed.finish().expect("memory"));
    assert!(done(["show", &packed], "").starts_with("family: 25 individuals"));
    let output = run_with(&mut pellucid(["show", FAMILY, "--format", "sql"]), b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("an ontology is shown as text or json"));
    let output = run_with(&mut pellucid(["show", &folder.file("no.owl", "{}")]), b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no.owl"), "{}", stderr(&output));
}

#[test]
fn individuals_that_expressions_hold_for() {
    let cases = [
        ("owl:Thing", 25),
        ("owl:Nothing", 0),
        ("Male", 14),
        ("not Male", 11),
        ("Male and hasSibling some Parent", 4),
        ("∃hasSibling.Parent ⊓ Male", 4),
        ("hasChild min 2", 10),
        ("inverse hasChild some Male", 14),
        ("hasChild only Female", 11),
        ("marriedTo value ada", 1),
        ("born some xsd:integer[>= 1990]", 3),
        ("{ada, bruno} or (Male and not Male)", 2),
    ];
    let lines: String = cases.iter().map(|(line, _)| format!("{line}\n")).collect();
    let found = evaluate(&[], &lines);
    for ((line, count), answer) in cases.iter().zip(&found) {
        assert_eq!(answer["counts"], json!({ "all": count }), "{line}");
    }
    let counted = evaluate(&["--problem", UNCLE], "Male\n");
    assert_eq!(
        counted,
        [json!({ "line": 1, "counts": { "positive": 4, "negative": 9 }, "length": 1 })]
    );
    let listed = evaluate(&["--cover"], "Male and hasSibling some Parent\n");
    assert_eq!(listed[0]["individuals"], json!(["david", "erik", "leo", "ivan"]));
}

#[test]
fn meanings_of_other_programs() {
    let count = |semantics: &str, line: &str| {
        evaluate(&["--semantics", semantics], line)[0]["counts"]["all"].clone()
    };
    // 9 people have no child; of the 16 others all have a person.
    assert_eq!(count("standard", "hasChild max 1"), json!(15));
    assert_eq!(count("hthedl", "hasChild max 1"), json!(6));
    assert_eq!(count("standard", "hasChild only Person"), json!(25));
    assert_eq!(count("someonly", "hasChild only Person"), json!(16));
}

#[test]
fn invalid_lines_are_answered_in_order() {
    let lines = b"Male\n\nMal\nMale and\nborn some Male\n\xff\nhasChild some (Female\nFemale\n";
    let arguments = ["evaluate", FAMILY, "--hypotheses", "-", "--json", "--quiet"];
    let output = run_with(&mut pellucid(arguments), lines);
    assert_eq!(output.status.code(), Some(2));
    let mut found = answers(&stdout(&output));
    let summary = found.pop().expect("a summary");
    assert_eq!((&summary["evaluated"], &summary["errors"]), (&json!(2), &json!(6)));
    assert_eq!(found[7], json!({ "line": 8, "counts": { "all": 11 }, "length": 1 }));
    let error = |line: usize| found[line - 1]["error"].as_str().unwrap_or_default();
    assert!(error(2).contains("use 'owl:Thing' to cover everything"), "{}", error(2));
    assert!(error(3).contains("unknown class 'Mal'; did you mean 'Male'?"), "{}", error(3));
    assert!(error(4).starts_with("column 9: found the end"), "{}", error(4));
    assert!(error(5).starts_with("column 11"), "{}", error(5));
    assert_eq!(error(6), "byte 1 is not UTF-8 text");
    assert!(error(7).starts_with("column"), "{}", error(7));
}

#[test]
fn flags_of_tables_are_rejected_for_ontologies() {
    for (flags, word) in [
        (["--target", "class"], "--target applies to tables"),
        (["--hypothesis", "presence"], "individuals are counted"),
    ] {
        let arguments = [&["evaluate", FAMILY, "--hypotheses", "-"], &flags[..]].concat();
        let output = run_with(&mut pellucid(arguments), b"Male\n");
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(word), "{}", stderr(&output));
    }
}

#[test]
fn the_same_bytes_on_all_instructions_and_threads() {
    let real = "dl/family-benchmark/family-benchmark_rich_background.owl";
    for name in ["tests/data/ontologies/kin.owl", real] {
        let Some(ontology) = file(name) else { continue };
        same_everywhere(ontology.to_str().expect("a plain name"));
    }
}

fn same_everywhere(ontology: &str) {
    let classes = ["Male", "Female", "Parent", "Mother", "Child"];
    let mut lines = String::new();
    for (a, b) in classes.iter().flat_map(|a| classes.iter().map(move |b| (a, b))) {
        lines += &format!("{a} and hasSibling some ({b} and hasChild min 2 {a})\n");
        lines += &format!("hasChild only (not {a} or inverse hasChild max 1 {b})\n");
    }
    let evaluate = |level: &str, threads: &str| {
        let arguments =
            ["evaluate", ontology, "--hypotheses", "-", "--cover", "--quiet", "--threads", threads];
        run_with(pellucid(arguments).env("PELLUCID_SIMD", level), lines.as_bytes())
    };
    let expected = evaluate("scalar", "1");
    assert_eq!(expected.status.code(), Some(0), "{}", stderr(&expected));
    for (level, threads) in [("portable", "2"), ("avx2", "3"), ("avx512", "2")] {
        let found = evaluate(level, threads);
        if level.starts_with("avx") && lacks_instructions(&found) {
            continue;
        }
        assert_eq!(stdout(&found), stdout(&expected), "{level}: {}", stderr(&found));
    }
}

/// Very many different lines go through in little memory: what was asked is forgotten in time.
#[test]
#[cfg(target_os = "linux")]
fn many_lines_do_not_fill_the_memory() {
    const LINES: u64 = 400_000;
    // Half of what remembering every line would take, twice what is needed.
    const MOST_KILOBYTES: u64 = 240 * 1024;
    let arguments = ["evaluate", FAMILY, "--hypotheses", "-", "--quiet", "--threads", "2"];
    let mut child = spawn_piped(&mut pellucid(arguments));
    let status = format!("/proc/{}/status", child.id());
    let peak = || {
        let text = std::fs::read_to_string(&status).expect("the command runs");
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
        line.trim().trim_end_matches("kB").trim().parse::<u64>().expect("kilobytes")
    };
    let mut questions = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || {
        let mut lines = std::io::BufWriter::new(&mut questions);
        for number in 0..LINES {
            let (year, tenth) = (1900 + number % 100, number / 100);
            writeln!(lines, "hasChild some (born some xsd:double[>= {year}.{tenth:05}1])")
                .expect("the command reads");
        }
        lines.flush().expect("the command reads");
    });
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let (mut most, mut last) = (0, String::new());
    for number in 0..LINES {
        if number == LINES - 10_000 {
            most = peak();
        }
        last.clear();
        assert_ne!(output.read_line(&mut last).expect("a line"), 0, "ends after {number}");
        if number % 100 == 0 {
            // Everybody was born after 1900, and 16 have a child.
            let line = number + 1;
            assert_eq!(
                last,
                format!("{{\"line\":{line},\"counts\":{{\"all\":16}},\"length\":6}}\n")
            );
        }
    }
    writer.join().expect("the writer ends");
    assert!((1..MOST_KILOBYTES).contains(&most), "{most} kB at the peak");
    assert_eq!(child.wait().expect("the command ends").code(), Some(0));
}

const HEART: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/ontologies/anatomy.obo");

#[test]
fn labels_replace_codes() {
    let arguments = ["evaluate", HEART, "--hypotheses", "-"];
    let lines = "'has phenotype' some 'abnormal heart morphology'\n\
                 RO_0002200 some HP_0001627\n\
                 <http://purl.obolibrary.org/obo/RO_0002200> some 'abnormal heart morphology'\n\
                 HeartPatient\n'abnormal hart morphology'\n";
    let output = run_with(&mut pellucid(arguments), lines.as_bytes());
    let found = answers(&stdout(&output));
    for answer in &found[..4] {
        assert_eq!(answer["counts"], json!({ "all": 22 }), "{answer}");
    }
    let error = found[4]["error"].as_str().unwrap_or_default();
    assert!(error.contains("did you mean 'abnormal heart morphology'?"), "{error}");
    let page = done(["show", HEART], "");
    assert!(page.contains("\nventricular septal defect "), "{page}");
    let codes = done(["show", HEART, "--label-language", "none"], "");
    assert!(codes.contains("\nHP_0001629 ") && !codes.contains("septal"), "{codes}");
    // All labels in a language, also of names that are no codes.
    let all = done(["show", HEART, "--label-language", "en"], "");
    assert!(all.contains("\nheart patient "), "{all}");
}

#[test]
fn a_class_is_defined_and_its_model_keeps_labels_and_codes() {
    let folder = Folder::new();
    let model = folder.at("heart.json");
    let learned = done(["learn", "logic", HEART, "--class", "HeartPatient", "--out", &model], "");
    let best = "'has phenotype' some 'abnormal";
    assert!(learned.contains(best), "{learned}");
    let stored: Value =
        serde_json::from_str(&std::fs::read_to_string(&model).expect("a model")).expect("JSON");
    let text = stored.to_string();
    assert!(text.contains("\"HP_000162") && text.contains(":\"abnormal"), "{text}");
    let shown = done(["show", &model, "--format", "manchester"], "");
    assert!(shown.starts_with(best), "{shown}");
    let counted = done(["evaluate", HEART, "--hypotheses", "-", "--class", "HeartPatient"], &shown);
    let first = &answers(&counted)[0];
    assert_eq!(first["counts"], json!({ "positive": 22, "negative": 0 }));
    let owl = done(["show", &model, "--format", "owl"], "");
    assert!(owl.contains("rdfs:label \"abnormal"), "{owl}");
    let unknown = run_with(&mut pellucid(["learn", "logic", HEART, "--class", "HeartPatent"]), b"");
    let message = stderr(&unknown);
    assert!(message.contains("did you mean 'HeartPatient'?"), "{message}");
}

#[test]
fn positive_individuals_are_enough() {
    let folder = Folder::new();
    let positive = folder.file("uncles.txt", "david\nerik\nleo\nivan\n");
    let model = folder.at("uncle.json");
    let arguments = ["learn", "logic", FAMILY, "--positive", &positive, "--out", &model];
    let output = run_with(&mut pellucid(arguments), b"");
    let (page, notes) = (stdout(&output), stderr(&output));
    assert!(page.contains("Male and hasSibling some Parent"), "{page}");
    let note = "the 21 other individuals in 'Person' are the negative examples";
    assert!(notes.contains(note), "{notes}");
}
