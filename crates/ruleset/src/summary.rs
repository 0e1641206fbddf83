//! What is said of a whole bag: the mean of a column over its rows, and how many rows it has.
//!
//! The highest and lowest value of a column need no words of their own: that the highest value is above 3 is
//! `some row (x > 3)`.

use pellucid_data::Dataset;
use pellucid_data::Values;

/// The name of the number of a bag's rows.
pub const ROWS: &str = "rows";

/// The name of a column's mean over a bag's rows.
#[must_use]
pub fn mean_name(column: &str) -> String {
    format!("mean({column})")
}

/// The column whose mean a name means.
#[must_use]
pub fn mean_of(name: &str) -> Option<&str> {
    name.strip_prefix("mean(")?.strip_suffix(')')
}

/// How many rows each example has: one, where there are no bags.
#[must_use]
pub fn rows_of(data: &Dataset) -> Vec<f64> {
    let mut rows = vec![0.0; data.examples()];
    match &data.bags {
        None => rows.fill(1.0),
        Some(bags) => bags.of_row.iter().for_each(|&bag| rows[bag as usize] += 1.0),
    }
    rows
}

/// The mean of a numeric column over each bag's rows, missing values left out; NaN where all are missing.
#[must_use]
pub fn means(data: &Dataset, values: &Values) -> Option<Vec<f64>> {
    let (Values::Numeric(numbers), Some(bags)) = (values, &data.bags) else { return None };
    let mut sums = vec![(0.0, 0.0); bags.names.len()];
    for (&bag, &number) in bags.of_row.iter().zip(numbers) {
        if !number.is_nan() {
            let (sum, count) = &mut sums[bag as usize];
            *sum += number;
            *count += 1.0;
        }
    }
    Some(sums.into_iter().map(|(sum, count)| sum / count).collect())
}

/// The highest value of a numeric column in each bag and the lowest, then the second highest and lowest, and so on up to a
/// number. Where a bag has too few values no row is above or below anything: the highest is minus infinity, the lowest
/// infinity.
#[must_use]
pub fn extremes(data: &Dataset, values: &Values, most: usize) -> Vec<(Vec<f64>, Vec<f64>)> {
    let (Values::Numeric(numbers), Some(bags)) = (values, &data.bags) else { return Vec::new() };
    let none = |number| vec![number; bags.names.len()];
    let mut extremes = vec![(none(f64::NEG_INFINITY), none(f64::INFINITY)); most];
    for (&bag, &number) in bags.of_row.iter().zip(numbers) {
        // A comparison with NaN is false, so missing values change nothing.
        let (mut high, mut low) = (number, number);
        for (highest, lowest) in &mut extremes {
            let (highest, lowest) = (&mut highest[bag as usize], &mut lowest[bag as usize]);
            if high > *highest {
                std::mem::swap(&mut high, highest);
            }
            if low < *lowest {
                std::mem::swap(&mut low, lowest);
            }
        }
    }
    extremes
}
