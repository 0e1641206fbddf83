//! `pellucid generate`: what it writes can be read, and is what it says.

use crate::support::{Folder, answers, done, pellucid, run_with, stderr, stdout};
use serde_json::Value;

const ENDINGS: [&str; 8] = ["csv", "csv.gz", "tsv", "dat", "arff", "arff.gz", "parquet", "TSV.GZ"];

/// Generates into a file, and returns the rule printed on standard error.
fn planted(arguments: &[&str], file: &str) -> String {
    let output = run_with(pellucid(arguments).args(["--out", file]), b"");
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{message}");
    assert_eq!(stdout(&output), "");
    let message = message.lines().next().unwrap_or_default();
    let rule = ["satisfies ", "where ", "class 1 if "]
        .iter()
        .find_map(|before| message.split_once(before));
    let (_, rule) = rule.unwrap_or_else(|| panic!("no rule in {message}"));
    rule.to_owned()
}

/// Answers to lines on a file.
fn evaluated(file: &str, more: &[&str], lines: &str) -> Vec<Value> {
    answers(&done([&["evaluate", file, "--hypotheses", "-"], more].concat(), lines))
}

fn of_class(answer: &Value, class: &str) -> u64 {
    answer["counts"][class].as_u64().unwrap_or_else(|| panic!("{answer}"))
}

#[test]
fn a_planted_rule_holds_for_class_one_only_in_every_format() {
    let folder = Folder::new();
    let mut seen = Vec::new();
    for ending in ENDINGS {
        let file = folder.at(&format!("table.{ending}"));
        let rule = planted(&["generate", "table", "--rows", "500", "--seed", "3"], &file);
        let answers = evaluated(&file, &[], &format!("true\n{rule}\n"));
        let (all, held) = (&answers[0], &answers[1]);
        assert_eq!(of_class(all, "0") + of_class(all, "1"), 500, "{ending}");
        assert!(of_class(all, "0") > 0 && of_class(all, "1") > 0, "{all}");
        assert_eq!(
            (of_class(held, "0"), of_class(held, "1")),
            (0, of_class(all, "1")),
            "{rule} in {ending}"
        );
        seen.push((rule, of_class(all, "1")));
    }
    assert!(seen.iter().all(|one| *one == seen[0]), "one seed, one table: {seen:?}");
}

#[test]
fn a_planted_rule_holds_for_bags_in_every_format() {
    let folder = Folder::new();
    for ending in ENDINGS {
        let file = folder.at(&format!("bags.{ending}"));
        let made = [
            "generate",
            "bags",
            "--bags",
            "80",
            "--size",
            "1..9",
            "--attributes",
            "4",
            "--seed",
            "5",
        ];
        let rule = planted(&made, &file);
        let answers = evaluated(&file, &["--bag", "bag"], &format!("true\n{rule}\n"));
        let (all, held) = (&answers[0], &answers[1]);
        assert_eq!(of_class(all, "0") + of_class(all, "1"), 80, "{ending}");
        assert!(of_class(all, "0") > 0 && of_class(all, "1") > 0, "{all}");
        assert_eq!(
            (of_class(held, "0"), of_class(held, "1")),
            (0, of_class(all, "1")),
            "{rule} in {ending}"
        );
    }
}

#[test]
fn given_rules_noise_and_missing_values() {
    let folder = Folder::new();
    let file = folder.at("own.csv");
    let own = "x1 > 0.25 or x2 <= 0.1";
    assert_eq!(
        planted(&["generate", "table", "--rows", "400", "--attributes", "2", "--rule", own], &file),
        own
    );
    let answers = evaluated(&file, &[], &format!("true\n{own}\n"));
    assert_eq!(of_class(&answers[1], "0"), 0);
    assert_eq!(of_class(&answers[1], "1"), of_class(&answers[0], "1"));

    let rule = planted(&["generate", "table", "--rows", "2000", "--noise", "0.3"], &file);
    let answers = evaluated(&file, &[], &rule);
    // Of about 1,000 rows 3 in 10 are flipped; 200 to 400 leaves seven standard deviations on each side.
    assert!((200..400).contains(&of_class(&answers[0], "0")), "{}", answers[0]);

    planted(&["generate", "table", "--rows", "1000", "--missing", "0.5"], &file);
    let answers = evaluated(&file, &[], "x1 >= 0");
    let known = of_class(&answers[0], "0") + of_class(&answers[0], "1");
    assert!((400..600).contains(&known), "{known} of 1000 values are known");
}

#[test]
fn fewer_attributes_than_comparisons() {
    let folder = Folder::new();
    let rule = planted(&["generate", "table", "--attributes", "1"], &folder.at("one.csv"));
    assert!(rule.starts_with("x1 ") && !rule.contains("and"), "{rule}");
}

#[test]
fn one_seed_gives_the_same_bytes() {
    for arguments in [
        vec!["generate", "table", "--rows", "50", "--noise", "0.1", "--missing", "0.1"],
        vec!["generate", "bags", "--bags", "20", "--size", "1..4"],
        vec!["generate", "multiplexer", "--rows", "40"],
        vec!["generate", "artificial", "1"],
    ] {
        let made = |seed: &str| done(arguments.iter().chain(&["--seed", seed]), "");
        assert_eq!(made("1"), made("1"), "{arguments:?}");
        assert_ne!(made("1"), made("2"), "{arguments:?}");
    }
    let folder = Folder::new();
    for ending in ENDINGS {
        let made = |name: &str| {
            let file = folder.at(&format!("{name}.{ending}"));
            planted(&["generate", "table", "--rows", "50"], &file);
            std::fs::read(file).expect("the file")
        };
        assert!(made("first") == made("second"), "{ending}");
    }
}

