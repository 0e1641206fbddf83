use pellucid_program::Domain;

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
        self.domain.ranks()
    }
}
