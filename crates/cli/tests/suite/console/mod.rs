//! What the docs show is true: their commands are run, in a copy of the examples, and print what is shown.
//!
//! In a block `console` a command follows `$`, and what stands below is what it prints; nothing below means
//! that it is only to succeed. In a block `sh` every line is a command, and a block `text` before the next
//! heading shows a part of what the last of them prints. `…` stands for any text in a line, and alone for any
//! lines: for what differs from machine to machine. Commands of one page run one after the other in one
//! folder, so a later one may use what an earlier one wrote.
#![cfg(unix)]

mod matching;
mod page;

use crate::support::{Folder, stderr, stdout};
use page::Step;
use pellucid_testdata::ours;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The front page, the guides, the stories and the page of the examples.
fn pages() -> Vec<PathBuf> {
    let guides = ["docs", "docs/stories"]
        .map(|folder| std::fs::read_dir(ours(folder)).expect("a folder of guides"));
    let guides = guides.into_iter().flatten();
    let mut pages: Vec<PathBuf> = guides.map(|entry| entry.expect("an entry").path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages.extend([ours("README.md"), ours("examples/README.md")]);
    pages
}

/// A folder with a copy of the examples.
fn with_examples() -> Folder {
    let folder = Folder::new();
    let copies = folder.path().join("examples");
    std::fs::create_dir(&copies).expect("a folder");
    for entry in std::fs::read_dir(ours("examples")).expect("examples") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            std::fs::copy(&path, copies.join(path.file_name().expect("a name"))).expect("a copy");
        }
    }
    folder
}

/// Runs a command line as a shell does that finds `pellucid`.
fn run(line: &str, folder: &Path) -> Output {
    let command = Path::new(env!("CARGO_BIN_EXE_pellucid")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", command.display()))
        .env("COLUMNS", "80")
        // Bytes in order, wherever this runs.
        .env("LC_ALL", "C")
        .env_remove("PELLUCID_SIMD")
        .env_remove("PELLUCID_FAULT")
        .stdin(Stdio::null())
        .output()
        .expect("a shell")
}

/// What is wrong with a step, if anything.
fn trouble(step: &Step, output: &Output) -> Option<String> {
    let (printed, message) = (stdout(output), stderr(output));
    // A page that shows an error means it.
    let fails = step.shown.iter().any(|line| line.starts_with("pellucid: "));
    if output.status.success() == fails {
        return Some(format!("it ended with {}: {message}", output.status));
    }
    let fits = |text: &str| {
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        if step.part {
            matching::part(&step.shown, &lines)
        } else {
            matching::whole(&step.shown, &lines)
        }
    };
    let shown = step.shown.is_empty() || fits(&printed) || fits(&format!("{printed}{message}"));
    (!shown).then(|| format!("it prints\n{printed}\nand says\n{message}"))
}

#[test]
fn commands_of_the_docs_print_what_is_shown() {
    let (mut ran, mut troubles) = (0, Vec::new());
    for path in pages() {
        let text = std::fs::read_to_string(&path).expect("a page");
        let folder = with_examples();
        for step in page::steps(&text) {
            let output = run(&step.command, folder.path());
            ran += 1;
            if let Some(trouble) = trouble(&step, &output) {
                let place = format!("{} line {}", path.display(), step.line);
                troubles.push(format!("{place}: {}\n{trouble}", step.command));
            }
        }
    }
    assert!(troubles.is_empty(), "{}", troubles.join("\n\n"));
    assert!(ran > 20, "only {ran} commands were found in the docs");
}

#[test]
fn a_page_that_is_wrong_is_found() {
    let page = "```console\n$ pellucid concepts examples/animals.csv --count --quiet\n13\n\
                $ pellucid concpts\n```\n";
    let steps: Vec<Step> = page::steps(page);
    let folder = with_examples();
    let found: Vec<Option<String>> =
        steps.iter().map(|step| trouble(step, &run(&step.command, folder.path()))).collect();
    assert!(
        found[0].as_deref().is_some_and(|message| message.contains("it prints\n12\n")),
        "{found:?}"
    );
    assert!(found[1].as_deref().is_some_and(|message| message.contains("ended with")), "{found:?}");
}
