//! The quality of a model in the JSON of a page: figures with intervals, and counts by probability, from
//! which the page draws every curve.

use pellucid_learn::metrics::{
    Decisions, Estimate, Figure, NumberDecisions, NumberSummary, Summary,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// With more classes than this, there is no confusion matrix.
const MOST_CLASSES: usize = 30;
/// With more classes than this, there are no curves of single classes.
const MOST_CURVES: usize = 12;
/// Probabilities are grouped in steps of this size.
const STEP: f64 = 1e-4;
/// The most points of a scatter plot.
const MOST_POINTS: usize = 2000;
/// The same for other sizes of the model than the selected one.
const COARSE_STEP: f64 = 1e-2;
const MOST_COARSE_POINTS: usize = 300;

/// The predictions that an evaluation is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvaluationSource {
    /// Predictions for the training data by models that were fitted without it.
    OutOfFold {
        /// The number of folds.
        folds: usize,
        /// The number of repetitions.
        repeats: usize,
    },
    /// Predictions for a data set.
    Data {
        /// The name of the data.
        name: String,
        /// Whether the data has as many examples of each class as the training data.
        looks_like_training: bool,
    },
}

impl EvaluationSource {
    /// Returns the name of the data in a sentence.
    fn data(&self) -> &str {
        match self {
            EvaluationSource::OutOfFold { .. } => "held-out data",
            EvaluationSource::Data { name, .. } => name,
        }
    }

    fn encode(&self) -> Value {
        match self {
            EvaluationSource::OutOfFold { folds, repeats } => {
                json!({ "kind": "folds", "folds": folds, "repeats": repeats })
            }
            EvaluationSource::Data { name, looks_like_training } => {
                json!({ "kind": "data", "name": name, "training": looks_like_training })
            }
        }
    }
}

/// Returns the evaluation of predicted classes. `decisions` has each example once.
pub(super) fn classes(
    source: &EvaluationSource,
    summary: &Summary,
    decisions: &Decisions,
) -> Value {
    let figures = [
        ("accuracy", "accuracy", &summary.accuracy),
        ("balanced", "balanced accuracy", &summary.balanced_accuracy),
        ("auc", "AUC", &summary.auc),
        ("f1", "F1", &summary.f1),
        ("brier", "Brier score", &summary.brier),
        ("log_loss", "log loss", &summary.log_loss),
        ("lift", "lift in the top 20 %", &summary.lift_at_20),
        ("cost", "cost per example", &summary.cost),
    ];
    let by_class: Vec<Value> = summary
        .classes
        .iter()
        .map(|class| {
            json!({
                "examples": class.examples,
                "predicted": class.predicted,
                "precision": class.precision.as_ref().map(interval),
                "recall": class.recall.as_ref().map(interval),
            })
        })
        .collect();
    let costs = decisions.miss_costs.as_deref();
    let few = summary.classes.len() <= MOST_CLASSES;
    let confusion = summary.confusion.as_ref().filter(|_| few).map(|matrix| {
        let row = |actual: usize| -> Vec<u64> {
            (0..matrix.classes()).map(|predicted| matrix.count(actual, predicted)).collect()
        };
        (0..matrix.classes()).map(row).collect::<Vec<_>>()
    });
    json!({
        "source": source.encode(),
        "evaluated": summary.evaluated,
        "units": summary.units,
        "unknown": summary.unknown_class,
        "figures": figures.iter().filter_map(|(key, name, figure)| encode(key, name, figure.as_ref()))
            .collect::<Vec<_>>(),
        "classes": by_class,
        "confusion": confusion,
        "probabilities": decisions.has_probabilities(),
        "curves": curves(decisions, summary.classes.len()),
        "costs": costs,
        "cheapest": costs.and_then(|costs| summary.cheapest_class(costs)).map(|class| &class.class),
        "cost_warning": costs.and_then(|costs| summary.cost_warning(costs, source.data())),
    })
}

/// Returns the evaluation of another size than the selected one, whose curves and points are coarser.
pub(super) fn coarse(mut evaluation: Value) -> Value {
    let curves = evaluation.get_mut("curves").and_then(Value::as_array_mut);
    curves.into_iter().flatten().for_each(|curve| *curve = coarse_curve(curve));
    if let Some(points) = evaluation.get_mut("points").and_then(Value::as_array_mut) {
        let step = points.len().div_ceil(MOST_COARSE_POINTS).max(1);
        *points = points.iter().step_by(step).cloned().collect();
        if step > 1 {
            evaluation["sampled"] = json!(true);
        }
    }
    evaluation
}

