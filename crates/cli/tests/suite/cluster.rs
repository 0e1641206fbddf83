//! `pellucid cluster`: forms of output, given partitions, drawings, limits and mistakes.

use crate::support::{Folder, answers, done, pellucid, run_with, stderr, stdout};

/// Two triangles with an edge between them.
const GRAPH: &str = "p.a p.b\np.b p.c\np.c p.a\np.c p.d\np.d p.e\np.e p.f\np.f p.d\n";

fn clustered(more: &[&str]) -> String {
    done([&["cluster", "-", "--quiet"], more].concat(), GRAPH)
}

#[test]
fn partitions_in_all_forms() {
    let text = clustered(&[]);
    assert!(text.contains("(3 modules, factor 0.857)\n  p.a, p.b, p.c\n"), "{text}");
    let csv = clustered(&["--format", "csv"]);
    assert!(csv.starts_with("module,cluster\np.a,") && csv.lines().count() == 7, "{csv}");
    let bunch = clustered(&["--format", "bunch"]);
    assert!(bunch.contains(")=p.d, p.e, p.f\n"), "{bunch}");
    let lines = answers(&clustered(&["--format", "json", "--json"]));
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["clusters"][0]["modules"][2], "p.c");
    assert_eq!((&lines[1]["clusters"], &lines[1]["stop"]), (&2.into(), &"complete".into()));
    assert_eq!(lines[1]["mq"], 12.0 / 7.0);
    for threads in ["1", "2", "5"] {
        assert_eq!(clustered(&["--threads", threads, "--seed", "7"]), clustered(&["--seed", "7"]));
    }
}

#[test]
fn given_partitions_are_evaluated() {
    let folder = Folder::new();
    for format in ["bunch", "csv"] {
        let file = folder.file("given", clustered(&["--format", format]));
        let scored = answers(&clustered(&["--score", &file, "--format", "json", "--json"]));
        assert_eq!(scored[1]["mq"], 12.0 / 7.0, "{format}");
    }
    let one = folder.file("one.bunch", "SS(all)=p.a,p.b,p.c,p.d,p.e,p.f\n");
    let scored = clustered(&["--score", &one]);
    assert!(scored.starts_with("all   (6 modules, factor 1.000)\n"), "{scored}");
    let few = folder.file("few.bunch", "SS(all)=p.a\n");
    let output = run_with(&mut pellucid(["cluster", "-", "--score", &few]), GRAPH.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("module 'p.b' is in no cluster"), "{}", stderr(&output));
}

#[test]
fn drawings_replace_the_text_on_standard_output() {
    let svg = clustered(&["--svg", "-"]);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert_eq!(svg.matches("class=\"m\"").count(), 6);
    let dot = clustered(&["--dot", "-"]);
    assert!(dot.contains("subgraph cluster_1") && dot.contains(" -> "), "{dot}");
    // What is written for Graphviz can be read again, with the labels as names.
    let again = done(["cluster", "-", "--from", "dot", "-q"], &dot);
    assert_eq!(again, clustered(&[]));
    let drawing = answers(&clustered(&["--drawing", "-"]));
    assert_eq!(drawing[0]["modules"].as_array().map(Vec::len), Some(6));
    let folder = Folder::new();
    let both = [folder.at("a.svg"), folder.at("b.json")];
    let text = clustered(&["--svg", &both[0], "--drawing", &both[1]]);
    assert_eq!(text, clustered(&[]));
    assert!(both.iter().all(|file| std::path::Path::new(file).exists()));
}

#[test]
fn what_counts_is_said() {
    let output =
        run_with(&mut pellucid(["cluster", "-", "--omnipresent=1.2"]), b"a b 2\nb c\nb d\nd c\n");
    let messages = stderr(&output);
    assert!(messages.contains("graph: 4 modules, 4 edges, directed, weighted"), "{messages}");
    assert!(messages.contains("1 omnipresent module set aside"), "{messages}");
    assert!(stdout(&output).contains("Omnipresent, set aside   (1 module)\n  b\n"));
    assert!(stdout(&output).contains("Without edges, in no cluster   (1 module)\n  a\n"));
}

#[test]
fn limits_and_mistakes() {
    let many: String =
        (0..3000).map(|edge| format!("m{} m{}\n", edge * 7 % 1000, edge * 31 % 997)).collect();
    let flags = ["cluster", "-", "--time-limit", "0", "--json", "-q"];
    let output = run_with(&mut pellucid(flags), many.as_bytes());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let last = stdout(&output).lines().last().expect("a result").to_owned();
    assert_eq!(answers(&last)[0]["stop"], "time");
    for (flags, expected) in [
        (&["--svg", "-", "--dot", "-"][..], "only one of --svg and --dot"),
        (&["--score", "x", "--seed", "1"], "--seed"),
        (&["--omnipresent=0"], "at least 1"),
        (&["--from", "python"], "expected a folder of Python files"),
    ] {
        let output = run_with(&mut pellucid([&["cluster", "-"], flags].concat()), GRAPH.as_bytes());
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        assert!(stderr(&output).contains(expected), "{flags:?}: {}", stderr(&output));
    }
}
