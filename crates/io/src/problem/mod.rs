//! Learning problems from files: the positive and negative examples of a class expression.
//!
//! The formats are DL-Learner's configuration files, JSON files with one or many problems, and lists with one
//! individual per line.

mod conf;
mod json;
mod lists;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use rustc_hash::FxHashSet;

use crate::source::error::{ReadError, ReadProblem};
use crate::source::load::load_text;
use crate::source::options::Limits;
use crate::source::path::stem_and_extension;
use pellucid_data::Problem as LearningProblem;

/// Reads learning problems from a file, or from standard input if the path is `-`.
///
/// A DL-Learner configuration (`.conf`) has one problem, a JSON file (`.json`) one or many; both may end in
/// `.gz`. With any other extension a leading `{` means JSON.
///
/// # Errors
/// Describes the problem and its position in the file.
pub fn read_problems(path: &Path) -> Result<Vec<LearningProblem>, ReadError> {
    read_problems_with(path, &Limits::default())
}

/// Like [`read_problems`], with the given limits.
///
/// # Errors
/// As [`read_problems`].
pub fn read_problems_with(path: &Path, limits: &Limits) -> Result<Vec<LearningProblem>, ReadError> {
    open(path, |reader, name| problems(reader, name, limits))
}

/// Reads learning problems from any reader; `name` appears in messages, and its extension selects the format.
///
/// ```
/// use pellucid_io::read_problems_from;
/// let text = r#"prefixes = [ ("ex","http://example.org/#") ] // and so on
/// lp.positiveExamples = { "ex:anna", "ex:bert" }
/// lp.negativeExamples = { "ex:carl" }"#;
/// let problems = read_problems_from(text.as_bytes(), "family.conf")?;
/// assert_eq!(problems[0].name, "family");
/// assert_eq!(problems[0].positive, ["http://example.org/#anna", "http://example.org/#bert"]);
/// # Ok::<(), pellucid_io::ReadError>(())
/// ```
///
/// # Errors
/// Describes the problem and its position in the input.
pub fn read_problems_from(
    mut reader: impl Read,
    name: &str,
) -> Result<Vec<LearningProblem>, ReadError> {
    problems(&mut reader, name, &Limits::default())
}

fn problems(
    reader: &mut dyn Read,
    name: &str,
    limits: &Limits,
) -> Result<Vec<LearningProblem>, ReadError> {
    let mut read = || {
        let text = load_text(reader, limits)?;
        let (stem, extension) = stem_and_extension(name);
        let json = match extension.as_str() {
            "json" => true,
            "conf" => false,
            _ => text.trim_start().starts_with('{'),
        };
        if json { json::read(&text, stem) } else { Ok(vec![conf::read(&text, stem)?]) }
    };
    read().map_err(|error| error.in_file(name))
}

/// Reads the names of individuals from a file, or from standard input if the path is `-`: one per line.
///
/// Angle brackets or quotes around a name are removed; empty lines and lines that begin with `# `
/// are skipped.
///
/// # Errors
/// Describes the problem and its position in the file; a file without names is an error.
pub fn read_examples(path: &Path) -> Result<Vec<String>, ReadError> {
    read_examples_with(path, &Limits::default())
}

/// Like [`read_examples`], with the given limits.
///
/// # Errors
/// As [`read_examples`].
pub fn read_examples_with(path: &Path, limits: &Limits) -> Result<Vec<String>, ReadError> {
    open(path, |reader, name| examples(reader, name, limits))
}

/// Reads the names of individuals from any reader; `name` appears in messages.
///
/// # Errors
/// Describes the problem and its position in the input.
pub fn read_examples_from(mut reader: impl Read, name: &str) -> Result<Vec<String>, ReadError> {
    examples(&mut reader, name, &Limits::default())
}

fn examples(reader: &mut dyn Read, name: &str, limits: &Limits) -> Result<Vec<String>, ReadError> {
    let text = load_text(reader, limits);
    text.and_then(|text| lists::read(&text)).map_err(|error| error.in_file(name))
}

fn open<T>(
    path: &Path,
    read: impl FnOnce(&mut dyn Read, &str) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    if path == Path::new("-") {
        return read(&mut io::stdin().lock(), "standard input");
    }
    let name = path.display().to_string();
    let mut file =
        File::open(path).map_err(|error| ReadError::from(ReadProblem::Io(error)).in_file(&name))?;
    read(&mut file, &name)
}

/// Removes repeated names and keeps the first of each.
fn once(mut names: Vec<String>) -> Vec<String> {
    let mut seen = FxHashSet::default();
    names.retain(|name| seen.insert(name.clone()));
    names
}
