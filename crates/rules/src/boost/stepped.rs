//! Numbers in few steps: what a search looks at instead of the numbers themselves.
//!
//! Between two neighbouring values there is one cut, told by the shortest number that parts them. Where a column has more
//! values than fit into a byte, cuts lie evenly over its examples. A category is a step of its own.

use crate::cut::{between_values, pair};

/// The step of an example of which nothing is known.
pub(super) const UNKNOWN: u8 = u8::MAX;
/// Steps at most; one code is left for what is not known.
pub(super) const MOST_STEPS: usize = UNKNOWN as usize;

/// Numbers nearer to each other than this share of the greater one have no cut between them.
const SAME: f64 = 1e-12;

/// A number or a category about each example, as a step.
#[derive(Clone, Debug)]
pub(super) struct SteppedColumn {
    /// By example the step, or [`UNKNOWN`].
    pub(super) steps: Vec<u8>,
    /// The cuts between one step and the next; none for categories.
    pub(super) cuts: Vec<f64>,
    /// How many steps there are.
    pub(super) count: usize,
    /// The only two numbers that are met, where there are no others.
    pub(super) pair: Option<[f64; 2]>,
    /// Whether a condition may ask for the steps up to a cut, and for those beyond.
    pub(super) may_be: [bool; 2],
}

impl SteppedColumn {
    /// Numbers, NaN where nothing is known.
    pub(super) fn numbers(values: &[f64]) -> SteppedColumn {
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
            ..SteppedColumn::cut(values, cuts(&distinct, &ends))
        }
    }

    /// Numbers, NaN where nothing is known, with cuts that are known already.
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

    /// Categories by code, NaN where none is known. Those that find no step of their own count as not known.
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

    /// Of some neighbouring cuts the one nearest to their middle.
    pub(super) fn middle(&self, first: usize, last: usize) -> u8 {
        let centre = self.cuts[first].midpoint(self.cuts[last]);
        let place = match centre.is_finite() {
            true => first + self.cuts[first..=last].partition_point(|&cut| cut < centre),
            false => first,
        };
        small(place.min(last))
    }
}

/// Cuts of numbers that are met: the distinct ones in ascending order, and how many there are up to each.
pub(super) fn cuts(distinct: &[f64], ends: &[usize]) -> Vec<f64> {
    // Numbers that differ in their last digits alone, as means of the same numbers do, are one to a reader.
    let is_apart = |(low, high): &(f64, f64)| {
        !(high - low).is_finite() || high - low > SAME * low.abs().max(high.abs())
    };
    let all: Vec<(f64, f64)> =
        distinct.windows(2).map(|pair| (pair[0], pair[1])).filter(is_apart).collect();
    let between = between_values(distinct);
    if all.len() < MOST_STEPS {
        return all.into_iter().map(|(low, high)| between(low, high)).collect();
    }
    // Each goes up to the end of the equal values at its place, so that no two cuts are one.
    let mut cuts = Vec::with_capacity(MOST_STEPS - 1);
    let (mut done, known) = (0, ends.last().copied().unwrap_or(0));
    for part in 1..MOST_STEPS {
        let place = (part * known / MOST_STEPS).saturating_sub(1);
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
            let stepped = SteppedColumn::numbers(&values);
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
