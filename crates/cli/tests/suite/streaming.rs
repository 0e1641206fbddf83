//! `pellucid evaluate` as a companion of another program: one question at a time, or a million.

use crate::support::{Folder, pellucid, spawn_piped};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

const TABLE: &str = "x,y,class\n1,5,0\n2,6,1\n3,7,0\n4,8,1\n";

/// Long enough for any machine; reached only when the command waits for more input before it answers.
const DEADLOCK: Duration = Duration::from_secs(60);

#[test]
fn each_question_is_answered_before_the_next() {
    let folder = Folder::new();
    let table = folder.file("table.csv", TABLE);
    let mut child =
        spawn_piped(&mut pellucid(["evaluate", &table, "--hypotheses", "-", "--quiet"]));
    let mut questions = child.stdin.take().expect("a pipe");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let (sender, answers) = channel();
    let reader = std::thread::spawn(move || {
        for line in output.lines() {
            sender.send(line.expect("a line")).expect("the test listens");
        }
    });
    let mut ask = |text: &str| {
        questions
            .write_all(text.as_bytes())
            .and_then(|()| questions.flush())
            .expect("the command reads");
    };
    let answer = || match answers.recv_timeout(DEADLOCK) {
        Ok(line) => serde_json::from_str::<Value>(&line).expect("JSON"),
        Err(RecvTimeoutError::Timeout) => panic!("no answer came"),
        Err(RecvTimeoutError::Disconnected) => panic!("the command went away"),
    };
    for (line, cut) in (1..=20).zip((0..5).cycle()) {
        ask(&format!("x > {cut}\n"));
        let answer = answer();
        assert_eq!(answer["line"], line);
        let above = (1u64..=4).filter(|&x| x > cut).count() as u64;
        let ones = (1u64..=4).filter(|&x| x > cut && x % 2 == 0).count() as u64;
        assert_eq!(
            (&answer["counts"]["0"], &answer["counts"]["1"]),
            (&Value::from(above - ones), &Value::from(ones))
        );
    }
    // A line that arrives with the beginning of the next one is answered without waiting for the rest.
    ask("x > 1\nx >");
    assert_eq!(answer()["line"], 21);
    ask(" 2\n");
    assert_eq!(answer()["counts"]["0"], 1);
    // A wrong line does not end the conversation.
    ask("nonsense >\n");
    assert!(answer()["error"].is_string());
    ask("true");
    drop(questions);
    assert_eq!(answer()["line"], 24);
    reader.join().expect("the reader ends");
    assert_eq!(child.wait().expect("the command ends").code(), Some(2));
}

/// A million different lines go through in little memory: what was asked is forgotten in time.
#[test]
#[cfg(target_os = "linux")]
fn a_million_lines_do_not_fill_the_memory() {
    const LINES: u64 = 1_000_000;
    // Half of what remembering every line would take, three times what is needed.
    const MOST_KILOBYTES: u64 = 80 * 1024;
    // Every line compares with another value, from 0 to below 5.
    #[expect(clippy::cast_precision_loss, reason = "below 2^52")]
    let cut = |number: u64| number as f64 * 5.0 / LINES as f64;
    let folder = Folder::new();
    let table = folder.file("table.csv", TABLE);
    let mut child = spawn_piped(&mut pellucid([
        "evaluate",
        &table,
        "--hypotheses",
        "-",
        "--quiet",
        "--threads",
        "2",
    ]));
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
            writeln!(lines, "x > {} and y <= 6", cut(number)).expect("the command reads");
        }
        lines.flush().expect("the command reads");
    });
    let mut last = String::new();
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut most = 0;
    for number in 0..LINES {
        // More answers are unread than a pipe holds, so the command is still running.
        if number == LINES - 10_000 {
            most = peak();
        }
        last.clear();
        assert_ne!(
            output.read_line(&mut last).expect("a line"),
            0,
            "the answers end after {number}"
        );
        // The rows with y <= 6 are x = 1 of class 0 and x = 2 of class 1.
        let counts = [1.0, 2.0].map(|x| u8::from(x > cut(number)));
        let counts = format!("{{\"0\":{},\"1\":{}}}", counts[0], counts[1]);
        assert_eq!(last, format!("{{\"line\":{},\"counts\":{counts},\"nodes\":7}}\n", number + 1));
    }
    writer.join().expect("the writer ends");
    assert!((1..MOST_KILOBYTES).contains(&most), "{most} kB at the peak");
    last.clear();
    assert_eq!(output.read_line(&mut last).expect("the end"), 0, "{last}");
    assert_eq!(child.wait().expect("the command ends").code(), Some(0));
}

/// As with `| head -1`: a closed pipe is not an error, and nothing is printed about it.
#[test]
fn closed_pipes_are_not_errors() {
    let folder = Folder::new();
    let table = folder.file("table.csv", TABLE);
    let many = "x > 1\n".repeat(200_000);
    for arguments in [
        vec!["evaluate", &table, "--hypotheses", "-", "--quiet"],
        vec!["generate", "multiplexer", "--bits", "20"],
        vec!["completions", "bash"],
    ] {
        let mut child = spawn_piped(&mut pellucid(&arguments));
        let mut stdin = child.stdin.take().expect("a pipe");
        drop(child.stdout.take());
        let _ = stdin.write_all(many.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().expect("the command ends");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}

/// Standard error may be closed as well.
#[test]
fn messages_may_have_no_reader() {
    let folder = Folder::new();
    let table = folder.file("table.csv", TABLE);
    for (arguments, code) in [
        (vec!["evaluate", &table, "--hypotheses", "-"], 0),
        (vec!["generate", "table", "--rows", "5"], 0),
        (vec!["evaluate", "absent.csv", "--hypotheses", "-"], 2),
    ] {
        let mut command = pellucid(&arguments);
        command.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::piped());
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = command.stderr(writer).output().expect("the command ends");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    }
}
