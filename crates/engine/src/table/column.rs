/// The code of a missing value in a nominal column handed to [`Table::new`](crate::Table::new).
pub const MISSING: u32 = u32::MAX;

/// What a column is made from.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers; NaN is a missing value, and the two zeros are one value.
    Numeric(Vec<f64>),
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

/// What a column's ranks stand for.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// The distinct values, ascending, without NaN and with one zero.
    Numeric(Vec<f64>),
    /// The categories; a row's rank is its code.
    Nominal(Vec<String>),
    /// One plane: the truth value itself.
    Boolean,
}

/// One column of a [`Table`](crate::Table): its name, what its ranks stand for, and which planes hold them.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    pub(super) name: String,
    pub(super) domain: Domain,
    pub(super) first_plane: u32,
    pub(super) planes: u32,
    pub(super) validity: Option<u32>,
}

impl Column {
    /// The column's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the ranks stand for.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The planes of the rank, lowest bit first, as plane numbers within a tile.
    #[must_use]
    pub fn planes(&self) -> std::ops::Range<u32> {
        self.first_plane..self.first_plane + self.planes
    }

    /// The plane that tells which rows have a value, when some have none.
    #[must_use]
    pub fn validity(&self) -> Option<u32> {
        self.validity
    }

    /// How many distinct ranks there may be: distinct values, categories, or two.
    #[must_use]
    pub fn ranks(&self) -> usize {
        match &self.domain {
            Domain::Numeric(values) => values.len(),
            Domain::Nominal(categories) => categories.len(),
            Domain::Boolean => 2,
        }
    }
}
