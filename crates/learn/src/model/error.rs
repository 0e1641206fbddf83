//! What can be wrong with a model file.

use super::{FORMAT, MAX_BYTES, MOST_IN_CALIBRATION, VERSION};
use pellucid_data::shorten;
use std::io;
use std::path::PathBuf;

/// Why a model could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The disk is full, the folder is missing or may not be written to.
    #[error("cannot write model {path}: {error}; an earlier file there is unharmed")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// The model holds something that JSON cannot, such as NaN.
    #[error("the model cannot be stored so that it reads back: {0}")]
    Unstorable(#[source] serde_json::Error),
    /// The file is missing or may not be read.
    #[error("cannot read model {path}: {error}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// It is larger than any model that is read.
    #[error("{0} is larger than {MAX_BYTES} bytes, the most that is read as a model")]
    TooLarge(PathBuf),
    /// It is not JSON.
    #[error("{path} line {line}, column {column}: not valid JSON ({what}); a model.json was expected", line = error.line(), column = error.column(), what = what(error))]
    NotJson {
        /// The file.
        path: PathBuf,
        /// What the parser said.
        #[source]
        error: serde_json::Error,
    },
    /// It is JSON, but no model.
    #[error(
        "{path} is not a Pellucid model: found {found}, expected a JSON object with \"format\": \"{FORMAT}\", a version and a learner"
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What was found instead.
        found: String,
    },
    /// It was written by a newer version.
    #[error("{path} was made by a newer Pellucid (format {found}; this one reads up to {VERSION})")]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version found.
        found: u32,
    },
    /// It belongs to another learner.
    #[error("{path} holds a model of learner '{}', expected '{expected}'", shorten(found))]
    Learner {
        /// The file.
        path: PathBuf,
        /// The learner that made it.
        found: String,
        /// The learner that wants to read it.
        expected: String,
    },
    /// What it says of its data contradicts itself.
    #[error("{path} is no sound model: {problem}")]
    Unsound {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// It says to be a model of this learner, but a field is missing or wrong.
    #[error("{path} line {line}, column {column}: this {learner} model cannot be understood: {what}", line = error.line(), column = error.column(), what = what(error))]
    Content {
        /// The file.
        path: PathBuf,
        /// The learner.
        learner: String,
        /// What the parser said.
        #[source]
        error: serde_json::Error,
    },
    /// Its probabilities make no sense.
    #[error(
        "{path}: the field \"calibration\" does not fit the model: expected a slope of 0 or more and {classes} offsets, none beyond {MOST_IN_CALIBRATION:e}"
    )]
    Calibration {
        /// The file.
        path: PathBuf,
        /// How many classes the model has.
        classes: usize,
    },
}

/// The parser's words without the place, which the sentence has already.
pub(super) fn what(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    shorten(text.strip_suffix(&place).unwrap_or(&text)).into_owned()
}
