//! From a data set to a table and its labels.

use super::{Labels, Table, TableError};
use pellucid_data::Dataset;
use pellucid_device::Threads;

impl Table {
    /// Lays the features of a data set out as a table, with bags where rows are grouped, on the caller's thread alone.
    ///
    /// # Errors
    /// When there are more rows than a table can number, or two columns have one name.
    pub fn from_dataset(data: Dataset) -> Result<Table, TableError> {
        Table::from_dataset_on(&Threads::callers(), data)
    }

    /// [`Table::from_dataset`] on several threads.
    ///
    /// # Errors
    /// As [`Table::from_dataset`].
    pub fn from_dataset_on(threads: &Threads, data: Dataset) -> Result<Table, TableError> {
        let columns = data.columns.into_iter().map(|column| (column.name, column.values)).collect();
        match data.bags {
            None => Table::new_on(threads, columns),
            Some(bags) => Table::with_bags_on(threads, columns, &bags.of_row),
        }
    }

    /// The features of a data set in the ranks of another table, which has the same columns and all their values: what is counted for
    /// parts of the rows then adds up to what is counted for all of them.
    ///
    /// # Errors
    /// As [`Table::from_dataset`], and when a value is not there.
    pub fn part_of(whole: &Table, threads: &Threads, data: Dataset) -> Result<Table, TableError> {
        let columns = data.columns.into_iter().map(|column| (column.name, column.values)).collect();
        Table::within(threads, columns, data.bags.map(|bags| bags.of_row).as_deref(), whole)
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
