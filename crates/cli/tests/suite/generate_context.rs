//! `pellucid generate context`: what it writes can be read, and is what it says.

use crate::support::{Folder, done, pellucid, run_with, stderr, stdout};
use pellucid::io::{Context, ContextOptions, read_context, read_context_from};

/// Generates into a file and reads that.
fn made(arguments: &[&str], file: &str) -> Context {
    let output =
        run_with(pellucid(["generate", "context"]).args(arguments).args(["--out", file]), b"");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    read_context(file.as_ref(), &ContextOptions::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn one_context_in_every_form() {
    let folder = Folder::new();
    let random = ["--objects", "60", "--attributes", "20", "--density", "0.3", "--seed", "5"];
    let cxt = made(&random, &folder.at("a.cxt"));
    assert_eq!((cxt.objects.len(), cxt.attributes.len()), (60, 20));
    for ending in ["cxt.gz", "dat", "dat.gz", "csv", "CSV.GZ"] {
        let other = made(&random, &folder.at(&format!("a.{ending}")));
        assert_eq!(other.relation, cxt.relation, "{ending}");
        assert!(other.attributes.iter().eq(cxt.attributes.iter()), "{ending}");
    }
    let shown = done(["generate", "context"].iter().chain(&random), "");
    let piped = read_context_from(shown.as_bytes(), "standard input", &ContextOptions::default());
    assert_eq!(piped.expect("a context").relation, cxt.relation);
}

#[test]
fn graphs_in_every_form() {
    let folder = Folder::new();
    for kind in ["uniform", "chung-lu"] {
        let graph = ["--objects", "80", "--density", "0.2", "--graph", kind];
        let cxt = made(&graph, &folder.at("g.cxt"));
        assert_eq!(cxt.relation.transposed(), cxt.relation);
        for ending in ["pairs", "mdg.gz"] {
            let pairs = made(&graph, &folder.at(&format!("g.{ending}")));
            assert_eq!(pairs.objects.len(), 80, "{kind}.{ending}");
            let arrow = |context: &Context, from: &str, to: &str| {
                let place = |name| context.objects.iter().position(|module| module == name);
                let to = place(to).and_then(|to| u32::try_from(to).ok()).expect("a module");
                context.relation.has(place(from).expect("a module"), to)
            };
            for (from, to) in [("1", "2"), ("3", "17"), ("40", "80"), ("5", "5"), ("2", "77")] {
                assert_eq!(arrow(&pairs, from, to), arrow(&cxt, from, to), "{kind}.{ending}");
            }
            assert_eq!(pairs.relation.crosses(), cxt.relation.crosses(), "{kind}.{ending}");
        }
    }
}

#[test]
fn one_seed_gives_the_same_bytes() {
    for more in [&["--density", "0.05"][..], &["--graph", "uniform"], &["--graph", "chung-lu"]] {
        let made = |seed| done([&["generate", "context", "--seed", seed], more].concat(), "");
        assert_eq!(made("1"), made("1"), "{more:?}");
        assert_ne!(made("1"), made("2"), "{more:?}");
    }
    let output = run_with(&mut pellucid(["generate", "context", "--density", "1"]), b"");
    assert_eq!(
        stderr(&output),
        "100 objects, 100 attributes, 10,000 crosses (100.00 % of all pairs)\n"
    );
}

#[test]
fn invalid_arguments_and_files() {
    let folder = Folder::new();
    let (dat, pairs) = (folder.file("e.dat", "kept"), folder.file("e.pairs", "kept"));
    let absent = folder.at("absent/a.cxt");
    let cases: Vec<(Vec<&str>, &str)> = vec![
        (
            vec!["--out", "a.xls"],
            "a.xls: cannot write files with this extension; expected one of .cxt, .dat, .csv",
        ),
        (vec!["--out", "a"], "a: cannot write files with this extension"),
        (vec!["--out", &absent], "absent/a.cxt: the folder "),
        (vec!["--objects", "0"], "--objects: found 0; expected a number of at least 1"),
        (vec!["--attributes", "0"], "--attributes: found 0; expected a number of at least 1"),
        (vec!["--density", "1.5"], "--density: found 1.5; expected a number from 0 to 1"),
        (vec!["--density", "NaN"], "--density: found NaN; expected a number from 0 to 1"),
        (
            vec!["--objects", "1000000", "--attributes", "1000000"],
            "--density: found 0.1; expected at most 4000000000 crosses of 1000000 x 1000000 pairs",
        ),
        (vec!["--graph", "star"], "invalid value 'star'"),
        (vec!["--graph", "uniform", "--attributes", "5"], "cannot be used with"),
        (
            vec!["--density", "0", "--out", &dat],
            "e.dat: attribute '1' has no objects; a .dat file would lose it",
        ),
        (
            vec!["--density", "0", "--graph", "uniform", "--out", &pairs],
            "e.pairs: module '1' is in no pair; a list of pairs would lose it",
        ),
        (
            vec!["--attributes", "7", "--out", &pairs],
            "e.pairs: objects and attributes differ; a list of pairs needs the same names for both",
        ),
    ];
    for (arguments, expected) in cases {
        let command = [&["generate", "context"], arguments.as_slice()].concat();
        let output = run_with(&mut pellucid(command), b"");
        let message = stderr(&output);
        assert_eq!(
            (output.status.code(), stdout(&output).as_str()),
            (Some(2), ""),
            "{arguments:?}: {message}"
        );
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
    for file in [dat, pairs] {
        assert_eq!(std::fs::read(&file).expect("the file"), b"kept", "{file}");
    }
}