/// Returns a curve with fewer probabilities or scores: equal ones are added up after rounding.
fn coarse_curve(curve: &Value) -> Value {
    let numbers = |name: &str| -> Vec<f64> {
        curve[name].as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
    };
    let counts = |name: &str| -> Vec<u64> {
        curve[name].as_array().into_iter().flatten().filter_map(Value::as_u64).collect()
    };
    let (all, own, others) = (numbers("at"), counts("own"), counts("others"));
    let (mut at, mut sums): (Vec<f64>, Vec<[u64; 2]>) = (Vec::new(), Vec::new());
    for ((number, own), others) in all.into_iter().zip(own).zip(others) {
        let rounded = (number / COARSE_STEP).round() / COARSE_STEP.recip().round();
        if at.last() != Some(&rounded) {
            at.push(rounded);
            sums.push([0, 0]);
        }
        if let Some(sum) = sums.last_mut() {
            *sum = [sum[0] + own, sum[1] + others];
        }
    }
    let of = |place: usize| sums.iter().map(|sum| sum[place]).collect::<Vec<_>>();
    json!({ "class": curve["class"], "at": at, "own": of(0), "others": of(1) })
}

/// Returns the evaluation of predicted numbers.
pub(super) fn numbers(
    source: &EvaluationSource,
    summary: &NumberSummary,
    decisions: &NumberDecisions,
) -> Value {
    let figures = [
        ("r2", "R²", &summary.r2),
        ("mae", "mean absolute error", &summary.mae),
        ("rmse", "root mean squared error", &summary.rmse),
    ];
    let list = decisions.list();
    let step = list.len().div_ceil(MOST_POINTS).max(1);
    let points: Vec<(f64, f64)> =
        list.iter().step_by(step).map(|one| (one.predicted, one.actual)).collect();
    json!({
        "source": source.encode(),
        "evaluated": summary.evaluated,
        "units": summary.units,
        "figures": figures.iter().filter_map(|(key, name, figure)| encode(key, name, figure.as_ref()))
            .collect::<Vec<_>>(),
        "points": points,
        "sampled": step > 1,
    })
}

fn interval(estimate: &Estimate) -> [f64; 3] {
    [estimate.value, estimate.low, estimate.high]
}

fn encode(key: &str, name: &str, figure: Option<&Figure>) -> Option<Value> {
    let Figure { estimate, baseline } = figure?;
    let mut object = Map::new();
    object.insert("key".to_owned(), json!(key));
    object.insert("name".to_owned(), json!(name));
    object.insert("value".to_owned(), json!(interval(estimate)));
    object.insert("baseline".to_owned(), json!(baseline));
    Some(Value::Object(object))
}

/// Returns for each class, or for the positive one of two, the examples by probability: lists of the
/// probabilities from the highest to the lowest, of the examples of the class and of the others.
pub(super) fn curves(decisions: &Decisions, classes: usize) -> Vec<Value> {
    let wanted = match classes {
        2 => 1..2,
        more if more <= MOST_CURVES => 0..more,
        _ => 0..0,
    };
    wanted.filter_map(|class| curve(decisions, class)).collect()
}

#[expect(clippy::cast_possible_truncation, reason = "scores are far below 2^63 steps")]
#[expect(clippy::cast_precision_loss, reason = "rounded for display")]
fn curve(decisions: &Decisions, class: usize) -> Option<Value> {
    let numbers = decisions.numbers_of(class)?;
    let mut groups: BTreeMap<i64, [u64; 2]> = BTreeMap::new();
    for (one, number) in decisions.list().iter().zip(numbers) {
        let counts = groups.entry((number / STEP).round() as i64).or_default();
        counts[usize::from(one.actual as usize != class)] += 1;
    }
    let all = || groups.iter().rev();
    let at: Vec<f64> = all().map(|(&step, _)| step as f64 / STEP.recip().round()).collect();
    let own: Vec<u64> = all().map(|(_, counts)| counts[0]).collect();
    let others: Vec<u64> = all().map(|(_, counts)| counts[1]).collect();
    Some(json!({ "class": class, "at": at, "own": own, "others": others }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coarse_curve_counts_every_example() {
        let (own, others) = (json!([3, 1, 2, 0]), json!([0, 1, 2, 9]));
        let at = json!([0.914, 0.911, 0.5, 0.0]);
        let curve = json!({ "class": 1, "at": at, "own": own, "others": others });
        let found = coarse(json!({ "curves": [curve] }));
        let found = &found["curves"][0];
        assert_eq!(found["at"], json!([0.91, 0.5, 0.0]));
        assert_eq!((&found["own"], &found["others"]), (&json!([4, 2, 0]), &json!([1, 2, 9])));
    }

    #[test]
    fn coarse_points_are_a_sample() {
        let points: Vec<[f64; 2]> = (0..1000).map(|at| [f64::from(at), 0.0]).collect();
        let found = coarse(json!({ "points": points, "sampled": false }));
        assert!(found["points"].as_array().is_some_and(|kept| kept.len() <= MOST_COARSE_POINTS));
        assert_eq!(found["sampled"], json!(true));
    }
}
