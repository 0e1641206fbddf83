//! `pellucid lattice`: summed up, drawn, and written for other programs.

use crate::support::{Folder, done, pellucid, run_with, stderr};
use serde_json::{Value, json};

const ANIMALS: &str =
    "B\nanimals\n3\n3\n\nsalmon\nbee\nduck\nswims\nflies\nlays eggs\nX.X\n.XX\nXXX\n";

fn fails(arguments: &[&str], code: i32) -> String {
    let output = run_with(&mut pellucid(arguments), b"");
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
    stderr(&output)
}

#[test]
fn a_summary_without_files() {
    let text = done(["lattice", "-", "--indices", "--top", "1"], ANIMALS);
    let mut parts = text.split("\n\n");
    assert_eq!(parts.next(), Some("concepts  4\nedges     4\nheight    2\nwidth     2"));
    let levels: Vec<&str> = parts.next().expect("levels").lines().collect();
    assert_eq!(levels.len(), 4);
    assert_eq!(levels[2].split_whitespace().collect::<Vec<_>>(), ["1", "2", "2"]);
    let indices: Vec<&str> = parts.next().expect("indices").lines().collect();
    assert_eq!(indices.len(), 2);
    let iceberg = done(["lattice", "-", "--min-support", "2"], ANIMALS);
    assert!(iceberg.starts_with("concepts  3\n") && iceberg.contains("below the minimum support"));
}

#[test]
fn three_forms_at_once() {
    let folder = Folder::new();
    let file = folder.file("animals.cxt", ANIMALS);
    let (svg, dot) = (folder.at("a.svg"), folder.at("a.dot"));
    let arguments = ["lattice", &file, "--svg", &svg, "--dot", &dot, "--json", "-"];
    let text = done([&arguments[..], &["--extents", "--indices"]].concat(), "");
    let json: Value = serde_json::from_str(&text).expect("one object");
    assert_eq!(json["attributes"], json!(["swims", "flies", "lays eggs"]));
    let concepts = json["concepts"].as_array().expect("a list");
    assert_eq!(concepts.len(), 4);
    let top = &concepts[0];
    assert_eq!((&top["support"], &top["extent"]), (&json!(3), &json!([0, 1, 2])));
    assert_eq!((&top["lower"], &top["delta"]), (&json!([1, 2]), &json!(1)));
    // Of eight sets of animals, those of salmon and bee have nothing else in common: 2 of 8.
    assert_eq!(top["stability"], json!(0.25));
    assert!(top["separation"].is_f64());
    let plain: Value =
        serde_json::from_str(&done(["lattice", &file, "--json", "-"], "")).expect("one object");
    assert!(plain["concepts"][0].get("extent").is_none());
    assert!(plain["concepts"][0].get("delta").is_none());
    // In a part of the lattice stability is not known.
    let part = done(["lattice", &file, "--json", "-", "--indices", "--min-support", "2"], "");
    let part: Value = serde_json::from_str(&part).expect("one object");
    assert!(part["concepts"][0].get("stability").is_none());
    assert_eq!(part["concepts"][0]["delta"], 1);

    let drawn = std::fs::read_to_string(&svg).expect("a picture");
    assert!(drawn.starts_with("<svg ") && drawn.contains("lays eggs") && drawn.contains("<script"));
    let still = done(["lattice", &file, "--svg", "-", "--still", "--labels", "all"], "");
    assert!(still.starts_with("<svg ") && !still.contains("<script"));
    let graph = std::fs::read_to_string(&dot).expect("a graph");
    assert!(graph.starts_with("graph \"animals\" {") && graph.matches(" -- ").count() == 4);
    // The same for any number of threads.
    assert_eq!(
        done(["lattice", &file, "--svg", "-", "--threads", "1"], ""),
        done(["lattice", &file, "--svg", "-", "--threads", "2"], "")
    );
}

#[test]
fn a_lattice_has_a_page() {
    let folder = Folder::new();
    let file = folder.file("animals.cxt", ANIMALS);
    let path = folder.at("animals.html");
    // No summary is printed beside a file.
    assert_eq!(done(["lattice", &file, "--html", &path], ""), "");
    let page = std::fs::read_to_string(&path).expect("a page");
    assert!(page.starts_with("<!doctype html>") && page.contains("Content-Security-Policy"));
    assert!(page.contains("\"concepts\":4,") && page.contains("\"least\":0"));
    let part = done(["lattice", &file, "--html", "-", "--min-support", "2"], "");
    assert!(part.contains("\"concepts\":3,") && part.contains("\"least\":2"));
    let message = fails(&["lattice", &file, "--html", &file], 2);
    assert!(message.contains("would overwrite"), "{message}");
}

#[test]
fn too_many_and_other_mistakes() {
    let folder = Folder::new();
    let huge = folder.at("huge.dat");
    let size = ["--objects", "60", "--attributes", "60", "--density", "0.9"];
    done([&["generate", "context", "--out", &huge], &size[..]].concat(), "");
    let (svg, all) = (folder.at("a.svg"), folder.at("a.json"));
    let message = fails(&["lattice", &huge, "--svg", &svg], 2);
    assert!(message.contains("huge.dat: there are more than 20,000 concepts"), "{message}");
    assert!(message.contains("--min-support above 0"), "{message}");
    assert!(!std::fs::exists(&svg).expect("a look"));
    let message = fails(&["lattice", &huge, "--max", "1000", "--min-support", "2"], 2);
    assert!(
        message.contains("more than 1,000") && message.contains("--min-support above 2"),
        "{message}"
    );
    let message = fails(&["lattice", &huge, "--time-limit", "0", "--json", &all], 1);
    assert!(message.contains("reached the time limit"), "{message}");
    let small = folder.file("animals.cxt", ANIMALS);
    for (flags, expected) in [
        (&["--svg", "-", "--dot", "-"][..], "only one of"),
        (&["--extents"], "--json"),
        (&["--still"], "--svg"),
        (&["--labels", "some", "--svg", "-"], "hover"),
        (&["--top", "3"], "--indices"),
        (&["--svg", "absent/folder/a.svg"], "absent/folder/a.svg"),
    ] {
        let message = fails(&[&["lattice", &small], flags].concat(), 2);
        assert!(message.contains(expected), "{flags:?}: {message}");
    }
}
