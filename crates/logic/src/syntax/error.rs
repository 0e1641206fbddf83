use thiserror::Error;

/// Why a text is not a class expression: where, what was found, what would be accepted.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("column {column}: {reason}")]
pub struct SyntaxError {
    /// Characters from the start of the text, counted from 1.
    pub column: usize,
    /// What is wrong.
    pub reason: String,
}
