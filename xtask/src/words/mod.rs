//! `cargo xtask words`: phrases to avoid in text that users can see, public names that are unclear, and flags
//! in messages of libraries.
//!
//! `xtask/words/phrases.txt` lists the phrases, `xtask/words/allowed.txt` the exceptions with their reasons.

mod flags;
mod names;
mod text;

use crate::files::{SourceFile, with_extensions};
use anyhow::{Context as _, Result, ensure};
use text::Passage;

/// The folders and pages that users and readers see.
const SEEN: [&str; 8] = [
    "crates/",
    "python/",
    "docs/",
    "examples/",
    "README.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
];
/// Folders in them that only developers see.
const UNSEEN: [&str; 4] = ["tests", "benches", "guided", "decisions"];

/// Fails with a list of all findings.
pub(crate) fn run() -> Result<()> {
    let phrases = phrases(include_str!("../../words/phrases.txt"))?;
    let mut allowed = allowed(include_str!("../../words/allowed.txt"))?;
    let mut findings = Vec::new();
    let mut types = Vec::new();
    let files = with_extensions(&["rs", "py", "pyi", "md", "ipynb"])?;
    for file in files.iter().filter(|file| is_seen(file)) {
        for (line, phrase) in found(file, &phrases) {
            if !is_allowed(&mut allowed, &file.path, &phrase.text) {
                findings.push(format!(
                    "{}:{line}: '{}'; write: {}",
                    file.path, phrase.text, phrase.instead
                ));
            }
        }
        for (line, flag) in flags::found(file) {
            findings.push(format!("{}:{line}: '{flag}'; write: the parameter", file.path));
        }
        if is_library(file) {
            let declared = names::public(&file.text).into_iter().filter(|name| name.is_type);
            types.extend(declared.map(|name| (name.name, format!("{}:{}", file.path, name.line))));
        }
    }
    for (name, places) in names::repeated(&types) {
        let first = places[0].split(':').next().unwrap_or_default();
        if !is_allowed(&mut allowed, first, name) {
            findings.push(format!(
                "{}: the public type '{name}' has several meanings",
                places.join(", ")
            ));
        }
    }
    let unused = allowed.iter().filter(|entry| !entry.used);
    findings.extend(unused.map(|entry| {
        format!("xtask/words/allowed.txt: nothing in {} matches '{}'", entry.path, entry.phrase)
    }));
    ensure!(findings.is_empty(), "{}\n{} findings", findings.join("\n"), findings.len());
    Ok(())
}

/// Whether users or readers of the documentation see a file; files of unit tests alone are not seen.
fn is_seen(file: &SourceFile) -> bool {
    let tests = file.path.ends_with("/tests.rs") || file.path.ends_with("_tests.rs");
    !tests
        && SEEN.iter().any(|seen| file.path.starts_with(seen))
        && !UNSEEN.iter().any(|folder| file.is_below(folder))
}

/// A phrase to avoid, and what to write instead.
struct Phrase {
    text: String,
    instead: String,
}

fn phrases(list: &str) -> Result<Vec<Phrase>> {
    entries(list)
        .map(|line| {
            let (text, instead) = line
                .split_once(" => ")
                .with_context(|| format!("phrases.txt: no ' => ' in '{line}'"))?;
            Ok(Phrase { text: text.to_owned(), instead: instead.to_owned() })
        })
        .collect()
}

/// An exception: a phrase or a public name that stays in some file.
struct Allowed {
    path: String,
    phrase: String,
    used: bool,
}

fn allowed(list: &str) -> Result<Vec<Allowed>> {
    entries(list)
        .map(|line| {
            let fields: Vec<&str> = line.split(" | ").collect();
            let [path, phrase, reason] = fields[..] else {
                anyhow::bail!("allowed.txt: found '{line}', expected: path | phrase | reason")
            };
            ensure!(!reason.trim().is_empty(), "allowed.txt: '{line}' gives no reason");
            Ok(Allowed { path: path.to_owned(), phrase: phrase.to_owned(), used: false })
        })
        .collect()
}

fn entries(list: &str) -> impl Iterator<Item = &str> {
    list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn is_allowed(allowed: &mut [Allowed], place: &str, phrase: &str) -> bool {
    let mut any = false;
    for entry in allowed {
        let covers =
            place == entry.path || (entry.path.ends_with('/') && place.starts_with(&entry.path));
        if covers && entry.phrase == phrase {
            entry.used = true;
            any = true;
        }
    }
    any
}

/// The phrases in a file, each with its line.
fn found<'a>(file: &SourceFile, phrases: &'a [Phrase]) -> Vec<(usize, &'a Phrase)> {
    let rust = file.extension() == "rs";
    let mut passages = if rust { text::of_rust(&file.text) } else { text::of_page(&file.text) };
    if is_library(file) {
        let names = names::public(&file.text).into_iter();
        passages
            .extend(names.map(|name| Passage { line: name.line, text: names::words(&name.name) }));
    }
    let mut found = Vec::new();
    for passage in passages {
        let text = passage.text.to_lowercase();
        let text: Vec<&str> = text.split_whitespace().collect();
        let text = text.join(" ");
        let here = phrases.iter().filter(|phrase| has_words(&text, &phrase.text));
        found.extend(here.map(|phrase| (passage.line, phrase)));
    }
    found
}

/// Whether a text has a phrase as whole words.
fn has_words(text: &str, phrase: &str) -> bool {
    let part_of_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    text.match_indices(phrase).any(|(place, _)| {
        let before = text[..place].chars().next_back();
        let after = text[place + phrase.len()..].chars().next();
        !before.is_some_and(part_of_word) && !after.is_some_and(part_of_word)
    })
}

fn is_library(file: &SourceFile) -> bool {
    file.extension() == "rs" && file.path.starts_with("crates/")
}

#[test]
fn phrases_are_whole_words() {
    assert!(has_words("what was told here", "told"));
    assert!(!has_words("a threshold", "hold") && !has_words("foretold", "told"));
}
