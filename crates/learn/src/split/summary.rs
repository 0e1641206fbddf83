//! The result of a cross-validation.

use crate::metrics::{Decisions, NumberDecisions, NumberSummary, Summary};
use crate::run::Figures;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

/// The result of one fold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoldScore {
    /// The repeat, from 0.
    pub repeat: usize,
    /// The fold, from 0.
    pub fold: usize,
    /// The metrics on the test fold, by name.
    pub values: Figures,
    /// The baseline on the test fold, see [`Split::baseline`](super::Split::baseline). If a number is
    /// predicted, the root mean squared error of always predicting the mean of the training fold.
    pub baseline: f64,
    /// The duration of training and evaluation.
    pub seconds: f64,
}

/// The mean and standard deviation of a metric over the folds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The sample standard deviation; `None` for a single fold. Folds share training data, so it
    /// understates the uncertainty of the mean.
    pub std: Option<f64>,
    /// The value of each fold that has one.
    pub folds: Vec<f64>,
}

impl Spread {
    /// Returns the spread of some values; `None` for no values.
    #[must_use]
    pub fn of(folds: Vec<f64>) -> Option<Self> {
        if folds.is_empty() {
            return None;
        }
        let n = folds.len() as f64;
        let mean = folds.iter().sum::<f64>() / n;
        let squares: f64 = folds.iter().map(|value| (value - mean) * (value - mean)).sum();
        let std = (folds.len() > 1).then(|| (squares / (n - 1.0)).sqrt());
        Some(Self { mean, std, folds })
    }
}

/// The results of all folds. In JSON, an object with one [`Spread`] per metric, the `summary` of all
/// held-out predictions, `baseline` and `seconds`.
///
/// ```
/// use pellucid_learn::run::Figures;
/// use pellucid_learn::split::{CrossValidation, FoldScore};
///
/// let mut cv = CrossValidation::new();
/// for (fold, accuracy) in [0.75, 0.25].into_iter().enumerate() {
///     let values = Figures::new().with("accuracy", accuracy);
///     cv.push(FoldScore { repeat: 0, fold, values, baseline: 0.5, seconds: 1.0 });
/// }
/// cv.seconds = 2.0;
/// assert_eq!(cv.metric("accuracy").map(|spread| spread.mean), Some(0.5));
/// let json = serde_json::to_string(&cv)?;
/// assert!(json.starts_with(r#"{"accuracy":{"mean":0.5,"std":0.35355"#));
/// assert!(json.ends_with(r#""folds":[0.75,0.25]},"baseline":0.5,"seconds":2.0}"#));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrossValidation {
    scores: Vec<FoldScore>,
    /// The decisions about the examples of all folds together, so that folds without a class count.
    pub decisions: Decisions,
    /// The predictions of all folds, if a number is predicted.
    pub numbers: NumberDecisions,
    /// The wall-clock time; parallel folds take less than their sum.
    pub seconds: f64,
}

impl CrossValidation {
    /// Returns an empty result.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns an empty result for these classes.
    #[must_use]
    pub fn of_classes(classes: Vec<String>) -> Self {
        Self { decisions: Decisions::new(classes), ..Self::default() }
    }

    /// Returns the metrics of all folds together; `None` if there are no decisions.
    #[must_use]
    pub fn summary(&self) -> Option<Summary> {
        (!self.decisions.list().is_empty()).then(|| self.decisions.summary())
    }

    /// Returns the metrics of all folds together if a number is predicted, otherwise `None`.
    #[must_use]
    pub fn number_summary(&self) -> Option<NumberSummary> {
        (!self.numbers.list().is_empty()).then(|| self.numbers.summary())
    }

    /// Adds a fold. Folds may be added in any order; they are kept by repeat and fold.
    pub fn push(&mut self, score: FoldScore) {
        let place = (score.repeat, score.fold);
        let at = self.scores.partition_point(|other| (other.repeat, other.fold) <= place);
        self.scores.insert(at, score);
    }

    /// Returns the results by repeat and fold.
    #[must_use]
    pub fn scores(&self) -> &[FoldScore] {
        &self.scores
    }

    /// Returns the spread of a metric over the folds where it is not missing or NaN.
    #[must_use]
    pub fn metric(&self, name: &str) -> Option<Spread> {
        let values = self.scores.iter().filter_map(|score| score.values.get(name));
        Spread::of(values.filter(|value| !value.is_nan()).collect())
    }

    /// Returns the names of all metrics, in order of first occurrence.
    #[must_use]
    pub fn metrics(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for (name, _) in self.scores.iter().flat_map(|score| score.values.iter()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Returns the mean baseline over the folds.
    #[must_use]
    pub fn baseline(&self) -> Option<f64> {
        Spread::of(self.scores.iter().map(|score| score.baseline).collect()).map(|all| all.mean)
    }
}

impl Serialize for CrossValidation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for name in self.metrics() {
            map.serialize_entry(name, &self.metric(name))?;
        }
        if let Some(summary) = self.summary() {
            map.serialize_entry("summary", &summary)?;
        }
        if let Some(summary) = self.number_summary() {
            map.serialize_entry("summary", &summary)?;
        }
        map.serialize_entry("baseline", &self.baseline())?;
        map.serialize_entry("seconds", &self.seconds)?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(repeat: usize, fold: usize, lift: f64) -> FoldScore {
        let values = Figures::new().with("lift", lift);
        FoldScore { repeat, fold, values, baseline: 0.5, seconds: 0.1 }
    }

    #[test]
    fn the_order_of_folds_does_not_matter() {
        let (mut one, mut two) = (CrossValidation::new(), CrossValidation::new());
        let scores = [score(0, 0, 0.1), score(0, 1, 0.2), score(1, 0, 0.7)];
        scores.iter().for_each(|score| one.push(score.clone()));
        scores.iter().rev().for_each(|score| two.push(score.clone()));
        assert_eq!(one, two);
    }

    #[test]
    fn folds_without_a_metric_are_skipped() {
        let mut cv = CrossValidation::new();
        cv.push(score(0, 0, f64::NAN));
        cv.push(score(0, 1, 3.0));
        assert_eq!(cv.metric("lift"), Some(Spread { mean: 3.0, std: None, folds: vec![3.0] }));
        assert_eq!(cv.metric("auc"), None);
        assert_eq!(CrossValidation::new().baseline(), None);
    }
}
