use crate::Numbers;

/// The code of a missing value in a nominal column.
pub const MISSING: u32 = u32::MAX;

/// What a column is made from.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers; NaN is a missing value, and the two zeros are one value.
    Numeric(Numbers),
    /// Codes into a list of categories; [`MISSING`] is a missing value.
    Nominal {
        /// One code per row.
        codes: Vec<u32>,
        /// What each code stands for.
        categories: Vec<String>,
    },
    /// Yes, no, or missing.
    Boolean(Vec<Option<bool>>),
}

impl Values {
    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Values::Numeric(values) => values.len(),
            Values::Nominal { codes, .. } => codes.len(),
            Values::Boolean(values) => values.len(),
        }
    }

    /// Whether there is no row.
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

    /// How many values are missing.
    #[must_use]
    pub fn missing(&self) -> usize {
        (0..self.len()).filter(|&row| self.is_missing(row)).count()
    }
}
