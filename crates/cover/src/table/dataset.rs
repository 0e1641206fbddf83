//! From a data set to a table and its labels.

use super::{Labels, Table, TableError};
use pellucid_data::Dataset;

impl Table {
    /// Lays the features of a data set out as a table, with bags where rows are grouped.
    ///
    /// # Errors
    /// When there are more rows than a table can number, or two columns have one name.
    pub fn from_dataset(data: Dataset) -> Result<Table, TableError> {
        let columns = data.columns.into_iter().map(|column| (column.name, column.values)).collect();
        match data.bags {
            None => Table::new(columns),
            Some(bags) => Table::with_bags(columns, &bags.of_row),
        }
    }
}

impl Labels {
    /// The labels of a data set's examples on its table.
    ///
    /// # Errors
    /// When the table is not the one made from this data set.
    pub fn of_dataset(data: &Dataset, table: &Table) -> Result<Labels, TableError> {
        match data.bags {
            None => Labels::rows(table, &data.example_codes(), data.classes()),
            Some(_) => Labels::bags(table, &data.example_codes(), data.classes()),
        }
    }
}
