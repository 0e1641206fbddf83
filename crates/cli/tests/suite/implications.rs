//! `pellucid implications`: the base, rules with exceptions, and their forms.

use crate::support::{Folder, answers, done, pellucid, run_with, stderr, stdout};
use serde_json::json;

/// Four shoppers.
const BASKETS: &str = ",bread,butter,jam\nAnn,1,1,0\nBob,1,1,1\nCid,1,1,0\nDan,1,0,0\n";

fn listed(more: &[&str]) -> String {
    done([&["implications", "-", "--from", "csv", "--quiet"], more].concat(), BASKETS)
}

#[test]
fn the_base_in_all_forms() {
    assert_eq!(listed(&[]), "{} -> bread   (support 4)\nbread, jam -> butter   (support 1)\n");
    assert_eq!(listed(&["--min-support", "2"]), "{} -> bread   (support 4)\n");
    let csv = listed(&["--format", "csv"]);
    assert_eq!(csv, "premise,conclusion,support\n{},bread,4\n\"bread, jam\",butter,1\n");
    let lines = answers(&listed(&["--format", "json", "--json"]));
    assert_eq!(lines[0], json!({"premise": [], "conclusion": ["bread"], "support": 4}));
    assert_eq!((lines.len(), &lines[2]["implications"]), (3, &json!(2)));
    assert_eq!((&lines[2]["stop"], &lines[2]["attributes"]), (&json!("complete"), &json!(3)));
    assert!(lines[2].get("rules").is_none());
    let capped = answers(&listed(&["--format", "json", "--json", "--max", "1"]));
    assert_eq!((capped.len(), &capped[1]["stop"]), (2, &json!("cap")));
}

#[test]
fn rules_with_exceptions() {
    let text = listed(&["--rules", "--min-confidence", "0.7"]);
    let expected = "\
        {} -> bread   (support 4 = 100.0 %, confidence 1.000, lift 1.00)\n\
        bread, jam -> butter   (support 1 = 25.0 %, confidence 1.000, lift 1.33)\n\
        bread -> butter   (support 3 = 75.0 %, confidence 0.750, lift 1.00)\n";
    assert_eq!(text, expected);
    let first = |sort: &str| {
        let text = listed(&["--rules", "--min-confidence", "0.7", "--sort", sort, "--max", "1"]);
        assert_eq!(text.lines().count(), 1);
        text
    };
    assert!(first("lift").starts_with("bread, jam -> butter"));
    assert!(first("support").starts_with("{} -> bread"));
    // The shortest premise of what follows from jam is jam alone.
    let generic = listed(&["--rules", "--generic", "--min-confidence", "1"]);
    assert!(generic.contains("jam -> bread, butter"), "{generic}");
    let short = listed(&["--rules", "--min-confidence", "0", "--longest-premise", "1"]);
    assert!(!short.contains("bread, "), "{short}");
    let lines = answers(&listed(&["--rules", "--format", "json", "--json"]));
    let result = lines.last().expect("a result");
    assert_eq!(result["rules"], lines.len() as u64 - 1);
    assert_eq!(result["implications"], 2);
}

#[test]
fn limits_files_and_mistakes() {
    let folder = Folder::new();
    let file = folder.file("baskets.csv", BASKETS);
    let out = folder.at("base.txt");
    let listed_to_file = run_with(&mut pellucid(["implications", &file, "--out", &out]), b"");
    assert_eq!((listed_to_file.status.code(), stdout(&listed_to_file)), (Some(0), String::new()));
    assert!(stderr(&listed_to_file).contains("2 implications in"), "{}", stderr(&listed_to_file));
    assert_eq!(std::fs::read_to_string(&out).expect("a file"), listed(&[]));

    // Far more than can be found in no time; what there is by then is listed all the same.
    let huge = folder.at("huge.dat");
    let size = ["--objects", "80", "--attributes", "60", "--density", "0.7"];
    done([&["generate", "context", "--out", &huge], &size[..]].concat(), "");
    for rules in [&[][..], &["--rules"], &["--rules", "--generic"]] {
        let flags = ["implications", &huge, "--json", "--time-limit", "0", "-q"];
        let output = run_with(&mut pellucid([&flags[..], rules].concat()), b"");
        assert_eq!(output.status.code(), Some(1), "{rules:?} {}", stderr(&output));
        let last = stdout(&output).lines().last().expect("a result").to_owned();
        assert_eq!(answers(&last)[0]["stop"], "time", "{rules:?}");
    }
    for (flags, expected) in [
        (&["--min-confidence", "0.9"][..], "--rules"),
        (&["--rules", "--min-confidence", "90"], "0 to 1"),
        (&["--generic"], "--rules"),
        (&["--format", "xml"], "csv"),
    ] {
        let output = run_with(&mut pellucid([&["implications", &file], flags].concat()), b"");
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        assert!(stderr(&output).contains(expected), "{flags:?}: {}", stderr(&output));
    }
    if cfg!(target_os = "linux") {
        let output = run_with(&mut pellucid(["implications", &file, "--out", "/dev/full"]), b"");
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("/dev/full: No space left"), "{}", stderr(&output));
    }
}
