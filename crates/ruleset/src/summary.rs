//! Summaries of a bag: the mean of a column over its rows, and the number of rows.
//!
//! The highest and lowest value of a column need no summary: the highest value is above 3 if `some
//! row (x > 3)`.

use pellucid_data::Dataset;
use pellucid_data::Values;

/// The name of the number of rows in a bag.
pub const ROWS: &str = "rows";

/// Returns the name of a column's mean over a bag's rows.
#[must_use]
pub fn mean_name(column: &str) -> String {
    format!("mean({column})")
}

/// Returns the column of a mean's name.
#[must_use]
pub fn mean_of(name: &str) -> Option<&str> {
    name.strip_prefix("mean(")?.strip_suffix(')')
}

/// Returns the number of rows of each example: 1 without bags.
#[must_use]
pub fn rows_of(data: &Dataset) -> Vec<f64> {
    let mut rows = vec![0.0; data.examples()];
    match &data.bags {
        None => rows.fill(1.0),
        Some(bags) => bags.of_row.iter().for_each(|&bag| rows[bag as usize] += 1.0),
    }
    rows
}

/// Returns the mean of a numeric column over each bag's rows, without missing values; NaN if all are missing.
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

/// Returns the highest and lowest value of a numeric column in each bag, then the second highest
/// and lowest, and so on up to `most`. If a bag has too few values, the highest is minus infinity
/// and the lowest infinity, so that no comparison is true.
#[must_use]
pub fn extremes(data: &Dataset, values: &Values, most: usize) -> Vec<(Vec<f64>, Vec<f64>)> {
    let (Values::Numeric(numbers), Some(bags)) = (values, &data.bags) else { return Vec::new() };
    let none = |number| vec![number; bags.names.len()];
    let mut extremes = vec![(none(f64::NEG_INFINITY), none(f64::INFINITY)); most];
    for (&bag, &number) in bags.of_row.iter().zip(numbers) {
        // Comparisons with NaN are false, so missing values change nothing.
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
