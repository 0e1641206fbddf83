//! The drift of columns, of actual values and of predictions.

use super::{MonitoredData, NamedDrift};
use crate::compare::shown;
use crate::io::Dataset;
use crate::learn::digits::{percent, significant};
use crate::learn::learner::Predictions;
use crate::learn::profile::{BinCounts, Bins, Distribution, TrainingProfile};
use crate::registry::AnyModel;
use pellucid_data::{Column, Values};

/// Returns the profile of reference data and of the predictions for it.
pub(super) fn profile_of(model: &dyn AnyModel, reference: MonitoredData<'_>) -> TrainingProfile {
    let mut profile = TrainingProfile::of_columns(reference.data);
    profile.predictions = Some(match predicted(model, reference.predictions) {
        PredictedValues::Numbers(name, numbers) => Distribution::of_numbers(&name, &numbers),
        PredictedValues::Codes(codes) => {
            let classes = &model.schema().classes;
            Distribution::of_codes("predicted class", codes.into_iter(), classes)
        }
    });
    profile.held_out = super::quality::estimates(model, reference.predictions).0;
    profile
}

/// Returns the drift of the columns of the model, and the columns that cannot be compared.
pub(super) fn of_columns(
    model: &dyn AnyModel,
    profile: &TrainingProfile,
    new: &Dataset,
    used: &[String],
) -> (Vec<NamedDrift>, Vec<String>) {
    let (mut drifts, mut skipped) = (Vec::new(), Vec::new());
    for known in &model.schema().columns {
        let column = new.columns.iter().find(|column| column.name == known.name);
        let counted = profile.column(&known.name).zip(column).and_then(|(reference, column)| {
            Some((reference, column, reference.count_column(column)?))
        });
        match counted {
            Some((reference, column, counted)) => {
                let is_used = used.contains(&known.name);
                let largest = known.range.map(|(_, largest)| largest);
                let medians = Medians { largest, new: median_of(column), are_shares: false };
                drifts.push(NamedDrift { is_used, ..drift(reference, counted, medians) });
            }
            None => skipped.push(known.name.clone()),
        }
    }
    (drifts, skipped)
}

/// Returns the drift of the actual values; `None` if the new data has none.
pub(super) fn of_target(profile: &TrainingProfile, new: &Dataset) -> Option<NamedDrift> {
    let reference = profile.target.as_ref()?;
    let (counted, median) = match (&new.target, &new.number) {
        (Some(target), _) => {
            (reference.count_codes(target.codes.iter().copied(), &target.classes), None)
        }
        (None, Some(number)) => (reference.count_numbers(&number.values), median(&number.values)),
        (None, None) => return None,
    };
    let is_known = counted.bins.iter().any(|count| *count > 0);
    // Rows without an actual value are not drift.
    let counted = BinCounts { missing: 0, ..counted };
    let medians = Medians { new: median, ..Medians::default() };
    is_known.then(|| drift(reference, counted, medians))
}

/// Returns the drift of the predictions; `None` if the profile has none.
pub(super) fn of_predictions(
    model: &dyn AnyModel,
    profile: &TrainingProfile,
    predictions: &Predictions,
) -> Option<NamedDrift> {
    let reference = profile.predictions.as_ref()?;
    match (predicted(model, predictions), &reference.bins) {
        (PredictedValues::Numbers(_, numbers), Bins::Numbers { .. }) => {
            let are_shares = model.schema().number.is_none();
            let medians = Medians { new: median(&numbers), are_shares, ..Medians::default() };
            Some(drift(reference, reference.count_numbers(&numbers), medians))
        }
        (PredictedValues::Codes(codes), Bins::Categories { .. }) => {
            let counted = reference.count_codes(codes.into_iter(), &model.schema().classes);
            Some(drift(reference, counted, Medians::default()))
        }
        _ => None,
    }
}

/// The predictions whose distribution is compared.
enum PredictedValues {
    Numbers(String, Vec<f64>),
    Codes(Vec<u32>),
}

fn predicted(model: &dyn AnyModel, predictions: &Predictions) -> PredictedValues {
    if let Some(numbers) = predictions.applied().predicted().numbers() {
        return PredictedValues::Numbers("predicted number".to_owned(), numbers.to_vec());
    }
    let shares = |example| predictions.probabilities(example)?.get(1).copied();
    let positive: Option<Vec<f64>> = (0..predictions.len()).map(shares).collect();
    match (positive, &model.schema().classes[..]) {
        (Some(shares), [_, positive]) => {
            PredictedValues::Numbers(format!("probability of {positive}"), shares)
        }
        _ => {
            let codes = (0..predictions.len()).map(|example| predictions.predicted(example));
            PredictedValues::Codes(codes.collect())
        }
    }
}

/// What is known of the medians of numbers.
#[derive(Clone, Copy, Default)]
struct Medians {
    /// The largest number of the reference.
    largest: Option<f64>,
    /// The median of the new numbers.
    new: Option<f64>,
    /// Whether the numbers are shares.
    are_shares: bool,
}

fn drift(reference: &Distribution, counted: BinCounts, medians: Medians) -> NamedDrift {
    let drift = reference.drift(counted);
    let change = change(reference, &drift.new, medians);
    NamedDrift { distribution: reference.clone(), drift, change, is_used: true }
}

