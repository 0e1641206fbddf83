//! `pellucid evaluate`: expressions in, counts out.

use crate::support::{
    Folder, answers, done, lacks_instructions, pellucid, run_with, stderr, stdout,
};
use serde_json::{Value, json};

/// Six people; two values are missing, in numbers and in words.
const PEOPLE: &str = "\
age,\"MDVP:Fo(Hz)\",colour,class
10,100.5,red,no
20,?,dark blue,yes
30,130,,yes
40,120.5,red,no
50,119.5,green,yes
60,200,red,yes
";

fn evaluate(data: &str, more: &[&str], hypotheses: &str) -> Vec<Value> {
    let arguments = [&["evaluate", data, "--hypotheses", "-"], more].concat();
    answers(&done(arguments, hypotheses))
}

/// The counts of each answer: one number a class, in the order of the classes.
fn counts(answers: &[Value], classes: &[&str]) -> Vec<Vec<u64>> {
    let of = |answer: &Value| {
        let counts = answer["counts"].as_object().unwrap_or_else(|| panic!("{answer}"));
        assert_eq!(counts.len(), classes.len(), "{answer}");
        classes.iter().map(|&class| counts[class].as_u64().expect("a count")).collect()
    };
    answers.iter().map(of).collect()
}

#[test]
fn rows_of_each_class() {
    let folder = Folder::new();
    let people = folder.file("people.csv", PEOPLE);
    let cases = [
        ("true", [2, 4]),
        ("false", [0, 0]),
        ("age > 20", [1, 3]),
        ("age >= 20", [1, 4]),
        ("age < 20", [1, 0]),
        ("age <= 20", [1, 1]),
        ("age = 40", [1, 0]),
        ("age != 40", [1, 4]),
        ("age in [20, 40)", [0, 2]),
        ("age in (20, 40]", [1, 1]),
        ("20 <= age < 40", [0, 2]),
        ("40 >= age > 20", [1, 1]),
        ("\"MDVP:Fo(Hz)\" > 120", [1, 2]),
        ("not \"MDVP:Fo(Hz)\" > 120", [1, 2]),
        ("colour = red", [2, 1]),
        ("colour != red", [0, 2]),
        ("not colour = red", [0, 3]),
        ("colour in {green, 'dark blue'}", [0, 2]),
        ("colour = violet", [0, 0]),
        ("age > 20 and (colour = red or colour = green)", [1, 2]),
        ("age <= 10 or not age <= 50", [1, 1]),
    ];
    let lines: String = cases.iter().map(|(line, _)| format!("{line}\n")).collect();
    let answers = evaluate(&people, &[], &lines);
    assert_eq!(answers.len(), cases.len());
    for (((line, expected), found), answer) in
        cases.iter().zip(counts(&answers, &["no", "yes"])).zip(&answers)
    {
        assert_eq!(found, expected, "{line}: {answer}");
    }
    let numbers: Vec<u64> = answers.iter().filter_map(|answer| answer["line"].as_u64()).collect();
    assert_eq!(numbers, (1..=cases.len() as u64).collect::<Vec<_>>());
    // A comparison is three nodes, 'and' one more.
    assert_eq!(answers[2]["nodes"], 3);
    assert_eq!(evaluate(&people, &[], "age > 1 and age < 5")[0]["nodes"], 7);
}

#[test]
fn answers_are_written_in_the_documented_order() {
    let folder = Folder::new();
    let people = folder.file("people.csv", PEOPLE);
    let arguments = ["evaluate", &people, "--hypotheses", "-", "--cover", "--positive-class", "no"];
    assert_eq!(
        done(arguments, "age < 30"),
        "{\"line\":1,\"counts\":{\"yes\":1,\"no\":1},\"nodes\":3,\"rows\":[0,1]}\n"
    );
}

#[test]
fn covered_rows_are_listed_from_zero() {
    let folder = Folder::new();
    let people = folder.file("people.csv", PEOPLE);
    let answers = evaluate(&people, &["--cover"], "colour = red\nfalse\nnot age = 30\n");
    let rows: Vec<&Value> = answers.iter().map(|answer| &answer["rows"]).collect();
    assert_eq!(rows, [&json!([0, 3, 5]), &json!([]), &json!([0, 1, 3, 4, 5])]);
}

