//! The evaluation of every stored size of a model, for the slider of a report.

use super::{held_out_evaluation, with_predictions};
use crate::io::Dataset;
use crate::learn::out_of_fold::OutOfFold;
use crate::registry::{AnyModel, Data};
use crate::report::page::Report;
use pellucid_device::Machine;

/// Of more rows than this, a sample is evaluated.
const MOST_ROWS: usize = 10_000;

/// Adds the held-out evaluation of each size, if the training run has scores of all sizes.
pub(super) fn of_held_out(report: Report, scores: &OutOfFold) -> Report {
    let (counts, selected) = report.sizes();
    if counts.len() != scores.by_size.len() {
        return report;
    }
    let of_size = |(place, own): (usize, &OutOfFold)| {
        (place != selected).then(|| held_out_evaluation(super::empty(), own))
    };
    let sizes = scores.by_size.iter().enumerate().map(of_size).collect();
    report.with_sizes(sizes)
}

/// Adds the evaluation of each size on data with this name. Of sizes with equally many rules, only one can be
/// opened, so these are left out.
pub(super) fn on_data(
    report: Report,
    model: &dyn AnyModel,
    data: &Dataset,
    name: &str,
    machine: &Machine,
) -> Report {
    let (counts, selected) = report.sizes();
    let sample = sample(data);
    let of_size = |(place, &count): (usize, &usize)| {
        let is_single = counts.iter().filter(|&&other| other == count).count() == 1;
        let sized = model.with_rules(count).filter(|_| is_single && place != selected)?;
        let predictions = sized.predictions(&Data::Table(sample.clone()), machine).ok()?;
        Some(with_predictions(super::empty(), name, &*sized, &predictions))
    };
    let sizes = counts.iter().enumerate().map(of_size).collect();
    report.with_sizes(sizes)
}

/// Returns evenly spaced rows of a large table; bags are not split.
fn sample(data: &Dataset) -> Dataset {
    let step = data.rows.div_ceil(MOST_ROWS);
    if step < 2 || data.bags.is_some() {
        return data.clone();
    }
    let places: Vec<u32> = (0..).take(data.rows).step_by(step).collect();
    data.select(&places)
}
