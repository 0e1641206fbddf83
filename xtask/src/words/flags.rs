//! Flags in the messages of library crates.
//!
//! A library has parameters, and each user interface spells them in its own way, as `pellucid_data::Message`
//! describes.

use super::text;
use crate::files::SourceFile;

/// The crates of commands, and those that run other commands.
const COMMANDS: [&str; 7] =
    ["arguments", "bench", "cli", "emulator", "terminal", "testdata", "torture"];

/// Returns the flags in the string literals of a library, each with its line.
pub(super) fn found(file: &SourceFile) -> Vec<(usize, String)> {
    if !is_library(&file.path) {
        return Vec::new();
    }
    let passages = text::strings_of_rust(&file.text).into_iter();
    passages.filter_map(|passage| Some((passage.line, flag(&passage.text)?.to_owned()))).collect()
}

/// Whether a file is part of a library that several user interfaces share, or of the Python package.
fn is_library(path: &str) -> bool {
    let folders: Vec<&str> = path.split('/').collect();
    match folders[..] {
        ["crates", name, "src", ..] => !COMMANDS.contains(&name),
        ["python", "bindings", "src", ..] => true,
        _ => false,
    }
}

/// Returns the first flag in a text.
fn flag(text: &str) -> Option<&str> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let (start, _) = text.match_indices("--").find(|(start, _)| {
        !text[..*start].ends_with(is_part) && text[start + 2..].starts_with(char::is_alphabetic)
    })?;
    let flag = &text[start..];
    Some(&flag[..flag.find(|letter| !is_part(letter)).unwrap_or(flag.len())])
}

#[test]
fn flags_are_found_in_libraries() {
    assert_eq!(flag("use `--no-header` to change it"), Some("--no-header"));
    assert_eq!((flag("a -- b"), flag("a--b"), flag("<!-- x -->")), (None, None, None));
    let source = "/// As `--task` does.\nfn a() { b(\"use \\\n --task {x}\"); }\n".to_owned();
    let file = |path: &str| SourceFile { path: path.to_owned(), text: source.clone() };
    assert_eq!(found(&file("crates/io/src/a.rs")), [(2, "--task".to_owned())]);
    assert_eq!(found(&file("crates/cli/src/a.rs")), []);
}

#[test]
fn no_library_names_a_flag() {
    let files = crate::files::with_extensions(&["rs"]).expect("readable files");
    let seen = files.iter().filter(|file| super::is_seen(file));
    let flags: Vec<String> = seen
        .flat_map(|file| {
            let path = &file.path;
            found(file).into_iter().map(move |(line, flag)| format!("{path}:{line}: {flag}"))
        })
        .collect();
    assert_eq!(flags, [""; 0], "use a parameter of `pellucid_data::message!` instead");
}
