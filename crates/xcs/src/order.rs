//! In which order the rows of a table are shown.

use pellucid_learn::rng::Streams;

/// Rounds of as many rows as the table has, each in another order. Where rows weigh the same, every round shows every row once;
/// otherwise a row that weighs twice as much as another is shown twice as often, as evenly over the rounds as can be.
///
/// What a round shows depends on the seed and its number alone, so a run can be taken up anywhere.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    seed: u64,
    rows: u32,
    /// How often each row would be shown in a round if it could be shown in parts; nothing where that is once.
    often: Option<Vec<f64>>,
}

impl Order {
    /// The order of rows with these weights.
    pub(crate) fn new(seed: u64, rows: usize, weights: Option<&[f64]>) -> Order {
        let often = weights.map(|weights| {
            let total: f64 = weights.iter().sum();
            weights.iter().map(|weight| weight * rows as f64 / total).collect()
        });
        Order { seed, rows: pellucid_bits::as_u32(rows), often }
    }

    /// The rows of a round.
    pub(crate) fn round(&self, round: u64, into: &mut Vec<u32>) {
        let mut stream = Streams::new(self.seed).at("order").stream(&[round.into()]);
        into.clear();
        match &self.often {
            None => into.extend(0..self.rows),
            Some(often) => {
                // Marks at equal distances over the weights laid end to end: a row gets those that fall on it.
                let (mut mark, mut end) = (stream.unit(), 0.0);
                for (row, often) in (0..self.rows).zip(often) {
                    end += often;
                    while mark < end && into.len() < self.rows as usize {
                        into.push(row);
                        mark += 1.0;
                    }
                }
                // Rounding may leave the last mark a hair past the end.
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
        fn rows_are_shown_as_often_as_they_weigh(seed: u64, weights in prop::collection::vec(0.01f64..10.0, 1..60)) {
            let order = Order::new(seed, weights.len(), Some(&weights));
            let total: f64 = weights.iter().sum();
            for (count, weight) in counts(&order, 50).into_iter().zip(&weights) {
                let expected = 50.0 * weight * weights.len() as f64 / total;
                // Every round is within one of its share.
                prop_assert!((f64::from(count) - expected).abs() <= 50.0 * 1.01, "{count} {expected}");
            }
        }
    }

    #[test]
    fn a_class_that_weighs_more_is_met_more_often() {
        let weights: Vec<f64> =
            (0..100).map(|row| if row < 10 { 5.0 } else { 5.0 / 9.0 }).collect();
        let counts = counts(&Order::new(3, 100, Some(&weights)), 20);
        let few: u32 = counts[..10].iter().sum();
        assert_eq!(few, 1000, "ten rows weigh as much as the other ninety");
    }
}
