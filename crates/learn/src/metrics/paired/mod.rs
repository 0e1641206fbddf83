//! Two models on the same examples: the difference of every metric, with its interval and a paired test.
//!
//! - **Accuracy**: `McNemar`'s exact test, and Newcombe's interval for the difference of paired proportions
//!   (1998, method 10).
//! - **AUC**: the test and the interval of `DeLong`, `DeLong` and Clarke-Pearson (1988). With several
//!   classes, the variance is that of the mean over classes.
//! - **Balanced accuracy and F1**: normal intervals, from the influence of each example on the metric.
//! - **Log loss, Brier score, costs and errors of numbers**: Student's test of the differences by example.

mod influence;
mod numbers;
mod proportions;

use super::estimate::{student, student_tails};
use super::{Backing, Decisions, Estimate, Figure, Summary};
use crate::statistics::{mcnemar, normal_tails};
use serde::Serialize;

/// A metric of two models.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairedFigure {
    /// The short name, such as `log_loss`.
    pub key: &'static str,
    /// The name in text.
    pub name: &'static str,
    /// The metric of the first model.
    pub a: Estimate,
    /// The metric of the second model.
    pub b: Estimate,
    /// The second minus the first, with a paired interval.
    pub difference: Estimate,
    /// The p-value of the paired test; 1 if the models do not differ.
    pub p: f64,
    /// Whether a higher value is better.
    #[serde(skip)]
    pub higher_is_better: bool,
}

/// The examples by which of two models predicts them correctly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CorrectCounts {
    /// Both models are right.
    pub both: u64,
    /// Only the first model is right.
    pub only_a: u64,
    /// Only the second model is right.
    pub only_b: u64,
    /// Both models are wrong.
    pub neither: u64,
}

/// Two models compared on the same examples.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PairedSummary {
    /// The number of compared examples.
    pub evaluated: usize,
    /// The metrics that both models have.
    pub figures: Vec<PairedFigure>,
    /// Who is right, for models that predict classes.
    pub correct: Option<CorrectCounts>,
}

/// How the interval and the p-value of a difference are computed.
#[derive(Clone, Copy, PartialEq)]
enum Distribution {
    Normal,
    Student,
}

/// Returns the difference of two metrics, with the influence of each example on each of them.
fn difference(
    (a, b): (f64, f64),
    influences: (&[f64], &[f64]),
    distribution: Distribution,
) -> (Estimate, f64) {
    let value = b - a;
    let variance: f64 =
        influences.0.iter().zip(influences.1).map(|(one, other)| (other - one).powi(2)).sum();
    let error = variance.sqrt();
    let freedom = (influences.0.len() as f64 - 1.0).max(1.0);
    let quantile = match distribution {
        Distribution::Normal => super::estimate::Z,
        Distribution::Student => student(freedom),
    };
    let estimate =
        Estimate { value, low: value - quantile * error, high: value + quantile * error };
    let p = match (error > 0.0, value == 0.0, distribution) {
        (_, true, _) => 1.0,
        (false, false, _) => 0.0,
        (true, false, Distribution::Normal) => normal_tails(value / error),
        (true, false, Distribution::Student) => student_tails(value / error, freedom),
    };
    (estimate, p)
}

impl PairedSummary {
    /// Compares the decisions of two models about the same examples, in the same order and with the same
    /// classes. `None` if the examples differ or there are none.
    #[must_use]
    pub fn of_classes(a: &Decisions, b: &Decisions) -> Option<PairedSummary> {
        let same = |(one, other): (&super::Decision, &super::Decision)| one.actual == other.actual;
        let is_pair = a.classes == b.classes && a.list().len() == b.list().len();
        // Costs are comparable only if they are the same.
        if a.miss_costs != b.miss_costs {
            let [a, b] = [a, b].map(|of| of.clone().with_miss_costs(None));
            return PairedSummary::of_classes(&a, &b);
        }
        if !is_pair || a.list().is_empty() || !a.list().iter().zip(b.list()).all(same) {
            return None;
        }
        let counts = correct_counts(a, b);
        let summaries = (a.summary(), b.summary());
        let mut figures: Vec<PairedFigure> = Vec::new();
        figures.extend(accuracy(&summaries, &counts));
        let mut add = |key, name, of: fn(&Summary) -> Option<Figure>, rest: Rest| {
            let (higher_is_better, influence, distribution) = rest;
            let (Some(one), Some(other)) = (of(&summaries.0), of(&summaries.1)) else { return };
            let (Some(first), Some(second)) = (influence(a), influence(b)) else { return };
            let (one, other) = (one.estimate, other.estimate);
            let (difference, p) =
                difference((one.value, other.value), (&first, &second), distribution);
            figures.push(PairedFigure {
                key,
                name,
                a: one,
                b: other,
                difference,
                p,
                higher_is_better,
            });
        };
        let (normal, means) = (Distribution::Normal, Distribution::Student);
        add(
            "balanced_accuracy",
            "balanced accuracy",
            |of| of.balanced_accuracy,
            (true, influence::balanced_accuracy, normal),
        );
        add("auc", "AUC", |of| of.auc, (true, influence::auc, normal));
        add("f1", "F1", |of| of.f1, (true, influence::f1, normal));
        add("brier", "Brier score", |of| of.brier, (false, influence::brier, means));
        add("log_loss", "log loss", |of| of.log_loss, (false, influence::log_loss, means));
        add("cost", "cost per example", |of| of.cost, (false, influence::cost, means));
        Some(PairedSummary { evaluated: a.list().len(), figures, correct: Some(counts) })
    }

    /// Returns a figure by its key.
    #[must_use]
    pub fn figure(&self, key: &str) -> Option<&PairedFigure> {
        self.figures.iter().find(|figure| figure.key == key)
    }
}

/// Whether higher is better, the influence of each example, and the distribution of the difference.
type Rest = (bool, fn(&Decisions) -> Option<Vec<f64>>, Distribution);

fn correct_counts(a: &Decisions, b: &Decisions) -> CorrectCounts {
    let mut counts = CorrectCounts::default();
    for (one, other) in a.list().iter().zip(b.list()) {
        let place = match (one.predicted == one.actual, other.predicted == other.actual) {
            (true, true) => &mut counts.both,
            (true, false) => &mut counts.only_a,
            (false, true) => &mut counts.only_b,
            (false, false) => &mut counts.neither,
        };
        *place += 1;
    }
    counts
}

fn accuracy(summaries: &(Summary, Summary), counts: &CorrectCounts) -> Option<PairedFigure> {
    Some(PairedFigure {
        key: "accuracy",
        name: "accuracy",
        a: summaries.0.accuracy?.estimate,
        b: summaries.1.accuracy?.estimate,
        difference: proportions::paired_difference(counts),
        p: mcnemar(counts.only_a, counts.only_b),
        higher_is_better: true,
    })
}

/// Returns the probabilities behind a decision.
fn shares(decisions: &Decisions, place: usize) -> Option<&[f64]> {
    match decisions.backing(place) {
        Backing::Probabilities(shares) => Some(shares),
        Backing::Scores(_) | Backing::Nothing => None,
    }
}

#[cfg(test)]
mod tests;
