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
                let median = median_of(column);
                drifts.push(NamedDrift { is_used, ..drift(reference, counted, median) });
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
    is_known.then(|| drift(reference, counted, median))
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
            Some(drift(reference, reference.count_numbers(&numbers), median(&numbers)))
        }
        (PredictedValues::Codes(codes), Bins::Categories { .. }) => {
            let counted = reference.count_codes(codes.into_iter(), &model.schema().classes);
            Some(drift(reference, counted, None))
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

fn drift(reference: &Distribution, counted: BinCounts, median: Option<f64>) -> NamedDrift {
    let drift = reference.drift(counted);
    let change = change(reference, &drift.new, median);
    NamedDrift { distribution: reference.clone(), drift, change, is_used: true }
}

/// Returns what has changed most: the median of numbers, or the share of a category.
fn change(reference: &Distribution, new: &BinCounts, median: Option<f64>) -> String {
    let old = reference.counts();
    match &reference.bins {
        Bins::Numbers { cuts, .. } => {
            let half = old.bins.iter().sum::<u64>().div_ceil(2);
            let mut below = 0;
            let place = old.bins.iter().position(|count| {
                below += count;
                below >= half
            });
            let middle = place.and_then(|place| cuts.get(place.min(cuts.len().saturating_sub(1))));
            match (middle, median) {
                (Some(middle), Some(median)) => {
                    format!("median {} to {}", significant(*middle, 4), significant(median, 4))
                }
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
