//! Collects the rows of a relation: one list of attributes, and the start of each row in it.

use crate::source::error::{ReadError, ReadProblem};
use pellucid_data::Relation;

/// The rows so far; attributes pushed since the last [`CrossRows::end_row`] belong to the next row.
#[derive(Debug)]
pub(super) struct CrossRows {
    /// The start of each row, and the end of the last one.
    starts: Vec<usize>,
    pub(super) crosses: Vec<u32>,
}

impl Default for CrossRows {
    fn default() -> Self {
        CrossRows { starts: vec![0], crosses: Vec::new() }
    }
}

impl CrossRows {
    /// Reserves memory for a number of rows. If it is not available, the list grows as needed.
    pub(super) fn expect(&mut self, rows: usize) {
        let _ = self.starts.try_reserve_exact(rows);
    }

    pub(super) fn push(&mut self, attribute: u32) {
        self.crosses.push(attribute);
    }

    pub(super) fn end_row(&mut self) {
        self.starts.push(self.crosses.len());
    }

    /// Returns the number of finished rows.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the relation of these rows; every attribute is below `attributes`.
    pub(super) fn relation(mut self, attributes: usize) -> Result<Relation, ReadError> {
        // Attributes after the last end belong to no row.
        self.crosses.truncate(self.starts.last().copied().unwrap_or(0));
        self.crosses.shrink_to_fit();
        let relation = Relation::from_parts(attributes, self.starts, self.crosses);
        Ok(relation.map_err(|error| ReadProblem::Options(error.to_string().into()))?)
    }
}

/// Converts an index to an attribute number.
pub(super) fn numbered(position: usize) -> Result<u32, ReadProblem> {
    u32::try_from(position).map_err(|_| ReadProblem::Memory)
}
