//! Converts a data set to a table and its labels.

use super::{Labels, Table, TableError};
use pellucid_data::Dataset;
use pellucid_device::Threads;

impl Table {
    /// Builds a table from the features of a data set, with bags if rows are grouped. Uses only the
    /// calling thread.
    ///
    /// # Errors
    /// When there are too many rows for a table, or two columns have the same name.
    pub fn from_dataset(data: Dataset) -> Result<Table, TableError> {
        Table::from_dataset_on(&Threads::callers(), data)
    }

    /// Does the same as [`Table::from_dataset`] on several threads.
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

    /// Builds a table from the features of a data set in the ranks of another table, which has the
    /// same columns and all their values. Counts of parts of the rows then add up to the counts of
    /// all rows.
    ///
    /// # Errors
    /// As [`Table::from_dataset`], and when the other table does not have a value.
    pub fn part_of(whole: &Table, threads: &Threads, data: Dataset) -> Result<Table, TableError> {
        let columns = data.columns.into_iter().map(|column| (column.name, column.values)).collect();
        Table::within(threads, columns, data.bags.map(|bags| bags.of_row).as_deref(), whole)
    }
}

impl Labels {
    /// Returns the labels of the examples of a data set on its table.
    ///
    /// # Errors
    /// When the table was not built from this data set.
    pub fn of_dataset(data: &Dataset, table: &Table) -> Result<Labels, TableError> {
        match data.bags {
            None => Labels::rows(table, &data.example_codes(), data.classes()),
            Some(_) => Labels::bags(table, &data.example_codes(), data.classes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Formulas, Hypothesis, Literal, Session};
    use pellucid_data::{Column, MISSING, Values};
    use pellucid_device::Device;
    use proptest::prelude::*;
    use std::num::NonZeroUsize;
    use std::sync::Arc;

    fn data(numbers: Vec<f64>, codes: Vec<u32>) -> Dataset {
        let rows = numbers.len();
        let categories = ["a", "b", "c", "d", "e"].map(String::from).to_vec();
        let values = [Values::Numeric(numbers.into()), Values::Nominal { codes, categories }];
        let column = |(name, values): (&str, Values)| Column { name: name.to_owned(), values };
        let columns = ["number", "word"].into_iter().zip(values).map(column).collect();
        Dataset { columns, rows, ..Dataset::default() }
    }

    /// Returns the number of rows that each literal of the whole table covers.
    fn counts(whole: &Table, table: Table) -> Vec<u64> {
        let mut formulas = Formulas::new();
        for (number, column) in (0u32..).zip(whole.columns()) {
            for rank in 0..pellucid_bits::as_u32(column.ranks()) {
                for opposite in [false, true] {
                    formulas.literal(Literal::new(number, rank, opposite));
                    formulas.end_group();
                    formulas.end_root();
                }
            }
        }
        let labels = Labels::rows(&table, &vec![0; table.rows()], 1).unwrap();
        let cpu = Device::processor(NonZeroUsize::new(1)).unwrap();
        let mut session = Session::new(Arc::new(table), labels, Hypothesis::Rows, &[cpu]).unwrap();
        let tallies = session.tally_formulas(&formulas).unwrap();
        (0..tallies.len()).map(|root| tallies.of(root)[0]).collect()
    }

    proptest! {
        #[test]
        fn counts_of_parts_add_up_to_those_of_the_whole(
            rows in prop::collection::vec(
                (prop_oneof![8 => (-20i8..20).prop_map(f64::from), 1 => Just(f64::NAN)],
                 prop_oneof![8 => 0u32..5, 1 => Just(MISSING)]),
                1..60,
            ),
            cut in any::<prop::sample::Index>(),
        ) {
            let of = |rows: &[(f64, u32)]| {
                let (numbers, codes) = rows.iter().copied().unzip();
                data(numbers, codes)
            };
            let whole = Table::from_dataset(of(&rows)).unwrap();
            let (first, second) = rows.split_at(cut.index(rows.len()));
            let part = |rows| Table::part_of(&whole, &Threads::callers(), of(rows)).unwrap();
            let (first, second) = (counts(&whole, part(first)), counts(&whole, part(second)));
            let sum: Vec<u64> = first.iter().zip(second).map(|(first, second)| first + second).collect();
            prop_assert_eq!(sum, counts(&whole, whole.clone()));
        }
    }
}
