use super::bags::Bags;
use pellucid_bits::blocks_for;

/// Where each row's bit lies.
#[derive(Clone, Debug)]
pub enum Layout {
    /// Row `r` is bit `r`.
    Plain {
        /// How many rows there are.
        rows: usize,
    },
    /// Rows grouped into bags.
    Bags(Bags),
}

impl Layout {
    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        match self {
            Layout::Plain { rows } => *rows,
            Layout::Bags(bags) => bags.row_positions().len(),
        }
    }

    /// How many blocks the rows take, padding included.
    #[must_use]
    pub fn blocks(&self) -> usize {
        match self {
            Layout::Plain { rows } => blocks_for(*rows),
            Layout::Bags(bags) => bags.blocks(),
        }
    }

    /// The bit of row `row`.
    #[must_use]
    pub fn position(&self, row: usize) -> usize {
        match self {
            Layout::Plain { .. } => row,
            Layout::Bags(bags) => bags.row_positions()[row] as usize,
        }
    }

    /// The bags, where rows are grouped.
    #[must_use]
    pub fn bags(&self) -> Option<&Bags> {
        match self {
            Layout::Plain { .. } => None,
            Layout::Bags(bags) => Some(bags),
        }
    }
}
