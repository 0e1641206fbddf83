//! `pellucid concepts`: counted, written in every form, stopped in every way.

use crate::support::{Folder, answers, done, pellucid, run_with, spawn_piped, stderr, stdout};
use pellucid::concepts::write::BinaryReader;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::Command;

/// Three animals and what they do.
const ANIMALS: &str =
    "B\nanimals\n3\n3\n\nsalmon\nbee\nduck\nswims\nflies\nlays eggs\nX.X\n.XX\nXXX\n";

/// A context with more concepts than a test has time for, but any part of them at once.
fn huge(folder: &Folder) -> String {
    let file = folder.at("huge.dat");
    let size = ["--objects", "60", "--attributes", "60", "--density", "0.9"];
    done([&["generate", "context", "--out", &file], &size[..]].concat(), "");
    file
}

fn fails(arguments: &[&str], input: &str, code: i32) -> String {
    let output = run_with(&mut pellucid(arguments), input.as_bytes());
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
    stderr(&output)
}

#[test]
fn lines_for_people() {
    let folder = Folder::new();
    let file = folder.file("animals.cxt", ANIMALS);
    let mut lines: Vec<String> =
        done(["concepts", &file, "--extents"], "").lines().map(str::to_owned).collect();
    lines.sort();
    let expected = [
        "1\tswims, flies, lays eggs\tduck",
        "2\tflies, lays eggs\tbee, duck",
        "2\tswims, lays eggs\tsalmon, duck",
        "3\tlays eggs\tsalmon, bee, duck",
    ];
    assert_eq!(lines, expected);
    assert_eq!(done(["concepts", "-", "--count"], ANIMALS), "4\n");
    assert_eq!(done(["concepts", &file, "--count", "--min-support", "2"], ""), "3\n");
    assert_eq!(done(["concepts", &file, "--count", "--min-support", "67%"], ""), "1\n");
    assert_eq!(done(["concepts", &file, "--count", "--transpose"], ""), "4\n");
}

#[test]
fn the_result_is_the_last_line() {
    let folder = Folder::new();
    let file = folder.file("animals.cxt", ANIMALS);
    let search = |more: &[&str]| {
        let text = done([&["concepts", &file, "--format", "json", "--json"], more].concat(), "");
        let mut lines = answers(&text);
        (lines.pop().expect("a result"), lines)
    };
    let (result, concepts) = search(&["--threads", "1"]);
    assert_eq!(concepts.len(), 4);
    assert!(concepts.contains(&json!({"intent": ["swims", "lays eggs"], "support": 2})));
    assert_eq!(result["concepts"], 4);
    assert_eq!((&result["stop"], &result["objects"]), (&json!("complete"), &json!(3)));
    assert!(result["seconds"].is_f64() && result["device"].is_string());
    let (other, _) = search(&["--threads", "2", "--extents"]);
    assert_eq!(other["digest"], result["digest"]);
    assert_eq!(result["digest"].as_str().map(str::len), Some(16));
    let counted = answers(&done(["concepts", &file, "--count", "--json"], ""));
    assert_eq!((counted.len(), &counted[0]["digest"]), (1, &result["digest"]));
    let (capped, concepts) = search(&["--max", "2"]);
    assert_eq!((concepts.len(), &capped["stop"]), (2, &json!("cap")));
    // A maximum equal to the number of concepts is not a cap.
    assert_eq!(search(&["--max", "4"]).0["stop"], "complete");
}

#[test]
fn few_concepts_are_counted_and_many_are_estimated() {
    let folder = Folder::new();
    let file = folder.file("animals.cxt", ANIMALS);
    assert_eq!(done(["concepts", &file, "--estimate"], ""), "4 concepts (counted)\n");
    let counted = answers(&done(["concepts", &file, "--estimate", "--json"], ""));
    assert_eq!(counted[0]["high"], 4);
    assert_eq!(counted[0]["exact"], true);
    let many = huge(&folder);
    let of = |more: &[&str]| {
        let text = done([&["concepts", &many, "--estimate", "--json"], more].concat(), "");
        let found = answers(&text).remove(0);
        let number = |key: &str| found[key].as_u64().expect("a number");
        assert!(number("low") < number("concepts") && number("concepts") < number("high"));
        (number("low"), number("concepts"), number("high"))
    };
    let found = of(&["--seed", "5", "--threads", "1"]);
    assert_eq!(found, of(&["--seed", "5", "--threads", "2"]));
    assert_ne!(found, of(&[]));
    let text = done(["concepts", &many, "--estimate"], "");
    assert!(text.starts_with("about ") && text.contains("(95 % interval: "), "{text}");
    fails(&["concepts", &file, "--estimate", "--count"], "", 2);
    fails(&["concepts", &file, "--seed", "1"], "", 2);
}