#[test]
fn the_multiplexer_selects_the_addressed_bit() {
    let folder = Folder::new();
    let six = "not a0 = 1 and not a1 = 1 and d0 = 1 or not a0 = 1 and a1 = 1 and d1 = 1 \
               or a0 = 1 and not a1 = 1 and d2 = 1 or a0 = 1 and a1 = 1 and d3 = 1";
    for ending in ENDINGS {
        let file = folder.at(&format!("six.{ending}"));
        done(["generate", "multiplexer", "--out", &file], "");
        let answers = evaluated(&file, &[], &format!("true\n{six}\n"));
        assert_eq!((of_class(&answers[0], "0"), of_class(&answers[0], "1")), (32, 32), "{ending}");
        assert_eq!((of_class(&answers[1], "0"), of_class(&answers[1], "1")), (0, 32), "{ending}");
    }
    let eleven = folder.file("eleven.csv", done(["generate", "multiplexer", "--bits", "11"], ""));
    let answers = evaluated(&eleven, &[], "true\na0 = 1 and a1 = 0 and a2 = 1 and d5 = 1\n");
    assert_eq!((of_class(&answers[0], "0"), of_class(&answers[0], "1")), (1024, 1024));
    assert_eq!((of_class(&answers[1], "0"), of_class(&answers[1], "1")), (0, 128));
}

#[test]
fn the_first_artificial_set_by_both_names() {
    let folder = Folder::new();
    let file = folder.at("artificial1.csv");
    let rule = planted(&["generate", "artificial1", "--seed", "4"], &file);
    let text = std::fs::read_to_string(&file).expect("the file");
    assert_eq!(text, done(["generate", "artificial", "1", "--seed", "4"], ""));
    let header = text.lines().next().expect("a header");
    assert_eq!(header.split(',').count(), 102, "a bag, 100 attributes, a class");
    assert_eq!(text.lines().count(), 1 + 1000);
    let answers = evaluated(&file, &["--bag", "bag"], &format!("true\n{rule}\n"));
    assert_eq!(of_class(&answers[0], "0") + of_class(&answers[0], "1"), 10);
    assert_eq!(
        (of_class(&answers[1], "0"), of_class(&answers[1], "1")),
        (0, of_class(&answers[0], "1"))
    );
}

#[test]
fn invalid_arguments_and_files() {
    let folder = Folder::new();
    let absent = folder.at("absent/table.csv");
    let cases: Vec<(Vec<&str>, &str)> = vec![
        (
            vec!["table", "--out", "table.xls"],
            "table.xls: cannot write files with this extension; expected one of .csv",
        ),
        (vec!["table", "--out", "table"], "table: cannot write files with this extension"),
        (
            vec!["table", "--out", "table.parquet.gz"],
            "table.parquet.gz: cannot write files with this extension",
        ),
        (vec!["table", "--out", &absent], "absent/table.csv: the folder "),
        (vec!["multiplexer", "--bits", "7"], "--bits: found 7; expected k + 2^k, as in 3, 6, 11"),
        (
            vec!["multiplexer", "--bits", "37"],
            "--rows: found none for all 2^37 inputs; expected a number of rows to draw",
        ),
        (vec!["multiplexer", "--rows", "0"], "--rows: found 0; expected a number of at least 1"),
        (vec!["artificial", "8"], "8 is not in 1..=7"),
        (vec!["artificial8"], "8 is not in 1..=7"),
        (vec!["artificial"], "required arguments were not provided"),
        (vec!["table", "--rows", "0"], "--rows: found 0; expected a number of at least 1"),
        (
            vec!["table", "--attributes", "0"],
            "--attributes: found 0; expected a number of at least 1",
        ),
        (
            vec!["table", "--comparisons", "11"],
            "--comparisons: found 11; expected a number from 1 to 10",
        ),
        (vec!["table", "--noise", "0.6"], "--noise: found 0.6; expected a number from 0 to 0.5"),
        (
            vec!["table", "--missing", "1"],
            "--missing: found 1; expected a number of at least 0 and less than 1",
        ),
        (vec!["table", "--rule", "x11 > 1"], "--rule: there is no column 'x11'"),
        (vec!["table", "--rule", "x1 >"], "--rule: column 5: found the end"),
        (vec!["bags", "--bags", "0"], "--bags: found 0; expected a number of at least 1"),
        (
            vec!["bags", "--size", "0"],
            "--size: found 0..0; expected an ascending range of at least one row",
        ),
        (vec!["bags", "--size", "5..2"], "an ascending range"),
        (vec!["bags", "--size", "few"], "--size: found 'few'; expected a number or a range"),
    ];
    for (arguments, expected) in cases {
        let output = run_with(&mut pellucid([&["generate"], arguments.as_slice()].concat()), b"");
        let message = stderr(&output);
        assert_eq!(
            (output.status.code(), stdout(&output).as_str()),
            (Some(2), ""),
            "{arguments:?}: {message}"
        );
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported_once() {
    let folder = Folder::new();
    for ending in ENDINGS {
        let file = folder.at(&format!("full.{ending}"));
        std::os::unix::fs::symlink("/dev/full", &file).expect("a link");
        let output = run_with(&mut pellucid(["generate", "table", "--out", &file]), b"");
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(&format!("full.{ending}: cannot write")), "{message}");
        assert_eq!(message.matches("No space left on device").count(), 1, "{message}");
    }
    let full = || std::fs::File::create("/dev/full").expect("a device");
    for arguments in [
        vec!["generate", "multiplexer"],
        vec!["completions", "bash"],
        vec!["devices", "--threads", "1"],
    ] {
        let output = pellucid(&arguments).stdout(full()).output().expect("the command ends");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            stderr(&output).contains("standard output: No space left on device"),
            "{}",
            stderr(&output)
        );
    }
}
