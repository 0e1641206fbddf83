//! `pellucid explore`: answers on standard input, sessions, several experts and mistakes.

use crate::support::{Folder, answers, done, pellucid, run_with, stderr, stdout};

/// A salmon swims and a bee flies.
const ANIMALS: &str = ",swims,flies,lays eggs\nsalmon,1,0,1\nbee,0,1,1\n";

#[test]
fn an_exploration_ends_with_the_base() {
    let folder = Folder::new();
    let context = folder.file("animals.csv", ANIMALS);
    let extended = folder.at("extended.cxt");
    // Not every object lays eggs, not all that swim, but all that swim and fly.
    let input = "no bat: flies\nno otter: swims\nyes\n";
    let flags = ["explore", &context, "--write", &extended, "--json"];
    let output = run_with(&mut pellucid(flags), input.as_bytes());
    let messages = stderr(&output);
    assert!(messages.contains("question 1: does every object have lays eggs?"), "{messages}");
    let last = stdout(&output).lines().last().map(str::to_owned).unwrap_or_default();
    let summary = &answers(&last)[0];
    assert!(summary["objects"].as_u64() >= Some(4), "{summary} {messages}");
    assert_eq!((output.status.code(), &summary["finished"]), (Some(0), &true.into()), "{messages}");
    let base = done(["implications", &extended, "--quiet"], "");
    assert_eq!(base, "swims, flies -> lays eggs   (support 0)\n");
    assert!(stdout(&output).starts_with(&base), "{}", stdout(&output));
}

#[test]
fn sessions_continue_and_undo() {
    let folder = Folder::new();
    let context = folder.file("animals.csv", ANIMALS);
    let run = |input: &str, flags: &[&str]| {
        let all = [&["explore", &context], flags].concat();
        run_with(&mut pellucid(all), input.as_bytes())
    };
    let first = run("no bat: flies\nquit\n", &[]);
    assert_eq!(first.status.code(), Some(1));
    assert!(stderr(&first).contains("saved in"), "{}", stderr(&first));
    let second = run("list\nundo\n", &[]);
    assert!(stderr(&second).contains("continuing"), "{}", stderr(&second));
    assert!(stderr(&second).contains("no implication is accepted"), "{}", stderr(&second));
    assert!(stderr(&second).contains("question 1: does every object have lays eggs?"));
    // The file is that of the first question again, so restarting changes nothing.
    let session = std::fs::read(folder.at("animals.csv.session.json")).expect("a session");
    run("quit\n", &["--restart"]);
    assert_eq!(std::fs::read(folder.at("animals.csv.session.json")).expect("a session"), session);
    let other = folder.file("other.csv", ",a,b\nx,1,0\n");
    let session = folder.at("animals.csv.session.json");
    let output = run_with(&mut pellucid(["explore", &other, "--session", &session]), b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("of another context"), "{}", stderr(&output));
}

#[test]
fn another_expert_answers_what_one_does_not_know() {
    let folder = Folder::new();
    let context = folder.file("two.csv", ",a,b\nx,1,1\n");
    let ann = ["explore", &context, "--expert", "ann"];
    let first = run_with(&mut pellucid(ann), b"unknown\nunknown\nunknown\nunknown\n");
    assert_eq!(first.status.code(), Some(1), "{}", stderr(&first));
    assert!(stderr(&first).contains("wait for another expert"), "{}", stderr(&first));
    let bob = ["explore", &context, "--expert", "bob"];
    let second = run_with(&mut pellucid(bob), b"yes\n");
    assert_eq!(second.status.code(), Some(0), "{}", stderr(&second));
    assert_eq!(stdout(&second), "{} -> a, b   (support 1)\n");
}

#[test]
fn mistakes_are_explained() {
    let folder = Folder::new();
    let context = folder.file("animals.csv", ANIMALS);
    let input = "perhaps\nno\nno bat\nno bat: fly\nno hen: lays eggs\n\
                 no \"open: a\nno \"a\": \"b\nundo\nexpert\n";
    let output = run_with(&mut pellucid(["explore", &context]), input.as_bytes());
    let messages = stderr(&output);
    for expected in [
        "found 'perhaps'; answer: yes | no NAME",
        "expected: no NAME: attribute",
        "there is no attribute 'fly'; expected some of swims, flies, lays eggs",
        "'hen' has all attributes of the conclusion",
        "there is no answer to take back",
    ] {
        assert!(messages.contains(expected), "{expected}: {messages}");
    }
    let twice = folder.file("twice.csv", ",a,a\nx,1,0\n");
    for (path, expected) in [(&*twice, "two attributes are named 'a'"), ("-", "standard input")] {
        let output = run_with(&mut pellucid(["explore", path, "--from", "csv"]), b"");
        assert_eq!(output.status.code(), Some(2), "{path}");
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
}

#[test]
fn a_page_asks_the_questions_instead() {
    let folder = Folder::new();
    let context = folder.file("animals.csv", ANIMALS);
    let page = folder.at("animals.html");
    let run = |flags: &[&str], input: &str| {
        let all = [&["explore", &context], flags].concat();
        run_with(&mut pellucid(all), input.as_bytes())
    };
    let begun = run(&["--html", &page], "");
    assert_eq!(begun.status.code(), Some(0), "{}", stderr(&begun));
    let expected = format!("wrote {page} after 0 answers; open it in a browser");
    assert!(stderr(&begun).contains(&expected), "{}", stderr(&begun));
    assert!(!std::fs::exists(folder.at("animals.csv.session.json")).expect("a folder"));
    let text = std::fs::read_to_string(&page).expect("a page");
    assert!(text.starts_with("<!doctype html>") && text.contains("Content-Security-Policy"));
    // The page continues the session of the command, and does not change it.
    run(&["--quiet"], "no bat: flies\nquit\n");
    let session = std::fs::read(folder.at("animals.csv.session.json")).expect("a session");
    let later = run(&["--html", &page, "--expert", "bob"], "");
    assert!(stderr(&later).contains("after 1 answer; open"), "{}", stderr(&later));
    assert_eq!(std::fs::read(folder.at("animals.csv.session.json")).expect("a session"), session);
    let again = run(&["--html", "-", "--restart", "--quiet"], "");
    assert!(stdout(&again).starts_with("<!doctype html>") && stderr(&again).is_empty());
    let own = folder.at("animals.csv.session.json");
    for (html, flags, expected) in [
        (&context, &[][..], "would overwrite the context"),
        (&own, &[], "would overwrite the session"),
        (&page, &["--out", "base.txt"], "cannot be used with"),
        (&page, &["--write", "whole.cxt"], "cannot be used with"),
    ] {
        let output = run(&[&["--html", html], flags].concat(), "");
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
    let output = run_with(&mut pellucid(["explore", "-", "--html", &page]), b"");
    assert!(stderr(&output).contains("a session needs its file"), "{}", stderr(&output));
}
