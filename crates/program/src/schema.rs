use rustc_hash::FxHashMap;

/// What may be asked of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Numbers: all comparisons, intervals, sets of numbers.
    Numeric,
    /// Categories: `=`, `!=`, sets.
    Nominal,
    /// Truth values: the name alone.
    Boolean,
}

/// The columns and roles a program may name.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    columns: Vec<(String, Kind)>,
    roles: Vec<String>,
    by_name: FxHashMap<String, u32>,
}

impl Schema {
    /// A schema of named columns. Of two columns with one name the later is found by it.
    pub fn new<N: Into<String>>(columns: impl IntoIterator<Item = (N, Kind)>) -> Schema {
        let columns: Vec<(String, Kind)> =
            columns.into_iter().map(|(name, kind)| (name.into(), kind)).collect();
        let by_name =
            (0u32..).zip(&columns).map(|(column, (name, _))| (name.clone(), column)).collect();
        Schema { columns, roles: Vec::new(), by_name }
    }

    /// The same columns with these roles.
    #[must_use]
    pub fn with_roles<N: Into<String>>(mut self, roles: impl IntoIterator<Item = N>) -> Schema {
        self.roles = roles.into_iter().map(Into::into).collect();
        self
    }

    /// How many columns there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether there is no column.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// A column's name.
    #[must_use]
    pub fn name(&self, column: u32) -> &str {
        &self.columns[column as usize].0
    }

    /// What may be asked of a column.
    #[must_use]
    pub fn kind(&self, column: u32) -> Kind {
        self.columns[column as usize].1
    }

    /// The column of a name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    /// The names of all columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// The role of a name.
    #[must_use]
    pub fn role(&self, name: &str) -> Option<u32> {
        (0u32..).zip(&self.roles).find(|(_, role)| *role == name).map(|(index, _)| index)
    }

    /// A role's name.
    #[must_use]
    pub fn role_name(&self, role: u32) -> &str {
        &self.roles[role as usize]
    }
}