/// Returns what has changed most: the median of numbers, or the share of a category.
fn change(reference: &Distribution, new: &BinCounts, medians: Medians) -> String {
    let old = reference.counts();
    match &reference.bins {
        Bins::Numbers { cuts, .. } => {
            let shown = |number: f64| match medians.are_shares {
                true => percent(number),
                false => significant(number, 4),
            };
            let of = |counts: &BinCounts| binned_median(cuts, &counts.bins, medians.largest);
            // The profile has bins, not numbers: a median in the same bin may not have changed at all.
            let is_same_bin = of(&old) == of(new);
            match (of(&old), medians.new) {
                (Some(one), Some(other)) if is_same_bin || shown(one) == shown(other) => {
                    moved(cuts, &old, new)
                }
                (Some(old), Some(new)) => format!("median {} to {}", shown(old), shown(new)),
                _ => String::new(),
            }
        }
        Bins::Categories { names, .. } => {
            let share = |counts: &BinCounts, place: usize| {
                as_number(counts.bins[place]) / as_number(counts.bins.iter().sum::<u64>().max(1))
            };
            let moved = |place: usize| (share(new, place) - share(&old, place)).abs();
            let most = (0..old.bins.len())
                .reduce(|best, place| if moved(place) > moved(best) { place } else { best });
            let Some(place) = most.filter(|&place| moved(place) > 0.0) else {
                return String::new();
            };
            let name = match names.get(place) {
                Some(name) => format!("'{}'", shown(name)),
                None => "other values".to_owned(),
            };
            format!("{name} {} to {}", percent(share(&old, place)), percent(share(new, place)))
        }
    }
}

/// Returns the cut above which the share of the numbers changes most, with both shares.
fn moved(cuts: &[f64], old: &BinCounts, new: &BinCounts) -> String {
    let above = |counts: &BinCounts, place: usize| {
        let all = counts.bins.iter().sum::<u64>().max(1);
        as_number(counts.bins[place + 1..].iter().sum()) / as_number(all)
    };
    let change = |place: usize| (above(new, place) - above(old, place)).abs();
    let most =
        (0..cuts.len()).reduce(|one, next| if change(next) > change(one) { next } else { one });
    match most.filter(|&place| change(place) > 0.0) {
        Some(place) => format!(
            "above {}: {} to {}",
            significant(cuts[place], 4),
            percent(above(old, place)),
            percent(above(new, place))
        ),
        None => String::new(),
    }
}

/// Returns the median of counted numbers. The cuts are quantiles, so at least half of the numbers are above
/// the last cut only if the median is the largest number.
fn binned_median(cuts: &[f64], counts: &[u64], largest: Option<f64>) -> Option<f64> {
    let half = counts.iter().sum::<u64>().div_ceil(2);
    let mut below = 0;
    let place = counts.iter().position(|count| {
        below += count;
        below >= half
    })?;
    cuts.get(place).copied().or(largest)
}

fn median_of(column: &Column) -> Option<f64> {
    match &column.values {
        Values::Numeric(numbers) => median(numbers),
        Values::Nominal { .. } | Values::Boolean(_) => None,
    }
}

/// Returns the middle one of some numbers.
fn median(numbers: &[f64]) -> Option<f64> {
    let mut finite: Vec<f64> = numbers.iter().copied().filter(|one| one.is_finite()).collect();
    let middle = finite.len().checked_sub(1)? / 2;
    let (_, &mut median, _) = finite.select_nth_unstable_by(middle, f64::total_cmp);
    Some(median)
}

#[expect(clippy::cast_precision_loss, reason = "counts of rows")]
fn as_number(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_equal_median_gives_way_to_the_share_that_moved() {
        let old = Distribution::of_numbers("x", &[1.0, 2.0, 2.0, 2.0]);
        let new = old.count_numbers(&[1.0, 1.0, 2.0, 2.0]);
        let medians = Medians { largest: Some(2.0), new: Some(2.0), are_shares: false };
        assert_eq!(change(&old, &new, medians), "above 1: 75.0 % to 50.0 %");
        let lower = Medians { new: Some(1.0), ..medians };
        assert_eq!(change(&old, &new, lower), "median 2 to 1");
        let shares = Medians { new: Some(0.5), are_shares: true, largest: Some(2.0) };
        assert_eq!(change(&old, &new, shares), "median 200.0 % to 50.0 %");
    }

    #[test]
    fn the_median_of_two_values_is_the_more_common_one() {
        let old = |values: &[f64]| {
            let Bins::Numbers { cuts, counts } = Distribution::of_numbers("x", values).bins else {
                panic!("numbers have cuts");
            };
            binned_median(&cuts, &counts, values.iter().copied().reduce(f64::max))
        };
        assert_eq!(old(&[1.0, 2.0, 2.0, 2.0]), Some(2.0));
        assert_eq!(old(&[1.0, 1.0, 1.0, 2.0]), Some(1.0));
        assert_eq!(old(&[3.0, 3.0]), Some(3.0));
        assert_eq!(old(&[]), None);
    }
}
