//! What came of a cross-validation.

use crate::metrics::{Decisions, NumberDecisions, NumberSummary, Summary};
use crate::run::Figures;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

/// What one fold brought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoldScore {
    /// The repeat, from 0.
    pub repeat: usize,
    /// The fold, from 0.
    pub fold: usize,
    /// The metrics on the test part, by name.
    pub values: Figures,
    /// What the trivial baseline gets there, see [`Split::baseline`](super::Split::baseline); of a number the root mean squared
    /// error of who says the mean of the training part.
    pub baseline: f64,
    /// How long learning and judging took.
    pub seconds: f64,
}

/// Mean and spread of one metric over the folds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The sample standard deviation; unknown for a single fold. Folds share training data, so it
    /// understates how much the mean itself is uncertain.
    pub std: Option<f64>,
    /// The value of each fold that has one.
    pub folds: Vec<f64>,
}

impl Spread {
    /// The spread of some values, none of no values.
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

/// The scores of all folds. In JSON an object with one [`Spread`] per metric, the `summary` of all decisions together,
/// `baseline` and `seconds`.
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
    /// What was decided about the examples of all folds together, so that a fold that lacks a class counts too.
    pub decisions: Decisions,
    /// The same where a number is predicted.
    pub numbers: NumberDecisions,
    /// How long all of it took on the clock; folds that run side by side take less than their sum.
    pub seconds: f64,
}

impl CrossValidation {
    /// No folds yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// No folds yet, and these classes by code.
    #[must_use]
    pub fn of_classes(classes: Vec<String>) -> Self {
        Self { decisions: Decisions::new(classes), ..Self::default() }
    }

    /// The figures of all folds together; nothing where no example was judged.
    #[must_use]
    pub fn summary(&self) -> Option<Summary> {
        (!self.decisions.list().is_empty()).then(|| self.decisions.summary())
    }

    /// The figures of all folds together where a number is predicted; nothing where classes are.
    #[must_use]
    pub fn number_summary(&self) -> Option<NumberSummary> {
        (!self.numbers.list().is_empty()).then(|| self.numbers.summary())
    }

    /// Adds a fold. Folds may come in any order, as they are finished; they are kept by repeat and
    /// fold.
    pub fn push(&mut self, score: FoldScore) {
        let place = (score.repeat, score.fold);
        let at = self.scores.partition_point(|other| (other.repeat, other.fold) <= place);
        self.scores.insert(at, score);
    }

    /// The scores by repeat and fold.
    #[must_use]
    pub fn scores(&self) -> &[FoldScore] {
        &self.scores
    }

    /// Mean and spread of a metric over the folds that have it. A fold where it is NaN does not.
    #[must_use]
    pub fn metric(&self, name: &str) -> Option<Spread> {
        let values = self.scores.iter().filter_map(|score| score.values.get(name));
        Spread::of(values.filter(|value| !value.is_nan()).collect())
    }

    /// The names of all metrics, in the order in which folds bring them.
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

    /// The mean of the trivial baseline over the folds, to print beside the accuracy.
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
    fn the_order_in_which_folds_end_does_not_matter() {
        let (mut one, mut two) = (CrossValidation::new(), CrossValidation::new());
        let scores = [score(0, 0, 0.1), score(0, 1, 0.2), score(1, 0, 0.7)];
        scores.iter().for_each(|score| one.push(score.clone()));
        scores.iter().rev().for_each(|score| two.push(score.clone()));
        assert_eq!(one, two);
    }

    #[test]
    fn a_metric_that_some_folds_lack_is_averaged_over_the_others() {
        let mut cv = CrossValidation::new();
        cv.push(score(0, 0, f64::NAN));
        cv.push(score(0, 1, 3.0));
        assert_eq!(cv.metric("lift"), Some(Spread { mean: 3.0, std: None, folds: vec![3.0] }));
        assert_eq!(cv.metric("auc"), None);
        assert_eq!(CrossValidation::new().baseline(), None);
    }
}
