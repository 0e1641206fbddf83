use crate::Kind;

/// The possible values of a column. The rank of a value is its index.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// The distinct values, ascending, without NaN and with one zero.
    Numeric(Vec<f64>),
    /// The categories. The rank of a row is its code.
    Nominal(Vec<String>),
    /// The truth value itself.
    Boolean,
}

impl Domain {
    /// Returns the kind of a column with these values.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Domain::Numeric(_) => Kind::Numeric,
            Domain::Nominal(_) => Kind::Nominal,
            Domain::Boolean => Kind::Boolean,
        }
    }

    /// Returns the number of ranks: distinct values, categories, or two.
    #[must_use]
    pub fn ranks(&self) -> usize {
        match self {
            Domain::Numeric(values) => values.len(),
            Domain::Nominal(categories) => categories.len(),
            Domain::Boolean => 2,
        }
    }
}
