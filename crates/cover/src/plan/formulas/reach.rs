//! How far the literals of some formulas go: whether they all fit a table is then known without looking at
//! each again.

use super::literal::end_of_codes;
use super::{Literal, Token};
use crate::table::Column;

/// Columns that are told apart; beyond them every literal is looked at.
const TOLD_APART: usize = 1 << 16;

/// The greatest literal of each column.
///
/// It is noted while a formula's fingerprint is made, where a processor mostly waits for multiplications.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    /// By column: one past the greatest code, 0 where there is none.
    ends: Vec<u32>,
    /// Whether there are columns beyond those.
    far: bool,
}

impl Reach {
    /// Nothing was noted.
    pub(super) fn clear(&mut self) {
        self.ends.clear();
        self.far = false;
    }

    /// Notes a literal; parts go nowhere.
    #[inline]
    pub(super) fn add(&mut self, token: Token) {
        let literal = Literal::of_number(token.0);
        match self.ends.get_mut(literal.column() as usize) {
            Some(end) => *end = (*end).max(literal.code().saturating_add(1)),
            None => self.add_column(token),
        }
    }

    /// Notes a literal of a column that is new.
    #[cold]
    fn add_column(&mut self, token: Token) {
        let column = Literal::of_number(token.0).column() as usize;
        if column < TOLD_APART {
            self.ends.resize(column + 1, 0);
            self.add(token);
        } else {
            self.far |= token.part().is_none();
        }
    }

    /// Notes what others noted.
    pub(super) fn join(&mut self, other: &Reach) {
        if self.ends.len() < other.ends.len() {
            self.ends.resize(other.ends.len(), 0);
        }
        self.ends.iter_mut().zip(&other.ends).for_each(|(end, &more)| *end = (*end).max(more));
        self.far |= other.far;
    }

    /// Whether all that was noted fits some columns; false also where that cannot be told.
    pub(super) fn fits(&self, columns: &[Column]) -> bool {
        let mut each = self.ends.iter().zip(columns);
        !self.far
            && self.ends.len() <= columns.len()
            && each.all(|(&end, column)| end <= end_of_codes(column))
    }
}
