//! Names of computed columns, which must differ from those of the table.

use super::literal::identifier;
use pellucid_data::visible_line;
use pellucid_learn::model::Schema;
use std::collections::HashSet;

/// The names that are taken, in lower case, because databases ignore case.
#[derive(Clone, Debug)]
pub struct FreeNames(HashSet<String>);

impl FreeNames {
    /// Returns the names of the columns in a model's table.
    #[must_use]
    pub fn beside(schema: &Schema) -> FreeNames {
        let columns = schema.columns.iter().map(|column| &column.name);
        let headers = columns.clone().filter_map(|name| schema.reading.headers.get(name));
        let reading = &schema.reading;
        let others = [&schema.target, &schema.bag, &reading.id, &reading.key];
        let others = others.into_iter().flatten().chain(&reading.left_out);
        FreeNames(columns.chain(headers).chain(others).map(|name| name.to_lowercase()).collect())
    }

    /// Takes a name and returns it as an identifier. A name that is already taken gets the first
    /// free number: `score 2`.
    pub fn take(&mut self, wanted: &str) -> String {
        let wanted = visible_line(wanted);
        let numbered = (2..).map(|number: usize| format!("{wanted} {number}"));
        let mut names = std::iter::once(wanted.clone().into_owned()).chain(numbered);
        let free = names.find(|name| self.0.insert(name.to_lowercase()));
        identifier(&free.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_learn::model::Column;

    #[test]
    fn no_name_is_taken_twice() {
        let columns = ["Score", "SCORE 2", "x"].map(Column::numeric).to_vec();
        let schema = Schema { columns, target: Some("Predicted".into()), ..Schema::default() };
        let mut names = FreeNames::beside(&schema);
        assert_eq!(names.take("score"), "\"score 3\"");
        assert_eq!(names.take("score"), "\"score 4\"");
        assert_eq!(names.take("predicted"), "\"predicted 2\"");
        assert_eq!(names.take("score for a\"b\n"), "\"score for a\"\"b\\n\"");
    }
}
