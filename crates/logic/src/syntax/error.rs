use thiserror::Error;

/// A syntax error: its position, what was found and what was expected.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("column {column}: {reason}")]
pub struct SyntaxError {
    /// The position in characters, starting at 1.
    pub column: usize,
    /// The message.
    pub reason: String,
}