#[test]
fn packed_concepts_are_the_same_concepts() {
    let folder = Folder::new();
    let file = folder.at("random.dat");
    let size = ["--objects", "70", "--attributes", "12", "--density", "0.3"];
    done([&["generate", "context", "--out", &file], &size[..]].concat(), "");
    let packed = folder.at("packed.bin");
    done(["concepts", &file, "--extents", "--format", "binary", "--out", &packed], "");
    let mut reader =
        BinaryReader::new(std::fs::File::open(&packed).expect("a file")).expect("a head");
    let mut read = BTreeSet::new();
    while let Some(concept) = reader.next().expect("a whole concept") {
        let ones: u32 = concept.extent.iter().map(|word| word.count_ones()).sum();
        assert_eq!(u64::from(ones), concept.support);
        assert!(read.insert((concept.intent[0], concept.support)));
    }
    let lines = answers(&done(["concepts", &file, "--format", "json", "--quiet"], ""));
    let listed: BTreeSet<(u64, u64)> = lines
        .iter()
        .map(|line| {
            let names = line["intent"].as_array().expect("a list");
            let number = |name: &Value| name.as_str().and_then(|name| name.parse::<u32>().ok());
            let intent = names.iter().filter_map(number).map(|number| 1u64 << (number - 1)).sum();
            (intent, line["support"].as_u64().expect("a number"))
        })
        .collect();
    assert_eq!(read, listed);
    // Packed concepts also go through a pipe, but nothing else may go there.
    let piped = run_with(&mut pellucid(["concepts", &file, "--format", "binary"]), b"");
    assert!(piped.stdout.starts_with(b"CONCEPTS"));
    fails(&["concepts", &file, "--format", "binary", "--json"], "", 2);
}

#[test]
fn graphs_and_scaled_tables() {
    let graph = "main parser\nmain lexer 3\nparser lexer\n";
    let count = |more: &[&str], input: &str| {
        done([&["concepts", "-", "--count", "--quiet"], more].concat(), input)
    };
    // Each of three modules with the two others: all sets of them. One way only: a chain.
    assert_eq!(count(&["--symmetric", "--from", "pairs"], graph), "8\n");
    assert_eq!(count(&[], graph), "4\n");
    let zoo = "name,legs,fur\ncat,4,yes\nhen,2,no\ndog,4,yes\nant,6,no\n";
    assert_eq!(count(&["--scale", "nominal", "--ignore", "name"], zoo), "6\n");
    let names = done(
        ["concepts", "-", "--scale", "nominal", "--bag", "name", "--extents", "--min-support", "2"],
        zoo,
    );
    assert!(names.contains("2\tlegs=4, fur=yes\tcat, dog\n"), "{names}");
    let thresholds = done(["concepts", "-", "--scale", "ordinal", "--ignore", "name,fur"], zoo);
    assert!(thresholds.contains("3\tlegs<=4\n"), "{thresholds}");

    let folder = Folder::new();
    let file = folder.file(
        "animals.cxt",
        ANIMALS.replace("duck\n", "duck\nswan\n").replace("3\n3", "4\n3") + "XXX\n",
    );
    let small = folder.at("small.csv");
    done(["concepts", &file, "--count", "--clarify", "--write", &small], "");
    let text = std::fs::read_to_string(&small).expect("a context");
    assert_eq!(text, "\"\",swims,flies,\"lays eggs\"\nsalmon,1,0,1\nbee,0,1,1\nduck,1,1,1\n");
    done(["concepts", &file, "--count", "--reduce", "--write", &small], "");
    let text = std::fs::read_to_string(&small).expect("a context");
    assert_eq!(text, "\"\",swims,flies\nsalmon,1,0\nbee,0,1\n");
    assert_eq!(done(["concepts", &small, "--count"], ""), "4\n");
}

#[test]
fn errors_name_the_file_and_line() {
    let folder = Folder::new();
    let message = fails(&["concepts", "-", "--from", "csv"], "name,legs\ncat,4\n", 2);
    assert!(
        message.contains("line 2, column 2") && message.contains("--scale nominal"),
        "{message}"
    );
    let message = fails(&["concepts", "-"], "a sentence of words\n", 2);
    assert!(message.contains("line 1") && message.contains("--from"), "{message}");
    let torn = folder.file("torn.cxt", &ANIMALS[..ANIMALS.len() - 3]);
    let message = fails(&["concepts", &torn], "", 2);
    assert!(message.contains("torn.cxt, line 14"), "{message}");
    let message = fails(&["concepts", &folder.at("absent.cxt")], "", 2);
    assert!(message.contains("absent.cxt"), "{message}");
    let file = folder.file("animals.cxt", ANIMALS);
    for (flags, expected) in [
        (&["--symmetric"][..], "expected pairs FROM TO"),
        (&["--min-support", "101%"], "5% or 0.05"),
        (&["--min-support", "many"], "5% or 0.05"),
        (&["--count", "--extents"], "cannot be used with"),
        (&["--cuts", "3"], "--scale"),
        (&["--write", "-"], "--write"),
        (&["--write", "a.xls"], ".cxt, .dat, .csv"),
        (&["--device", "cuda:99"], "found 'cuda:99'; expected one of cpu"),
        (&["--out", "absent/folder/x"], "absent/folder/x"),
        (&["--format", "xml"], "binary"),
    ] {
        let message = fails(&[&["concepts", &file], flags].concat(), "", 2);
        assert!(message.contains(expected), "{flags:?}: {message}");
    }
}

