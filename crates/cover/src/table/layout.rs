use super::bags::BagLayout;
use pellucid_bits::blocks_for;

/// The position of each row's bit.
#[derive(Clone, Debug)]
pub enum Layout {
    /// Row `r` is bit `r`.
    Plain {
        /// The number of rows.
        rows: usize,
    },
    /// Rows grouped into bags.
    Bags(BagLayout),
}

impl Layout {
    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        match self {
            Layout::Plain { rows } => *rows,
            Layout::Bags(bags) => bags.row_positions().len(),
        }
    }

    /// Returns the number of blocks that the rows take, including padding.
    #[must_use]
    pub fn blocks(&self) -> usize {
        match self {
            Layout::Plain { rows } => blocks_for(*rows),
            Layout::Bags(bags) => bags.blocks(),
        }
    }

    /// Returns the position of the bit of row `row`.
    #[must_use]
    pub fn position(&self, row: usize) -> usize {
        match self {
            Layout::Plain { .. } => row,
            Layout::Bags(bags) => bags.row_positions()[row] as usize,
        }
    }

    /// Returns the bags if rows are grouped.
    #[must_use]
    pub fn bags(&self) -> Option<&BagLayout> {
        match self {
            Layout::Plain { .. } => None,
            Layout::Bags(bags) => Some(bags),
        }
    }
}
