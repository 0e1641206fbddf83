//! Generated problems whose best possible accuracy is known.
//!
//! The class is drawn with a probability that depends on a few columns; all others are noise. The parts of an
//! exclusive-or and of a parity are useless alone, so they are the hardest to find.

use clap::ValueEnum;
use pellucid::io::{ClassTarget, Column, Dataset, Values};
use pellucid::learn::rng::{Stream, Streams};

/// The number of categories of a nominal column.
const CATEGORIES: u32 = 4;

/// A generated problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Problem {
    /// The exclusive-or of two signs
    ExclusiveOr,
    /// A rule with two conditions, an exclusive-or, a slope and a step
    Mixed,
    /// The parity of two nominal columns
    Parity,
    /// Three slopes
    Slopes,
    /// A ring around the center of two columns
    Ring,
}

/// Rows, and the probability of class 1 of each.
pub(crate) struct Generated {
    pub(crate) data: Dataset,
    pub(crate) probabilities: Vec<f64>,
}

impl Problem {
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Generates rows with this many columns.
    pub(crate) fn generate(self, rows: usize, columns: usize, streams: Streams) -> Generated {
        let uniform = |column: usize| -> Vec<f64> {
            let mut stream = streams.stream(&["column".into(), column.into()]);
            // Four decimals, as in most tables.
            (0..rows).map(|_| (stream.unit() * 10_000.0).floor() / 10_000.0).collect()
        };
        let values: Vec<Vec<f64>> = (0..columns).map(uniform).collect();
        let probability = |row: usize| self.probability(&|column: usize| values[column][row]);
        let probabilities: Vec<f64> = (0..rows).map(probability).collect();
        let mut labels = streams.stream(&["labels".into()]);
        let label = |&probability: &f64| draw(&mut labels, probability);
        let codes = probabilities.iter().map(label).collect();
        let columns = values.into_iter().enumerate().map(|(index, values)| Column {
            name: format!("x{}", index + 1),
            values: match self {
                Problem::Parity => nominal(&values),
                _ => Values::Numeric(values.into_iter().collect()),
            },
        });
        let classes = vec!["0".into(), "1".into()];
        let data = Dataset {
            name: self.name(),
            columns: columns.collect(),
            rows,
            target: Some(ClassTarget { name: "class".into(), classes, codes }),
            ..Dataset::default()
        };
        Generated { data, probabilities }
    }

    /// Returns the probability of class 1, given the values of the columns of a row.
    fn probability(self, value: &dyn Fn(usize) -> f64) -> f64 {
        let sign = |is_positive: bool| if is_positive { 1.0 } else { -1.0 };
        let differ = |one: usize, other: usize| (value(one) > 0.5) != (value(other) > 0.5);
        let score = match self {
            Problem::ExclusiveOr => 0.6 * sign(differ(0, 1)),
            Problem::Mixed => {
                let rule = f64::from(u8::from(value(0) > 0.6 && value(1) <= 0.4));
                let step = f64::from(u8::from(value(5) > 0.8));
                1.5 * rule + 0.7 * sign(differ(2, 3)) + 1.5 * (value(4) - 0.5) + 0.8 * step - 0.4
            }
            Problem::Parity => {
                let is_even = |column: usize| category(value(column)).is_multiple_of(2);
                sign(is_even(0) == is_even(1))
            }
            Problem::Slopes => {
                3.0 * (value(0) - 0.5) + 2.5 * (value(1) - 0.5) - 2.0 * (value(2) - 0.5)
            }
            Problem::Ring => {
                let distance = (value(0) - 0.5).hypot(value(1) - 0.5);
                1.2 * sign((0.2..0.42).contains(&distance))
            }
        };
        1.0 / (1.0 + (-score).exp())
    }
}

/// Returns 1 with a probability, otherwise 0.
fn draw(stream: &mut Stream, probability: f64) -> u32 {
    u32::from(stream.unit() < probability)
}

/// Returns the category of a value in [0, 1).
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few categories")]
fn category(value: f64) -> u32 {
    (value * f64::from(CATEGORIES)) as u32
}

fn nominal(values: &[f64]) -> Values {
    Values::Nominal {
        categories: (0..CATEGORIES).map(|category| format!("c{category}")).collect(),
        codes: values.iter().map(|&value| category(value)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_depend_on_the_seed_alone_and_classes_on_the_probabilities() {
        for &problem in Problem::value_variants() {
            let generate = |seed: u64| problem.generate(2000, 6, Streams::new(seed));
            let (one, same, other) = (generate(1), generate(1), generate(2));
            let codes = |of: &Generated| of.data.example_codes();
            assert_eq!(codes(&one), codes(&same));
            assert_ne!(codes(&one), codes(&other));
            let expected: f64 = one.probabilities.iter().sum();
            let found = codes(&one).iter().filter(|&&code| code == 1).count() as f64;
            assert!((found - expected).abs() < 120.0, "{problem:?}: {found} of {expected}");
        }
    }
}