#[test]
fn a_limit_keeps_the_concepts_found() {
    let folder = Folder::new();
    let file = huge(&folder);
    let kept = folder.at("some.txt");
    let limited = ["concepts", &file, "--json", "--out", &kept, "--time-limit", "0"];
    let output = run_with(&mut pellucid(limited), b"");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let result = answers(&stdout(&output)).remove(0);
    assert_eq!(result["stop"], "time");
    let text = std::fs::read_to_string(&kept).expect("what was found");
    assert_eq!(text.lines().count() as u64, result["concepts"].as_u64().expect("a count"));
    assert!(stderr(&output).contains("reached the time limit"), "{}", stderr(&output));
    for threads in ["1", "2"] {
        let text = done(["concepts", &file, "--max", "5000", "--threads", threads, "-q"], "");
        assert!(text.ends_with('\n'));
        let lines: BTreeSet<&str> = text.lines().collect();
        assert_eq!(lines.len(), 5000, "each once, with {threads} threads");
        assert!(lines.iter().all(|line| line.split('\t').count() == 2));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_whole_lines() {
    let folder = Folder::new();
    let file = huge(&folder);
    let mut child = spawn_piped(&mut pellucid(["concepts", &file, "--format", "json", "--json"]));
    let mut pipe = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    pipe.read_line(&mut line).expect("a line");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
    let (mut lines, mut last) = (1u64, Value::Null);
    for line in pipe.lines() {
        last = serde_json::from_str(&line.expect("text")).expect("a whole line");
        lines += 1;
    }
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert_eq!(last["stop"], "interrupted");
    assert_eq!(last["concepts"], lines - 1);
    assert!(stderr(&output).contains("found so far are kept"), "{}", stderr(&output));
}

/// As with `| head -1`: the search ends when its reader closes the pipe. A full disk is an error
/// that names it.
#[cfg(unix)]
#[test]
fn closed_pipes_and_full_disks() {
    let folder = Folder::new();
    let file = huge(&folder);
    for format in ["text", "json", "binary"] {
        let mut child = spawn_piped(&mut pellucid(["concepts", &file, "-q", "--format", format]));
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the search ends");
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{format}");
    }
    if std::path::Path::new("/dev/full").exists() {
        let message = fails(&["concepts", &file, "--out", "/dev/full"], "", 2);
        assert!(message.contains("pellucid: /dev/full: No space left"), "{message}");
    }
}

/// Four patients with two numbers and a category each.
const PATIENTS: &str = "age,bmi,sex\n25,21.5,m\n31,24,m\n58,24,f\n31,30.5,m\n";

#[test]
fn interval_patterns_of_a_table() {
    let folder = Folder::new();
    let file = folder.file("patients.csv", PATIENTS);
    let list = |more: &[&str]| {
        let text = done([&["concepts", &file, "--intervals"], more].concat(), "");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let expected = [
        "2\tage = 31, bmi [24, 30.5], sex = m\t2, 4",
        "2\tage [25, 31], bmi [21.5, 24], sex = m\t1, 2",
        "2\tage [31, 58], bmi = 24\t2, 3",
        "3\tage [25, 31], sex = m\t1, 2, 4",
        "3\tage [31, 58], bmi [24, 30.5]\t2, 3, 4",
        "3\tbmi [21.5, 24]\t1, 2, 3",
        "4\t{}\t1, 2, 3, 4",
    ];
    assert_eq!(list(&["--min-support", "2", "--extents"]), expected);
    assert_eq!(list(&["--count", "--min-support", "2"]), ["7"]);
    let out = folder.at("patterns.jsonl");
    let result = list(&["--min-support", "75%", "--format", "json", "--json", "--out", &out]);
    let result: Value = serde_json::from_str(&result[0]).expect("a summary");
    assert_eq!((&result["patterns"], &result["stop"]), (&json!(4), &json!("complete")));
    let written = std::fs::read_to_string(&out).expect("a list");
    let line = json!({"pattern": {"age": [25, 31], "sex": "m"}, "support": 3});
    assert!(answers(&written).contains(&line), "{written}");
    assert_eq!(list(&["--max", "3"]).len(), 3);
    let columns = ["--ignore", "sex,bmi", "--count", "--min-support", "2"];
    assert_eq!(list(&columns), ["4"], "all, 25 to 31, 31 to 58, and 31");
}

#[test]
fn interval_patterns_need_a_table() {
    let folder = Folder::new();
    let file = folder.file("patients.csv", PATIENTS);
    for (flags, expected) in [
        (&["--format", "binary"][..], "no binary format; use text or json"),
        (&["--scale", "nominal"], "cannot be used with"),
        (&["--estimate"], "cannot be used with"),
        (&["--transpose"], "cannot be used with"),
    ] {
        let message = fails(&[&["concepts", &file, "--intervals"], flags].concat(), "", 2);
        assert!(message.contains(expected), "{message}");
    }
    let message = fails(&["concepts", &file, "--ignore", "sex", "--count"], "", 2);
    assert!(message.contains("--scale") && message.contains("--intervals"), "{message}");
}
