//! The profile of the training data in a model file: how each column, the target and the out-of-fold
//! predictions are distributed, and the held-out metrics. New data is compared with it.
//!
//! The profile is optional: files without it can be opened, and a profile that is damaged is ignored.

mod distribution;
mod drift;

pub use distribution::{BinCounts, Bins, Distribution};
pub use drift::{Drift, DriftTest, Severity};

use crate::metrics::{Estimate, Figure, NumberSummary, Summary};
use crate::out_of_fold::OutOfFold;
use pellucid_data::Dataset;
use serde::{Deserialize, Serialize};

/// With more columns than this, the profile has none.
const MOST_COLUMNS: usize = 1000;
/// The most values of all columns together that are sorted for a profile.
const MOST_VALUES: usize = 4_000_000;
/// The most rows that a profile counts; further rows are skipped evenly.
const MOST_ROWS: usize = 20_000;

/// The distribution of the training data.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingProfile {
    /// The number of rows.
    pub rows: u64,
    /// The number of examples, which are bags or rows.
    pub examples: u64,
    /// The columns. With very many rows, a sample of the rows is counted.
    #[serde(default)]
    pub columns: Vec<Distribution>,
    /// The target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Distribution>,
    /// The out-of-fold predictions: the probability of the positive class, the class, or the number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predictions: Option<Distribution>,
    /// The held-out metrics.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held_out: Vec<NamedEstimate>,
}

/// A metric with its interval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedEstimate {
    /// The short name, such as `log_loss`.
    pub key: String,
    /// The metric.
    #[serde(flatten)]
    pub estimate: Estimate,
}

impl TrainingProfile {
    /// Returns the profile of a table and of its out-of-fold predictions.
    #[must_use]
    pub fn of_table(data: &Dataset, held_out: Option<&OutOfFold>) -> TrainingProfile {
        let mut profile = TrainingProfile::of_columns(data);
        if let Some(scores) = held_out {
            profile.predictions = of_predictions(scores);
            profile.held_out = match scores.number_summary() {
                Some(summary) => number_estimates(&summary),
                None => class_estimates(scores.summary()),
            };
        }
        profile
    }

    /// Returns the profile of the columns and the target of a table.
    #[must_use]
    pub fn of_columns(data: &Dataset) -> TrainingProfile {
        let columns = data.columns.len();
        let most = MOST_ROWS.min(MOST_VALUES / columns.max(1)).max(1);
        let step = data.rows.div_ceil(most).max(1);
        let shown = if columns > MOST_COLUMNS { &[] } else { &data.columns[..] };
        let target = match (&data.target, &data.number) {
            (Some(target), _) => Some(Distribution::of_codes(
                &target.name,
                target.codes.iter().copied(),
                &target.classes,
            )),
            (None, Some(number)) => Some(Distribution::of_numbers(&number.name, &number.values)),
            (None, None) => None,
        };
        TrainingProfile {
            rows: data.rows as u64,
            examples: data.examples() as u64,
            columns: shown.iter().map(|column| Distribution::of_column(column, step)).collect(),
            target,
            ..TrainingProfile::default()
        }
    }

    /// Returns whether all distributions are consistent. A file may contain anything.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let estimates = || self.held_out.iter().map(|one| one.estimate);
        self.columns.iter().chain(&self.target).chain(&self.predictions).all(Distribution::is_sound)
            && estimates().all(|one| one.low <= one.value && one.value <= one.high)
    }

    /// Returns the profile without what depends on the size of the model.
    #[must_use]
    pub fn of_another_size(&self) -> TrainingProfile {
        TrainingProfile { predictions: None, held_out: Vec::new(), ..self.clone() }
    }

    /// Returns the distribution of a column.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Distribution> {
        self.columns.iter().find(|column| column.name == name)
    }
}

/// Returns the distribution of out-of-fold predictions, one for each example.
fn of_predictions(scores: &OutOfFold) -> Option<Distribution> {
    if let Some(decisions) = scores.number_decisions() {
        let numbers: Vec<f64> = decisions.list().iter().map(|one| one.predicted).collect();
        return Some(Distribution::of_numbers("predicted number", &numbers));
    }
    let decisions = scores.first_decisions(scores.decisions());
    let probabilities = decisions.numbers_of(1).filter(|_| decisions.has_probabilities());
    match (probabilities, &decisions.classes[..]) {
        (Some(shares), [_, positive]) => {
            Some(Distribution::of_numbers(&format!("probability of {positive}"), &shares))
        }
        _ => {
            let codes = decisions.list().iter().map(|one| one.predicted);
            Some(Distribution::of_codes("predicted class", codes, &decisions.classes))
        }
    }
}

/// Returns the metrics of classes by their short names.
#[must_use]
pub fn class_estimates(summary: &Summary) -> Vec<NamedEstimate> {
    named([
        ("accuracy", summary.accuracy),
        ("balanced_accuracy", summary.balanced_accuracy),
        ("auc", summary.auc),
        ("f1", summary.f1),
        ("brier", summary.brier),
        ("log_loss", summary.log_loss),
    ])
}

/// Returns the metrics of numbers by their short names.
#[must_use]
pub fn number_estimates(summary: &NumberSummary) -> Vec<NamedEstimate> {
    named([("r2", summary.r2), ("mae", summary.mae), ("rmse", summary.rmse)])
}

fn named<const N: usize>(figures: [(&str, Option<Figure>); N]) -> Vec<NamedEstimate> {
    let named = |(key, figure): (&str, Option<Figure>)| {
        let Estimate { value, low, high } = figure?.estimate;
        // JSON has no NaN and no infinity, and a profile with one could not be read.
        let is_finite = [value, low, high].iter().all(|end| end.is_finite());
        let estimate = Estimate { value, low, high };
        is_finite.then(|| NamedEstimate { key: key.to_owned(), estimate })
    };
    figures.into_iter().filter_map(named).collect()
}
