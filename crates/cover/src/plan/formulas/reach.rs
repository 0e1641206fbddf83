//! The largest literal code per column in a list of formulas. It shows whether all literals fit a
//! table, without checking each one again.

use super::literal::end_of_codes;
use super::{Literal, Token};
use crate::table::Column;

/// The maximum number of columns that are tracked. If a literal uses a later column, every literal
/// is checked.
const MAX_COLUMNS: usize = 1 << 16;

/// The largest literal code of each column.
///
/// It is updated while the fingerprint of a formula is computed, because the CPU mostly waits for
/// multiplications there.
#[derive(Clone, Debug, Default)]
pub(super) struct CodeLimits {
    /// By column: one past the largest code, or 0 if there is none.
    ends: Vec<u32>,
    /// Whether a literal uses a column that is not tracked.
    has_untracked: bool,
}

impl CodeLimits {
    /// Removes all limits.
    pub(super) fn clear(&mut self) {
        self.ends.clear();
        self.has_untracked = false;
    }

    /// Adds a literal. A part has no effect.
    #[inline]
    pub(super) fn add(&mut self, token: Token) {
        let literal = Literal::from_number(token.0);
        match self.ends.get_mut(literal.column() as usize) {
            Some(end) => *end = (*end).max(literal.code().saturating_add(1)),
            None => self.add_column(token),
        }
    }

    /// Adds a literal of a new column.
    #[cold]
    fn add_column(&mut self, token: Token) {
        let column = Literal::from_number(token.0).column() as usize;
        if column < MAX_COLUMNS {
            self.ends.resize(column + 1, 0);
            self.add(token);
        } else {
            self.has_untracked |= token.part().is_none();
        }
    }

    /// Adds the limits of another list.
    pub(super) fn join(&mut self, other: &CodeLimits) {
        if self.ends.len() < other.ends.len() {
            self.ends.resize(other.ends.len(), 0);
        }
        self.ends.iter_mut().zip(&other.ends).for_each(|(end, &more)| *end = (*end).max(more));
        self.has_untracked |= other.has_untracked;
    }

    /// Returns whether all literals fit the columns. Also returns false if this is unknown.
    pub(super) fn fits(&self, columns: &[Column]) -> bool {
        let mut each = self.ends.iter().zip(columns);
        !self.has_untracked
            && self.ends.len() <= columns.len()
            && each.all(|(&end, column)| end <= end_of_codes(column))
    }
}