/// Bag a has two rows above 5, b one, c three, d none; rows of a bag need not stand together.
const BAGS: &str = "\
bag,x,class
a,6,1
b,1,0
c,7,1
a,7,1
c,8,1
d,1,0
b,9,0
c,9,1
d,2,0
a,1,1
";

#[test]
fn bags_by_how_many_rows_are_covered() {
    let folder = Folder::new();
    let bags = folder.file("bags.csv", BAGS);
    let count = |hypothesis: &[&str], line: &str| {
        let flags = [&["--bag", "bag"], hypothesis].concat();
        counts(&evaluate(&bags, &flags, line), &["0", "1"]).concat()
    };
    assert_eq!(count(&[], "true"), [2, 2]);
    assert_eq!(count(&[], "x > 5"), [1, 2]);
    assert_eq!(count(&["--hypothesis", "presence"], "x > 5"), [1, 2]);
    assert_eq!(count(&["--hypothesis", "rows"], "x > 5"), [1, 5]);
    assert_eq!(count(&["--hypothesis", "at-least=2"], "x > 5"), [0, 2]);
    assert_eq!(count(&["--hypothesis", "at-least=3"], "x > 5"), [0, 1]);
    assert_eq!(count(&["--hypothesis", "at-least=0"], "x > 5"), [2, 2]);
    assert_eq!(count(&["--hypothesis", "between=1..2"], "x > 5"), [1, 1]);
    assert_eq!(count(&["--hypothesis", "between=0..0"], "x > 5"), [1, 0]);
    let answers = evaluate(&bags, &["--bag", "1", "--cover"], "x > 5");
    assert_eq!(answers[0]["rows"], json!([0, 2, 3, 4, 6, 7]), "rows as they stand in the file");
    let answers = evaluate(&bags, &["--bag", "none", "--ignore", "bag"], "x > 5");
    assert_eq!(counts(&answers, &["0", "1"]), [[1, 5]]);
}

