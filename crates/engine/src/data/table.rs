//! From a data set to the engine's table.

use super::Dataset;
use crate::table::{Labels, Table, TableError};

impl Dataset {
    /// Lays the features out as a table, with bags where rows are grouped.
    ///
    /// # Errors
    /// When there are more rows than the engine can number, or two columns have one name.
    pub fn into_table(self) -> Result<Table, TableError> {
        let columns = self.columns.into_iter().map(|column| (column.name, column.values)).collect();
        match self.bags {
            None => Table::new(columns),
            Some(bags) => Table::with_bags(columns, &bags.of_row),
        }
    }

    /// How many classes the labels have; data without labels count as one class.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.target.as_ref().map_or(1, |target| target.classes.len().max(1))
    }

    /// The class of every example, all of the first where there are no labels.
    #[must_use]
    pub fn example_codes(&self) -> Vec<u32> {
        self.target.as_ref().map_or_else(|| vec![0; self.examples()], |target| target.codes.clone())
    }

    /// The class of every row: that of its bag where rows are grouped.
    #[must_use]
    pub fn row_codes(&self) -> Vec<u32> {
        let codes = self.example_codes();
        match &self.bags {
            None => codes,
            Some(bags) => bags.of_row.iter().map(|&bag| codes[bag as usize]).collect(),
        }
    }

    /// The labels of the examples on their table.
    ///
    /// # Errors
    /// When the table is not the one made from this data set.
    pub fn labels(&self, table: &Table) -> Result<Labels, TableError> {
        match self.bags {
            None => Labels::rows(table, &self.example_codes(), self.classes()),
            Some(_) => Labels::bags(table, &self.example_codes(), self.classes()),
        }
    }
}
