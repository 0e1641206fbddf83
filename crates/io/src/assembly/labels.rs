//! A separate file of labels with one label per line, as in Arcene and Madelon.

use std::fs::File;
use std::path::Path;

use crate::source::error::{Position, ReadError, ReadProblem};
use crate::source::load::load_encoded;
use crate::source::options::ReadOptions;

/// Reads one label per line; blank lines are allowed only at the end.
pub(crate) fn read(path: &Path, options: &ReadOptions) -> Result<Vec<String>, ReadError> {
    labels(path, options).map_err(|error| error.in_file(&name(path)))
}

/// Returns the file name for messages, as the caller gave it.
pub(crate) fn name(path: &Path) -> String {
    path.display().to_string()
}

fn labels(path: &Path, options: &ReadOptions) -> Result<Vec<String>, ReadError> {
    let mut file = File::open(path).map_err(ReadProblem::Io)?;
    let text = load_encoded(&mut file, &options.limits, options.encoding, &mut Vec::new())?;
    let labels: Vec<String> = text.trim_end().lines().map(|line| line.trim().to_owned()).collect();
    match labels.iter().position(String::is_empty) {
        Some(blank) => {
            let problem =
                ReadProblem::Form { found: String::new(), expected: "a label".to_owned() };
            Err(ReadError::at(Position::Line(blank as u64 + 1), problem))
        }
        None => Ok(labels),
    }
}
