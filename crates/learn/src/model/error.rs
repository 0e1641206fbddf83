//! Errors of model files.

use super::{FORMAT, MAX_BYTES, MOST_IN_CALIBRATION, VERSION};
use pellucid_data::shorten;
use std::io;
use std::path::PathBuf;

/// Why a model could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The file could not be written.
    #[error("cannot write model {path}: {error}; {kept}", kept = kept(*is_new))]
    Write {
        /// The file.
        path: PathBuf,
        /// Whether there was no such file before.
        is_new: bool,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The model has a value that JSON cannot represent, such as NaN.
    #[error("the model cannot be represented in JSON: {0}")]
    Unstorable(#[source] serde_json::Error),
    /// The file could not be read.
    #[error("cannot read model {path}: {error}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The file exceeds the size limit.
    #[error("{0} is larger than {MAX_BYTES} bytes, the size limit of a model")]
    TooLarge(PathBuf),
    /// The file is not JSON.
    #[error(
        "{path}, line {line}, column {column}: invalid JSON ({what}); expected a model file",
        line = error.line(),
        column = error.column(),
        what = parser_message(error)
    )]
    NotJson {
        /// The file.
        path: PathBuf,
        /// The error of the parser. Its text is part of the message, so it is not the source.
        error: serde_json::Error,
    },
    /// The file is JSON but not a model.
    #[error(
        "{path} is not a Pellucid model: found {found}; expected a JSON object with \"format\": \
         \"{FORMAT}\", a version and a learner"
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What was found.
        found: String,
    },
    /// The file was written by a newer version.
    #[error(
        "{path} was written by a newer version of Pellucid (found format {found}; expected at most \
         {VERSION})"
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version found.
        found: u32,
    },
    /// The model belongs to another learner.
    #[error("{path}: found a model of learner '{}'; expected '{expected}'", shorten(found))]
    Learner {
        /// The file.
        path: PathBuf,
        /// The learner in the file.
        found: String,
        /// The expected learner.
        expected: String,
    },
    /// The schema is inconsistent.
    #[error("{path} is not a valid model: {problem}")]
    Unsound {
        /// The file.
        path: PathBuf,
        /// The problem.
        problem: String,
    },
    /// A field is missing or invalid.
    #[error(
        "{path}, line {line}, column {column}: invalid {learner} model: {what}",
        line = error.line(),
        column = error.column(),
        what = parser_message(error)
    )]
    Content {
        /// The file.
        path: PathBuf,
        /// The learner.
        learner: String,
        /// The error of the parser. Its text is part of the message, so it is not the source.
        error: serde_json::Error,
    },
    /// The calibration is invalid.
    #[error(
        "{path}: the field \"calibration\" does not match the model; expected a slope of at least 0 and \
         {classes} offsets, none beyond {MOST_IN_CALIBRATION:e}"
    )]
    Calibration {
        /// The file.
        path: PathBuf,
        /// The number of classes of the model.
        classes: usize,
    },
}

/// Returns what is left of a file that could not be written.
fn kept(is_new: bool) -> &'static str {
    if is_new { "no file was written" } else { "the existing file is unchanged" }
}

/// Returns the message of the parser without the position, which the error already has.
pub(super) fn parser_message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    shorten(text.strip_suffix(&place).unwrap_or(&text)).into_owned()
}
