use crate::Numbers;

/// The code of a missing value in a nominal column.
pub const MISSING: u32 = u32::MAX;

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers; NaN is a missing value, and 0 and -0 are the same value.
    Numeric(Numbers),
    /// Codes into a list of categories; [`MISSING`] is a missing value.
    Nominal {
        /// One code per row.
        codes: Vec<u32>,
        /// The category of each code.
        categories: Vec<String>,
    },
    /// Booleans; `None` is a missing value.
    Boolean(Vec<Option<bool>>),
}

impl Values {
    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Values::Numeric(values) => values.len(),
            Values::Nominal { codes, .. } => codes.len(),
            Values::Boolean(values) => values.len(),
        }
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the value of a row is missing.
    #[must_use]
    pub fn is_missing(&self, row: usize) -> bool {
        match self {
            Values::Numeric(values) => values[row].is_nan(),
            Values::Nominal { codes, .. } => codes[row] == MISSING,
            Values::Boolean(values) => values[row].is_none(),
        }
    }

    /// Returns the number of missing values.
    #[must_use]
    pub fn missing(&self) -> usize {
        (0..self.len()).filter(|&row| self.is_missing(row)).count()
    }
}
