use crate::Kind;

/// The values that a column can have, each with its rank.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// The distinct values, ascending, without NaN and with one zero.
    Numeric(Vec<f64>),
    /// The categories; a row's rank is its code.
    Nominal(Vec<String>),
    /// The truth value itself.
    Boolean,
}

impl Domain {
    /// What may be asked of a column with these values.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Domain::Numeric(_) => Kind::Numeric,
            Domain::Nominal(_) => Kind::Nominal,
            Domain::Boolean => Kind::Boolean,
        }
    }

    /// How many ranks there are: distinct values, categories, or two.
    #[must_use]
    pub fn ranks(&self) -> usize {
        match self {
            Domain::Numeric(values) => values.len(),
            Domain::Nominal(categories) => categories.len(),
            Domain::Boolean => 2,
        }
    }
}
