//! Lines and functions that are too long to read at a glance.

use crate::files::with_extensions;
use anyhow::{Result, ensure};

/// The most columns of a line of code.
const COLUMNS: usize = 110;
/// The most lines of a function.
const LINES: usize = 80;

/// The files with long lines, and how many.
const LONG: &str = include_str!("../words/long.txt");

/// Fails with a list of the lines and functions that are too long.
pub(crate) fn check() -> Result<()> {
    let mut findings = Vec::new();
    for file in with_extensions(&["rs", "cu", "cuh", "h", "py"])? {
        let path = &file.path;
        let long = long_lines(&file.text);
        // Files that had long lines before there was a limit may keep them, but not get more.
        let known = known_long_lines(path);
        if long.len() < known {
            findings.push(format!(
                "xtask/words/long.txt: {path} has {} long lines, not {known}",
                long.len()
            ));
        }
        if long.len() > known {
            let each =
                long.iter().map(|(line, columns)| format!("{path}:{line}: {columns} columns"));
            findings.extend(each);
        }
        if file.extension() == "rs" {
            let long = long_functions(&file.text);
            findings.extend(
                long.iter()
                    .map(|(line, lines)| format!("{path}:{line}: a function of {lines} lines")),
            );
        }
    }
    ensure!(
        findings.is_empty(),
        "lines have at most {COLUMNS} columns and functions at most {LINES} lines:\n{}\n{} findings",
        findings.join("\n"),
        findings.len()
    );
    Ok(())
}

/// Returns the number of long lines that a file may have.
fn known_long_lines(path: &str) -> usize {
    let count = |line: &str| line.strip_prefix(path)?.strip_prefix(' ')?.parse().ok();
    LONG.lines().find_map(count).unwrap_or(0)
}

/// Returns the lines with too many columns.
fn long_lines(source: &str) -> Vec<(usize, usize)> {
    let lines = (1..).zip(source.lines().map(|text| text.chars().count()));
    lines.filter(|(_, columns)| *columns > COLUMNS).collect()
}

/// Returns the first lines of functions with too many lines. The code is formatted by rustfmt, so a function
/// ends at the first closing brace with its own indentation.
fn long_functions(source: &str) -> Vec<(usize, usize)> {
    let lines: Vec<&str> = source.lines().collect();
    let mut long = Vec::new();
    for (start, text) in lines.iter().enumerate() {
        let code = text.trim_start();
        if !is_function(code) {
            continue;
        }
        let closing = format!("{}}}", &text[..text.len() - code.len()]);
        let length =
            lines[start..].iter().position(|line| *line == closing).map_or(1, |end| end + 1);
        // A declaration without a body ends with a semicolon.
        let first = lines[start..].iter().find(|line| line.ends_with(['{', ';', '}']));
        if first.is_some_and(|line| line.ends_with('{')) && length > LINES {
            long.push((start + 1, length));
        }
    }
    long
}

fn is_function(code: &str) -> bool {
    let mut words = code.split_whitespace();
    let leading = |word: &&str| {
        word.starts_with("pub")
            || ["const", "async", "unsafe", "extern", "\"C\"", "default"].contains(word)
    };
    words.find(|word| !leading(word)) == Some("fn")
}

#[test]
fn long_code_is_found() {
    let body = "        x();\n".repeat(LINES);
    let source =
        format!("impl A {{\n    pub(crate) fn a() {{\n{body}    }}\n\n    fn b() {{}}\n}}\n");
    assert_eq!(long_functions(&source), [(2, LINES + 2)]);
    assert_eq!(long_lines(&format!("short\n{}\n", "é".repeat(COLUMNS + 1))), [(2, COLUMNS + 1)]);
    assert_eq!(long_lines(&"é".repeat(COLUMNS)), []);
}
