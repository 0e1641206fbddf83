use rustc_hash::FxHashMap;

/// The kind of a column, which decides the conditions it accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Numbers: all comparisons, intervals, sets of numbers.
    Numeric,
    /// Categories: `=`, `!=`, sets.
    Nominal,
    /// Truth values: the name alone.
    Boolean,
}

/// The columns and roles that a program can name.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    columns: Vec<(String, Kind)>,
    roles: Vec<String>,
    by_name: FxHashMap<String, u32>,
}

impl Schema {
    /// Returns a schema of named columns. If two columns have the same name, the name refers to the later
    /// one.
    pub fn new<N: Into<String>>(columns: impl IntoIterator<Item = (N, Kind)>) -> Schema {
        let columns: Vec<(String, Kind)> =
            columns.into_iter().map(|(name, kind)| (name.into(), kind)).collect();
        let by_name =
            (0u32..).zip(&columns).map(|(column, (name, _))| (name.clone(), column)).collect();
        Schema { columns, roles: Vec::new(), by_name }
    }

    /// Replaces the roles.
    #[must_use]
    pub fn with_roles<N: Into<String>>(mut self, roles: impl IntoIterator<Item = N>) -> Schema {
        self.roles = roles.into_iter().map(Into::into).collect();
        self
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Returns whether there are no columns.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Returns the name of a column.
    #[must_use]
    pub fn name(&self, column: u32) -> &str {
        &self.columns[column as usize].0
    }

    /// The kind of a column, which decides the conditions it accepts.
    #[must_use]
    pub fn kind(&self, column: u32) -> Kind {
        self.columns[column as usize].1
    }

    /// Returns the column with a name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    /// Returns the names of all columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// Returns the role with a name.
    #[must_use]
    pub fn role(&self, name: &str) -> Option<u32> {
        (0u32..).zip(&self.roles).find(|(_, role)| *role == name).map(|(index, _)| index)
    }

    /// Returns the name of a role.
    #[must_use]
    pub fn role_name(&self, role: u32) -> &str {
        &self.roles[role as usize]
    }
}
