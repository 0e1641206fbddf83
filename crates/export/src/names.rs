//! Names that differ from those of a model's table.

use crate::sql::identifier;
use pellucid_data::visible_line;
use pellucid_learn::model::Schema;
use std::collections::HashSet;

/// The names that are taken, and new names beside them.
#[derive(Clone, Debug)]
pub struct FreeNames {
    taken: HashSet<String>,
    /// Whether names that differ only in case are the same name, as in databases.
    ignores_case: bool,
}

impl FreeNames {
    /// Returns these names as taken; names that differ in case are different.
    #[must_use]
    pub fn exact(names: impl IntoIterator<Item = String>) -> FreeNames {
        FreeNames { taken: names.into_iter().collect(), ignores_case: false }
    }

    /// Returns the names of the columns in a model's table, for a database, which ignores case.
    #[must_use]
    pub fn beside(schema: &Schema) -> FreeNames {
        let columns = schema.columns.iter().map(|column| &column.name);
        let headers = columns.clone().filter_map(|name| schema.reading.headers.get(name));
        let reading = &schema.reading;
        let others = [&schema.target, &schema.bag, &reading.id, &reading.key];
        let others = others.into_iter().flatten().chain(&reading.left_out);
        let taken = columns.chain(headers).chain(others).map(|name| name.to_lowercase()).collect();
        FreeNames { taken, ignores_case: true }
    }

    /// Returns whether a name is taken.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.taken.contains(&self.key(name))
    }

    /// Takes a name and returns it. A name that is already taken gets the first free number:
    /// `score 2`.
    pub fn take(&mut self, wanted: &str) -> String {
        let numbered = (2..).map(|number: usize| format!("{wanted} {number}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        let free = names.find(|name| self.taken.insert(self.key(name)));
        free.unwrap_or_default()
    }

    /// Takes a name, with visible characters only, and returns it as an identifier in SQL.
    pub fn take_identifier(&mut self, wanted: &str) -> String {
        identifier(&self.take(&visible_line(wanted)))
    }

    /// Returns the form in which a name is compared.
    fn key(&self, name: &str) -> String {
        if self.ignores_case { name.to_lowercase() } else { name.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_learn::model::Column;
    use proptest::prelude::*;

    #[test]
    fn no_name_is_taken_twice() {
        let columns = ["Score", "SCORE 2", "x"].map(Column::numeric).to_vec();
        let schema = Schema { columns, target: Some("Predicted".into()), ..Schema::default() };
        let mut names = FreeNames::beside(&schema);
        assert_eq!(names.take_identifier("score"), "\"score 3\"");
        assert_eq!(names.take_identifier("score"), "\"score 4\"");
        assert_eq!(names.take_identifier("predicted"), "\"predicted 2\"");
        assert_eq!(names.take_identifier("score for a\"b\n"), "\"score for a\"\"b\\n\"");
    }

    proptest! {
        #[test]
        fn free_names_differ_from_all_others(
            known in prop::collection::vec("[abAB]{1,2}( [23])?", 0..12),
            wanted in prop::collection::vec("[abAB]{1,2}", 1..8),
        ) {
            let mut exact = FreeNames::exact(known.clone());
            let mut all: HashSet<String> = known.into_iter().collect();
            for name in &wanted {
                let taken = exact.take(name);
                prop_assert!(exact.has(&taken));
                prop_assert!(taken.starts_with(name.as_str()) && all.insert(taken));
            }
        }
    }
}
