//! Rows of a relation while they are read: one long list of attributes, and where each row begins in it.

use crate::error::{ReadError, ReadProblem};
use pellucid_data::Relation;

/// The rows read so far; attributes pushed since the last [`CrossRows::end_row`] belong to the next one.
#[derive(Debug)]
pub(super) struct CrossRows {
    /// Where each row begins, and where the last one ends.
    starts: Vec<usize>,
    pub(super) crosses: Vec<u32>,
}

impl Default for CrossRows {
    fn default() -> Self {
        CrossRows { starts: vec![0], crosses: Vec::new() }
    }
}

impl CrossRows {
    /// Makes room for so many rows, so that many short ones are not moved about; where it is not to be had, the list grows as
    /// it must.
    pub(super) fn expect(&mut self, rows: usize) {
        let _ = self.starts.try_reserve_exact(rows);
    }

    pub(super) fn push(&mut self, attribute: u32) {
        self.crosses.push(attribute);
    }

    pub(super) fn end_row(&mut self) {
        self.starts.push(self.crosses.len());
    }

    /// How many rows have ended.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The relation of these rows; every attribute is below `attributes`.
    pub(super) fn relation(mut self, attributes: usize) -> Result<Relation, ReadError> {
        // What was pushed behind the last end belongs to no row.
        self.crosses.truncate(self.starts.last().copied().unwrap_or(0));
        self.crosses.shrink_to_fit();
        let relation = Relation::from_parts(attributes, self.starts, self.crosses);
        Ok(relation.map_err(|error| ReadProblem::Options(error.to_string()))?)
    }
}

/// The number of an attribute at a position.
pub(super) fn numbered(position: usize) -> Result<u32, ReadProblem> {
    u32::try_from(position).map_err(|_| ReadProblem::Memory)
}
