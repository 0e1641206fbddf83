//! Examples, encoded as codes.

use crate::MISSING;
use thiserror::Error;

/// The codes that a column can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeDomain {
    /// The number of codes, missing not counted.
    pub codes: u32,
    /// Whether a test is a set of codes; otherwise it is the lowest and the highest code.
    pub is_set: bool,
}

impl CodeDomain {
    /// Returns a domain of ordered codes, such as the ranks of numbers. Tests are bounds.
    #[must_use]
    pub fn ordered(codes: u32) -> CodeDomain {
        CodeDomain { codes, is_set: false }
    }

    /// Returns a domain of unordered codes. Tests are sets. A set of more than 64 codes does not fit in a
    /// test, so larger domains are treated as ordered, in the order of their codes.
    #[must_use]
    pub fn nominal(codes: u32) -> CodeDomain {
        CodeDomain { codes, is_set: codes <= 64 }
    }
}

impl CodeDomain {
    /// Returns the number of bits of the codes.
    pub(crate) fn bits(self) -> usize {
        (u32::BITS - self.codes.saturating_sub(1).leading_zeros()) as usize
    }
}

/// The reason why examples are invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExamplesError {
    /// The number of codes is not a multiple of the number of columns.
    #[error("found {codes} codes; expected a multiple of {columns}, the number of columns")]
    Ragged {
        /// The number of codes.
        codes: usize,
        /// The number of columns.
        columns: usize,
    },
    /// A code that is not in the domain of its column.
    #[error(
        "row {row}, column {column}: found code {code}; expected a code below {below} or missing"
    )]
    Code {
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
        /// The code found.
        code: u32,
        /// The number of codes of the column.
        below: u32,
    },
}

/// Examples, stored row by row, with one code per column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodedExamples {
    domains: Vec<CodeDomain>,
    codes: Vec<u32>,
    rows: usize,
}

impl CodedExamples {
    /// Creates examples from codes in row order.
    ///
    /// # Errors
    /// When the number of codes is not a multiple of the number of columns, or a code is not in the domain of
    /// its column.
    pub fn new(domains: Vec<CodeDomain>, codes: Vec<u32>) -> Result<CodedExamples, ExamplesError> {
        let columns = domains.len();
        let rows = codes.len().checked_div(columns).unwrap_or(0);
        if rows * columns != codes.len() {
            return Err(ExamplesError::Ragged { codes: codes.len(), columns });
        }
        for (place, &code) in codes.iter().enumerate() {
            let (row, column) = (place / columns, place % columns);
            let below = domains[column].codes;
            if code != MISSING && code >= below {
                return Err(ExamplesError::Code { row, column, code, below });
            }
        }
        Ok(CodedExamples { domains, codes, rows })
    }

    /// Creates an empty table with the given columns, for inputs that are not examples.
    #[must_use]
    pub fn none(domains: Vec<CodeDomain>) -> CodedExamples {
        CodedExamples { domains, codes: Vec::new(), rows: 0 }
    }

    /// Returns the domain of each column.
    #[must_use]
    pub fn domains(&self) -> &[CodeDomain] {
        &self.domains
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the codes of a row.
    #[must_use]
    pub fn row(&self, row: usize) -> &[u32] {
        let columns = self.domains.len();
        &self.codes[row * columns..(row + 1) * columns]
    }
}
