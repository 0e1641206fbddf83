//! Rows of a relation while they are read: one long list of attributes, and where each row ends in it.

use crate::error::{ReadError, ReadProblem};
use pellucid_data::Relation;

/// The rows read so far; attributes pushed since the last [`CrossRows::end_row`] belong to the next one.
#[derive(Debug, Default)]
pub(super) struct CrossRows {
    ends: Vec<usize>,
    pub(super) crosses: Vec<u32>,
}

impl CrossRows {
    pub(super) fn push(&mut self, attribute: u32) {
        self.crosses.push(attribute);
    }

    pub(super) fn end_row(&mut self) {
        self.ends.push(self.crosses.len());
    }

    /// How many rows have ended.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The relation of these rows; every attribute is below `attributes`.
    pub(super) fn relation(&self, attributes: usize) -> Result<Relation, ReadError> {
        let mut start = 0;
        let rows =
            self.ends.iter().map(|&end| &self.crosses[std::mem::replace(&mut start, end)..end]);
        let relation = Relation::new(attributes, rows);
        Ok(relation.map_err(|error| ReadProblem::Options(error.to_string()))?)
    }
}

/// The number of an attribute at a position.
pub(super) fn numbered(position: usize) -> Result<u32, ReadProblem> {
    u32::try_from(position).map_err(|_| ReadProblem::Memory)
}