#[test]
fn counting_bags_needs_bags() {
    let folder = Folder::new();
    let people = folder.file("people.csv", PEOPLE);
    let arguments = ["evaluate", &people, "--hypotheses", "-", "--hypothesis", "presence"];
    let output = run_with(&mut pellucid(arguments), b"true\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("people.csv: the data has no bags"), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
}

#[test]
fn data_without_classes() {
    let folder = Folder::new();
    let people = folder.file("people.csv", PEOPLE);
    // Without a target the classes are a column like any other.
    let answers = evaluate(&people, &["--target", "none"], "age > 20\nclass = yes\n");
    assert_eq!(counts(&answers, &["all"]), [[4], [4]]);
    let one_column = folder.file("lone.csv", "x\n1\n2\n3\n");
    assert_eq!(counts(&evaluate(&one_column, &[], "x > 1"), &["all"]), [[2]]);
    let bags = folder.file("bags.csv", BAGS);
    let answers =
        evaluate(&bags, &["--target", "none", "--bag", "bag", "--ignore", "class"], "x > 5");
    assert_eq!(counts(&answers, &["all"]), [[3]]);
}

#[test]
fn data_flags() {
    let folder = Folder::new();
    let plain = folder.file("plain.txt", "0;1;5\n1;2;-\n1;1;7\n");
    let flags =
        ["--no-header", "--delimiter", ";", "--missing", "-", "--target", "1", "--nominal", "2"];
    let answers = evaluate(&plain, &flags, "x2 = '1'\nx3 > 0\n");
    assert_eq!(counts(&answers, &["0", "1"]), [[1, 1], [1, 1]]);
    let labels = folder.file("classes.txt", "a\nb\nb\n");
    let answers = evaluate(
        &plain,
        &["--no-header", "--missing", "-", "--labels", &labels, "--labels-by-position"],
        "x3 > 0\n",
    );
    assert_eq!(counts(&answers, &["a", "b"]), [[1, 1]]);
    let repeated = folder.file("repeated.csv", "bag,x,class\na,1,0\na,1,0\nb,1,1\n");
    let answers = evaluate(
        &repeated,
        &["--bag", "bag", "--dedupe-instances", "--hypothesis", "rows"],
        "true\n",
    );
    assert_eq!(counts(&answers, &["0", "1"]), [[1, 1]]);
}

#[test]
fn hypotheses_from_a_file_and_data_from_a_pipe() {
    let folder = Folder::new();
    let people = folder.file("people.csv", PEOPLE);
    let lines = "age > 20\ncolour = red\n";
    // As an editor on Windows saves it: a byte order mark, carriage returns, no end of line at the end.
    let windows = folder.file("windows.txt", "\u{feff}age > 20\r\ncolour = red");
    let piped = done(["evaluate", &people, "--hypotheses", "-"], lines);
    assert_eq!(
        done(["evaluate", &people, "--hypotheses", &folder.file("rules.txt", lines)], ""),
        piped
    );
    assert_eq!(done(["evaluate", &people, "--hypotheses", &windows], ""), piped);
    assert_eq!(done(["evaluate", "-", "--hypotheses", &windows], PEOPLE), piped);
    assert_eq!(done(["evaluate", &people, "--hypotheses", &folder.file("none.txt", "")], ""), "");
}

#[test]
fn invalid_lines_are_answered_in_order() {
    let folder = Folder::new();
    let people = folder.file("people.csv", PEOPLE);
    let mut input = b"age > 20\n\nheight > 3\nage >\n \t \ncolour > 1\n\xff\xfe age\n".to_vec();
    input.extend(vec![b' '; (1 << 20) + 1]);
    input.extend(b"\nage > 20\n");
    let output =
        run_with(&mut pellucid(["evaluate", &people, "--hypotheses", "-", "--json"]), &input);
    assert_eq!(output.status.code(), Some(2));
    let mut answers = answers(&stdout(&output));
    let summary = answers.pop().expect("a summary");
    assert_eq!((&summary["evaluated"], &summary["errors"]), (&json!(2), &json!(7)));
    assert!(summary["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{summary}");
    assert_eq!(answers.len(), 9);
    for (index, answer) in answers.iter().enumerate() {
        assert_eq!(answer["line"], json!(index + 1));
    }
    assert_eq!(counts(&[answers[0].clone(), answers[8].clone()], &["no", "yes"]), [[1, 3], [1, 3]]);
    let error = |line: usize| {
        assert!(answers[line - 1].get("counts").is_none(), "{}", answers[line - 1]);
        answers[line - 1]["error"].as_str().unwrap_or_else(|| panic!("line {line} has no error"))
    };
    assert!(error(2).contains("the line is empty"));
    assert_eq!(
        error(3),
        "there is no column 'height'; expected one of 'age', 'MDVP:Fo(Hz)', 'colour'"
    );
    assert!(error(4).starts_with("column 6: found the end"), "{}", error(4));
    assert!(error(5).contains("the line is empty"));
    assert!(error(6).contains("column 'colour' is nominal"));
    assert_eq!(error(7), "byte 1 is not UTF-8 text");
    assert_eq!(error(8), "the line is longer than 1048576 bytes");
    assert!(stderr(&output).contains("7 of 9 lines could not be evaluated"), "{}", stderr(&output));
}

#[test]
fn the_longest_allowed_line_is_evaluated() {
    let folder = Folder::new();
    let people = folder.file("people.csv", PEOPLE);
    let mut line = "age > 20".to_owned();
    line.push_str(&" ".repeat((1 << 20) - line.len()));
    let answers = evaluate(&people, &[], &format!("{line}\n{line}\nage > 20"));
    assert_eq!(counts(&answers, &["no", "yes"]), [[1, 3]; 3]);
}

#[test]
fn summary_comes_last_and_quiet_is_quiet() {
    let folder = Folder::new();
    let people = folder.file("people.csv", PEOPLE);
    let output = run_with(
        &mut pellucid(["evaluate", &people, "--hypotheses", "-", "--json", "--quiet"]),
        b"true\nfalse\n",
    );
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    let answers = answers(&stdout(&output));
    assert_eq!(answers.len(), 3);
    assert_eq!((&answers[2]["evaluated"], &answers[2]["errors"]), (&json!(2), &json!(0)));
    // Without it, the assumptions about the file are printed.
    let output = run_with(&mut pellucid(["evaluate", &people, "--hypotheses", "-"]), b"true\n");
    assert!(
        stderr(&output)
            .contains("note: assumed column 'class' is the target; use `--target` to change it"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn data_and_hypotheses_cannot_share_a_pipe() {
    let output = run_with(&mut pellucid(["evaluate", "-", "--hypotheses", "-"]), b"true\n");
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
    assert!(
        stderr(&output).contains("cannot read both the data and the hypotheses"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn the_same_bytes_on_all_instructions_and_threads() {
    let folder = Folder::new();
    let bags = folder.at("bags.csv");
    // Rows that fill tiles and do not, bags of all sizes, missing values.
    let made = [
        "generate",
        "bags",
        "--bags",
        "200",
        "--size",
        "1..23",
        "--missing",
        "0.05",
        "--attributes",
        "6",
        "--out",
        &bags,
    ];
    done(made, "");
    let lines: String = (0..150)
        .map(|number| {
            let (a, b) = (number % 6 + 1, (number / 6) % 6 + 1);
            let cut = f64::from(number) / 150.0;
            format!("x{a} > {cut} and not x{b} <= {} or x3 in [{cut}, 0.9)\n", cut / 2.0)
        })
        .collect();
    for hypothesis in ["rows", "presence", "at-least=3", "between=2..5"] {
        let evaluate = |level: &str, threads: &str| {
            let arguments = [
                "evaluate",
                &bags,
                "--bag",
                "bag",
                "--hypotheses",
                "-",
                "--cover",
                "--hypothesis",
                hypothesis,
            ];
            let mut command = pellucid(arguments.iter().chain(&["--threads", threads]));
            run_with(command.env("PELLUCID_SIMD", level), lines.as_bytes())
        };
        let expected = evaluate("scalar", "1");
        assert_eq!(expected.status.code(), Some(0), "{}", stderr(&expected));
        assert_eq!(answers(&stdout(&expected)).len(), 150);
        for level in ["scalar", "portable", "avx2", "avx512"] {
            for threads in ["1", "2", "3"] {
                let found = evaluate(level, threads);
                if level.starts_with("avx") && lacks_instructions(&found) {
                    break;
                }
                assert!(
                    found.stdout == expected.stdout,
                    "{hypothesis} on {level} with {threads} threads differs"
                );
            }
        }
    }
}

/// Covered rows of large tables are worked out a part of the lines at a time.
#[test]
fn covered_rows_of_many_lines_on_many_rows() {
    let folder = Folder::new();
    let table = folder.at("table.csv");
    done(["generate", "table", "--rows", "300000", "--attributes", "1", "--out", &table], "");
    let lines = "x1 <= 0\nfalse\n".repeat(1500);
    let answers = evaluate(&table, &["--cover"], &lines);
    assert_eq!(answers.len(), 3000);
    let covered = answers[0]["rows"].as_array().expect("rows");
    let counted: u64 = counts(&answers[..1], &["0", "1"]).concat().iter().sum();
    assert!(counted > 100, "{counted} of 300,000 rows where 1 in 1,000 is expected");
    assert_eq!(covered.len() as u64, counted);
    for pair in answers.chunks(2) {
        assert_eq!((&pair[0]["rows"], &pair[1]["rows"]), (&answers[0]["rows"], &json!([])));
    }
}

#[test]
fn rules_about_rows_may_be_written_as_they_are_shown() {
    let folder = Folder::new();
    let bags = folder.file("b.csv", "bag,x,class\na,1,0\na,5,0\nb,2,1\nb,1,1\nc,9,1\n");
    let ask = |lines: &str, more: &[&str]| {
        let arguments = [&["evaluate", &bags, "--bag", "bag", "--hypotheses", "-"], more].concat();
        run_with(&mut pellucid(arguments), lines.as_bytes())
    };
    let output = ask("x > 4\nsome row has x > 4\nsome row (x > 4)\n", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for answer in answers(&stdout(&output)) {
        assert_eq!(answer["counts"], serde_json::json!({"0": 1, "1": 1}));
    }
    for (line, counted) in [("no row has x > 4", "presence"), ("some row has x > 4", "rows")] {
        let output = ask(&format!("{line}\n"), &["--hypothesis", counted]);
        let message = answers(&stdout(&output))[0]["error"].as_str().expect("an error").to_owned();
        assert!(message.contains("write only the condition on a row"), "{message}");
    }
}
