//! The order in which the rows of a table are shown.

use pellucid_learn::rng::Streams;

/// The order of rows in rounds. Each round shows as many rows as the table has, in random order.
/// With equal weights every round shows every row once. Otherwise rows are shown in proportion to
/// their weights, spread evenly over the rounds.
///
/// The order of a round depends only on the seed and its number, so a run can be resumed anywhere.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    seed: u64,
    rows: u32,
    /// The expected number of times that each row is shown in a round; `None` if it is 1.
    frequency: Option<Vec<f64>>,
}

impl Order {
    /// Creates the order of rows with some weights.
    pub(crate) fn new(seed: u64, rows: usize, weights: Option<&[f64]>) -> Order {
        let frequency = weights.map(|weights| {
            let total: f64 = weights.iter().sum();
            weights.iter().map(|weight| weight * rows as f64 / total).collect()
        });
        Order { seed, rows: pellucid_bits::as_u32(rows), frequency }
    }

    /// Writes the rows of a round.
    pub(crate) fn round(&self, round: u64, into: &mut Vec<u32>) {
        let mut stream = Streams::new(self.seed).at("order").stream(&[round.into()]);
        into.clear();
        match &self.frequency {
            None => into.extend(0..self.rows),
            Some(frequency) => {
                // Systematic sampling: marks at equal distances over the cumulative weights.
                let (mut mark, mut end) = (stream.unit(), 0.0);
                for (row, frequency) in (0..self.rows).zip(frequency) {
                    end += frequency;
                    while mark < end && into.len() < self.rows as usize {
                        into.push(row);
                        mark += 1.0;
                    }
                }
                // Rounding may put the last mark slightly past the end.
                while into.len() < self.rows as usize {
                    into.push(self.rows - 1);
                }
            }
        }
        stream.shuffle(into);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn counts(order: &Order, rounds: u64) -> Vec<u32> {
        let (mut counts, mut rows) = (vec![0; order.rows as usize], Vec::new());
        for round in 0..rounds {
            order.round(round, &mut rows);
            assert_eq!(rows.len(), counts.len());
            rows.iter().for_each(|&row| counts[row as usize] += 1);
        }
        counts
    }

    proptest! {
        #[test]
        fn equal_weights_show_every_row_once(seed: u64, rows in 1usize..300, weight in 0.001f64..1000.0) {
            let plain = Order::new(seed, rows, None);
            prop_assert_eq!(counts(&plain, 3), vec![3; rows]);
            let same = Order::new(seed, rows, Some(&vec![weight; rows]));
            // Rounding may move a mark to the next row, never further.
            prop_assert!(counts(&same, 1).iter().all(|&count| count <= 2));
        }

        #[test]
        fn rows_are_shown_in_proportion_to_their_weights(
            seed: u64, weights in prop::collection::vec(0.01f64..10.0, 1..60),
        ) {
            let order = Order::new(seed, weights.len(), Some(&weights));
            let total: f64 = weights.iter().sum();
            for (count, weight) in counts(&order, 50).into_iter().zip(&weights) {
                let expected = 50.0 * weight * weights.len() as f64 / total;
                // Every round is within 1 of the expected number.
                prop_assert!((f64::from(count) - expected).abs() <= 50.0 * 1.01, "{count} {expected}");
            }
        }
    }

    #[test]
    fn a_class_with_a_higher_weight_is_shown_more_often() {
        let weights: Vec<f64> =
            (0..100).map(|row| if row < 10 { 5.0 } else { 5.0 / 9.0 }).collect();
        let counts = counts(&Order::new(3, 100, Some(&weights)), 20);
        let few: u32 = counts[..10].iter().sum();
        assert_eq!(few, 1000, "ten rows have the same total weight as the other ninety");
    }
}
