//! Texts, numbers, names and columns in SQL.
//!
//! Queries run in `SQLite`, `PostgreSQL` and `DuckDB`, so they use only what all three have. They are
//! translated for other databases.

mod column;
mod dialect;
mod literal;

pub use column::{all_cleaned, measured};
pub use dialect::in_dialect;
pub use literal::{FALSE, TRUE, compare, identifier, literal, string};

use pellucid_data::visible_line;

/// A name with a NUL character, which SQL does not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a column, class or category has a NUL character in its name, which SQL does not allow; \
     rename it: '{}'",
    visible_line(line)
)]
pub struct NulError {
    /// The line of the query that contains the name.
    pub line: String,
}

/// Returns the query, after checking that it has no NUL characters, which end SQL text.
///
/// # Errors
/// If a name contains a NUL character.
pub fn writable(query: String) -> Result<String, NulError> {
    match query.lines().find(|line| line.contains('\0')) {
        Some(line) => Err(NulError { line: line.trim().to_owned() }),
        None => Ok(query),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nul_character_is_an_error() {
        assert_eq!(writable("SELECT 1\n".to_owned()).as_deref(), Ok("SELECT 1\n"));
        let error = writable("SELECT\n  'a\0b'\n".to_owned()).expect_err("a NUL");
        assert_eq!(error.line, "'a\0b'");
        assert!(error.to_string().ends_with("rename it: ''a\\u0000b''"), "{error}");
    }
}
