//! Files and types that the documentation names must exist.

use crate::files::{SourceFile, with_extensions};
use std::collections::BTreeSet;

/// Names in code spans that are not ours: types of Rust, Python, CUDA and other projects.
const EXTERNAL_NAMES: &str = "\
    Arc Box Categorical DataFrame Enum False GridSearchCV GroupKFold Iterator KeyboardInterrupt NaN None \
    NumPy Ok Option Parent Path Pipeline Result Series String True UserWarning ValueError Vec bench/.peers";

fn is_external(name: &str) -> bool {
    EXTERNAL_NAMES.split_whitespace().any(|known| known == name)
}

/// Returns the code spans of a page, without code blocks.
fn code_spans(page: &str) -> Vec<(usize, &str)> {
    let mut block = false;
    let mut spans = Vec::new();
    for (line, text) in (1..).zip(page.lines()) {
        if text.trim_start().starts_with("```") {
            block = !block;
        } else if !block {
            spans.extend(text.split('`').skip(1).step_by(2).map(|span| (line, span)));
        }
    }
    spans
}

/// Whether a code span names a file of the project.
fn is_path(span: &str) -> bool {
    let plain =
        span.chars().all(|letter| letter.is_ascii_alphanumeric() || "/_.-".contains(letter));
    let extension = span.rsplit_once('.').map_or("", |(_, extension)| extension);
    // NAME stands for any name.
    plain
        && !span.contains("NAME")
        && span.len() > 4
        && (["rs", "cu", "cuh", "sh"].contains(&extension)
            || span.starts_with("crates/")
            || span.starts_with("docs/")
            || (span.starts_with("bench/") && !span.contains(".venv"))
            || span.starts_with("python/bindings"))
}

/// Whether a code span names a type, and its first part.
fn type_name(span: &str) -> Option<&str> {
    let name = span
        .split("::")
        .find(|part| part.starts_with(|letter: char| letter.is_ascii_uppercase()))?;
    let name = name.split(['<', '(', ' ']).next()?;
    let camel = name.chars().all(|letter| letter.is_ascii_alphanumeric())
        && name.chars().skip(1).any(|letter| letter.is_ascii_lowercase());
    (camel && !span.contains([' ', '=', '$', '-', '\''])).then_some(name)
}

/// Returns the types that the sources declare.
fn declared(files: &[SourceFile]) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for file in files {
        for line in file.text.lines() {
            let mut words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            while let Some(word) = words.next() {
                if ["struct", "enum", "trait", "type", "class", "union", "mod", "as", "builder"]
                    .contains(&word)
                {
                    names.extend(words.next());
                }
            }
            // Variants and names that a macro declares stand alone on their line or before a brace.
            names.extend(
                line.split_whitespace().next().map(|word| word.trim_end_matches([',', '(', '{'])),
            );
        }
    }
    names
}

#[test]
fn files_and_types_of_the_documentation_exist() {
    let sources =
        with_extensions(&["rs", "cu", "cuh", "h", "py", "pyi", "sh", "ptx"]).expect("sources");
    let all = with_extensions(&[
        "rs", "cu", "cuh", "h", "py", "pyi", "sh", "md", "txt", "toml", "cpp", "ipynb", "json",
        "csv",
    ])
    .expect("files");
    let declared = declared(&sources);
    let mut unknown = Vec::new();
    let pages = all.iter().filter(|file| {
        file.extension() == "md"
            && (file.path.starts_with("docs/")
                || !file.path.contains('/')
                || file.path == "bench/README.md")
            && file.path != "CHANGELOG.md"
            && !file.is_below("decisions")
    });
    let mut checked = 0;
    for page in pages {
        for (line, span) in code_spans(&page.text) {
            if is_external(span) {
                continue;
            }
            let place = || format!("{}:{line}: `{span}`", page.path);
            if is_path(span) {
                checked += 1;
                let wanted = span.trim_end_matches('/');
                let inside = format!("/{wanted}/");
                let ends = format!("/{wanted}");
                let exists = all.iter().any(|file| {
                    let path = format!("/{}", file.path);
                    path.ends_with(&ends) || path.contains(&inside)
                }) || crate::tools::root().join(wanted).exists();
                if !exists {
                    unknown.push(place());
                }
            } else if let Some(name) = type_name(span)
                && !is_external(name)
            {
                checked += 1;
                if !declared.contains(name) {
                    unknown.push(place());
                }
            }
        }
    }
    assert!(unknown.is_empty(), "these do not exist:\n{}", unknown.join("\n"));
    assert!(checked > 100, "only {checked} names were found");
}
