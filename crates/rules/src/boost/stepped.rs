//! Columns in steps (bins), which a search uses instead of the numbers.
//!
//! Between two adjacent values there is one cut point, the shortest number between them. If a
//! column has more values than fit into a byte, cut points are quantiles. Each category is a step.

use crate::cut::{between_values, pair};
use pellucid_data::Dataset;

/// The step of a missing value.
pub(super) const UNKNOWN: u8 = u8::MAX;
/// The most steps; one code is reserved for missing values.
pub(super) const MOST_STEPS: usize = UNKNOWN as usize;

/// The most steps of a column of numbers with more than two classes.
const MOST_STEPS_OF_MANY: usize = 64;

/// Numbers with a smaller relative difference have no cut point between them.
const SAME: f64 = 1e-12;

/// A feature as steps.
#[derive(Clone, Debug)]
pub(super) struct SteppedColumn {
    /// The step of each example, or [`UNKNOWN`].
    pub(super) steps: Vec<u8>,
    /// The cut points between steps; empty for categories.
    pub(super) cuts: Vec<f64>,
    /// The number of steps.
    pub(super) count: usize,
    /// The two values, if there are exactly two.
    pub(super) pair: Option<[f64; 2]>,
    /// Whether a condition may test for the steps up to a cut point, and for those above it.
    pub(super) may_be: [bool; 2],
}

impl SteppedColumn {
    /// Returns the steps of numbers, with at most `most` steps; NaN is missing.
    pub(super) fn numbers(values: &[f64], most: usize) -> SteppedColumn {
        let mut known: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        known.sort_unstable_by(f64::total_cmp);
        let mut distinct: Vec<f64> = Vec::new();
        let mut ends: Vec<usize> = Vec::new();
        for run in known.chunk_by(|one, other| one == other) {
            distinct.push(run[0]);
            ends.push(ends.last().unwrap_or(&0) + run.len());
        }
        SteppedColumn {
            pair: pair(&distinct),
            ..SteppedColumn::cut(values, cuts(&distinct, &ends, most))
        }
    }

    /// Returns the steps of numbers, given the cut points; NaN is missing.
    pub(super) fn cut(values: &[f64], cuts: Vec<f64>) -> SteppedColumn {
        let step = |value: &f64| match value {
            value if value.is_nan() => UNKNOWN,
            value => small(cuts.partition_point(|cut| cut < value)),
        };
        SteppedColumn {
            steps: values.iter().map(step).collect(),
            count: cuts.len() + 1,
            cuts,
            pair: None,
            may_be: [true; 2],
        }
    }

    /// Returns the steps of category codes; NaN is missing. Categories beyond the most steps are
    /// treated as missing.
    pub(super) fn categories(values: &[f64], count: usize) -> SteppedColumn {
        let count = count.min(MOST_STEPS);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a code below 255"
        )]
        let step = |&value: &f64| if value < count as f64 { value as u8 } else { UNKNOWN };
        SteppedColumn {
            steps: values.iter().map(step).collect(),
            cuts: Vec::new(),
            count,
            pair: None,
            may_be: [true; 2],
        }
    }

    /// Returns the steps of some examples.
    pub(super) fn of_examples(&self, examples: &[u32]) -> Vec<u8> {
        examples.iter().map(|&example| self.steps[example as usize]).collect()
    }

    /// Returns the cut point nearest to the middle of a range of cut points.
    pub(super) fn middle(&self, first: usize, last: usize) -> u8 {
        let center = self.cuts[first].midpoint(self.cuts[last]);
        let index = match center.is_finite() {
            true => first + self.cuts[first..=last].partition_point(|&cut| cut < center),
            false => first,
        };
        small(index.min(last))
    }
}

/// Returns the most steps of a column of numbers. With more than two classes, a step has several times
/// as many sums, so the steps are coarser; on six tables the models were as good.
pub(super) fn most_steps(data: &Dataset) -> usize {
    match data.target.as_ref().map_or(0, |target| target.classes.len()) {
        3.. => MOST_STEPS_OF_MANY,
        _ => MOST_STEPS,
    }
}

/// Returns the cut points of distinct values in ascending order, given their cumulative counts and
/// the most steps.
pub(super) fn cuts(distinct: &[f64], ends: &[usize], most: usize) -> Vec<f64> {
    // Numbers that differ only in their last digits, as means of the same numbers do, are not worth
    // separating.
    let is_apart = |(low, high): &(f64, f64)| {
        !(high - low).is_finite() || high - low > SAME * low.abs().max(high.abs())
    };
    let all: Vec<(f64, f64)> =
        distinct.windows(2).map(|pair| (pair[0], pair[1])).filter(is_apart).collect();
    let between = between_values(distinct);
    if all.len() < most {
        return all.into_iter().map(|(low, high)| between(low, high)).collect();
    }
    // Each cut point is at the end of a run of equal values, so that no two are the same.
    let mut cuts = Vec::with_capacity(most - 1);
    let (mut done, known) = (0, ends.last().copied().unwrap_or(0));
    for part in 1..most {
        let place = (part * known / most).saturating_sub(1);
        let run = ends.partition_point(|&end| end <= place);
        let next = ends[run];
        if next > done && next < known {
            cuts.push(between(distinct[run], distinct[run + 1]));
            done = next;
        }
    }
    cuts
}

#[expect(clippy::cast_possible_truncation, reason = "there are fewer than 255 cuts")]
fn small(step: usize) -> u8 {
    step as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn steps_are_in_the_order_of_numbers(
            values in prop::collection::vec(prop_oneof![4 => -5.0f64..5.0, 1 => Just(f64::NAN)], 1..700),
        ) {
            let stepped = SteppedColumn::numbers(&values, MOST_STEPS);
            prop_assert!(stepped.count <= MOST_STEPS);
            prop_assert!(stepped.cuts.is_sorted());
            for (value, &step) in values.iter().zip(&stepped.steps) {
                prop_assert_eq!(value.is_nan(), step == UNKNOWN);
                for (cut, place) in stepped.cuts.iter().zip(0u8..) {
                    prop_assert_eq!(value > cut, step != UNKNOWN && step > place);
                }
            }
        }
    }
}
