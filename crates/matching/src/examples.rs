//! Examples as codes.

use crate::MISSING;
use thiserror::Error;

/// What codes a column can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    /// How many codes there are, missing not counted.
    pub codes: u32,
    /// Whether a test names a set of codes; otherwise it names the lowest and the highest.
    pub is_set: bool,
}

impl Domain {
    /// Codes in an order, such as the ranks of numbers: tests are bounds.
    #[must_use]
    pub fn ordered(codes: u32) -> Domain {
        Domain { codes, is_set: false }
    }

    /// Codes without an order: tests are sets. Of more than 64 codes no set fits a test, and then the order in
    /// which they are listed has to do.
    #[must_use]
    pub fn nominal(codes: u32) -> Domain {
        Domain { codes, is_set: codes <= 64 }
    }
}

impl Domain {
    /// How many bits the codes take.
    pub(crate) fn bits(self) -> usize {
        (u32::BITS - self.codes.saturating_sub(1).leading_zeros()) as usize
    }
}

/// Why examples cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExamplesError {
    /// The codes do not make whole rows.
    #[error("found {codes} codes, which do not make rows of {columns} columns")]
    Ragged {
        /// How many there are.
        codes: usize,
        /// How many a row has.
        columns: usize,
    },
    /// A code that its column does not have.
    #[error(
        "row {row}, column {column}: found code {code}, allowed are codes below {below} and missing"
    )]
    Code {
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
        /// What was found.
        code: u32,
        /// How many codes the column has.
        below: u32,
    },
}

/// Examples, one after the other, each a code for every column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examples {
    domains: Vec<Domain>,
    codes: Vec<u32>,
    rows: usize,
}

impl Examples {
    /// Takes codes row after row.
    ///
    /// # Errors
    /// When they do not make whole rows, or a column does not have a code.
    pub fn new(domains: Vec<Domain>, codes: Vec<u32>) -> Result<Examples, ExamplesError> {
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
        Ok(Examples { domains, codes, rows })
    }

    /// No example yet, only columns; inputs come from elsewhere.
    #[must_use]
    pub fn none(domains: Vec<Domain>) -> Examples {
        Examples { domains, codes: Vec::new(), rows: 0 }
    }

    /// What each column can hold.
    #[must_use]
    pub fn domains(&self) -> &[Domain] {
        &self.domains
    }

    /// How many there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The codes of one.
    #[must_use]
    pub fn row(&self, row: usize) -> &[u32] {
        let columns = self.domains.len();
        &self.codes[row * columns..(row + 1) * columns]
    }
}
