//! The command line as it was typed, for reports.

use std::ffi::OsString;
use std::path::Path;
use std::sync::OnceLock;

static ARGUMENTS: OnceLock<Vec<String>> = OnceLock::new();

/// Keeps the arguments of this process, the first of which is the name of the program.
pub(crate) fn remember(arguments: &[OsString]) {
    let text = |argument: &OsString| argument.to_string_lossy().into_owned();
    let program = arguments.first().map(|program| {
        Path::new(program).file_name().map_or_else(|| program.clone(), ToOwned::to_owned)
    });
    let all = program.iter().chain(arguments.iter().skip(1)).map(text).collect();
    // A library may run several commands in one process; the first stays.
    let _ = ARGUMENTS.set(all);
}

/// Returns the command line, quoted for a shell.
pub(crate) fn shown() -> Option<String> {
    let words: Vec<String> = ARGUMENTS.get()?.iter().map(|word| quoted(word)).collect();
    Some(words.join(" "))
}

/// Returns the command line without some flags that have a value and without some that have none, quoted for
/// a shell.
pub(crate) fn shown_without(valued: &[&str], switches: &[&str]) -> Option<String> {
    let words = without(ARGUMENTS.get()?, valued, switches);
    Some(words.into_iter().map(quoted).collect::<Vec<String>>().join(" "))
}

fn without<'a>(words: &'a [String], valued: &[&str], switches: &[&str]) -> Vec<&'a str> {
    let mut left = Vec::new();
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let is_joined =
            |flag: &&str| word.strip_prefix(*flag).is_some_and(|rest| rest.starts_with('='));
        if valued.contains(&word) {
            words.next();
        } else if !switches.contains(&word) && !valued.iter().any(is_joined) {
            left.push(word);
        }
    }
    left
}

/// Returns a word as it is typed in a POSIX shell.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./=,:+@%".contains(letter);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::{quoted, without};

    #[test]
    fn flags_are_left_out_with_their_values() {
        let words =
            ["explore", "--html", "a.html", "x.csv", "--html=b.html", "--restart", "--htmls"];
        let words = words.map(str::to_owned);
        assert_eq!(without(&words, &["--html"], &["--restart"]), ["explore", "x.csv", "--htmls"]);
    }

    #[test]
    fn words_are_quoted_where_needed() {
        assert_eq!(quoted("--target=age"), "--target=age");
        assert_eq!(quoted("my file.csv"), "'my file.csv'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}
