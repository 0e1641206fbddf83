use pellucid_program::Domain;

/// A column of a [`Table`](crate::Table): its name, the values of its ranks, and the planes that
/// hold them.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    pub(super) name: String,
    pub(super) domain: Domain,
    pub(super) first_plane: u32,
    pub(super) planes: u32,
    pub(super) validity: Option<u32>,
}

impl Column {
    /// Returns the name of the column.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the values that the ranks stand for.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Returns the planes of the rank, lowest bit first, as plane numbers within a tile.
    #[must_use]
    pub fn planes(&self) -> std::ops::Range<u32> {
        self.first_plane..self.first_plane + self.planes
    }

    /// Returns the plane that marks rows with a value, if some values are missing.
    #[must_use]
    pub fn validity(&self) -> Option<u32> {
        self.validity
    }

    /// Returns the number of possible ranks: distinct values, categories, or two for a boolean
    /// column.
    #[must_use]
    pub fn ranks(&self) -> usize {
        self.domain.ranks()
    }
}
