//! The decisions of two models in the same classes.

use crate::learn::learner::Predictions;
use crate::learn::metrics::{
    Backing, Decision, Decisions, Middle, NumberDecision, NumberDecisions,
};
use crate::learn::profile::Bins;
use crate::registry::AnyModel;

/// Returns the classes of the first model, and those that only the second has.
pub(super) fn common_classes(first: &[String], second: &[String]) -> Vec<String> {
    let others = second.iter().filter(|class| !first.contains(class));
    first.iter().chain(others).cloned().collect()
}

/// Returns the decisions about all examples whose class is one of these. A class that the model does not know
/// has probability 0.
pub(super) fn in_classes(
    predictions: &Predictions,
    model: &dyn AnyModel,
    classes: &[String],
) -> Decisions {
    let own = &model.schema().classes;
    // For each class its place in the model.
    let places: Vec<Option<usize>> =
        classes.iter().map(|class| own.iter().position(|known| known == class)).collect();
    let is_same = own.len() == classes.len();
    let code = |name: &str| {
        let place = classes.iter().position(|class| class == name);
        place.and_then(|place| u32::try_from(place).ok())
    };
    let mut decisions = Decisions::new(classes.to_vec());
    // Costs are given by class of the model; other classes cost 1.
    decisions.miss_costs = predictions.miss_costs().map(|costs| {
        let cost = |place: &Option<usize>| place.map_or(1.0, |place| costs[place]);
        places.iter().map(cost).collect()
    });
    for (unit, example) in (0..).zip(0..predictions.len()) {
        let Some(actual) = predictions.actual(example) else { continue };
        let (Some(actual), Some(predicted)) = (code(&actual), code(&predictions.class(example)))
        else {
            decisions.unknown_class += 1;
            continue;
        };
        let spread = |numbers: &[f64]| -> Vec<f64> {
            places.iter().map(|place| place.map_or(0.0, |place| numbers[place])).collect()
        };
        let scores = || predictions.applied().scores().and_then(|scores| scores.of(example));
        let decision = Decision { unit, model: 0, actual, predicted };
        match (predictions.probabilities(example), scores().filter(|_| is_same)) {
            (Some(shares), _) => decisions.push(decision, Backing::Probabilities(&spread(shares))),
            (None, Some(scores)) => decisions.push(decision, Backing::Scores(&spread(scores))),
            (None, None) => decisions.push(decision, Backing::Nothing),
        }
    }
    decisions
}

/// Returns the predicted numbers of all examples with a known number.
pub(super) fn numbers(predictions: &Predictions, baseline: Middle) -> NumberDecisions {
    let mut decisions = NumberDecisions::default();
    let applied = predictions.applied();
    let predicted = applied.predicted().numbers().unwrap_or_default();
    for ((unit, example), &predicted) in (0..).zip(0..).zip(predicted) {
        if let Some(actual) = applied.actual().number(example) {
            decisions.push(NumberDecision { unit, actual, predicted, baseline });
        }
    }
    decisions
}

/// Returns whether the training data of a model has as many examples of each class.
pub(super) fn looks_like_training(model: &dyn AnyModel, decisions: &Decisions) -> bool {
    let Some(target) = model.training().and_then(|training| training.target.as_ref()) else {
        return false;
    };
    let Bins::Categories { names, counts, .. } = &target.bins else { return false };
    let count = |class: usize| {
        let all = decisions.list().iter().filter(|one| one.actual as usize == class);
        all.count() as u64
    };
    decisions.classes.iter().enumerate().all(|(class, name)| {
        let place = names.iter().position(|known| known == name);
        place.map_or(0, |place| counts[place]) == count(class)
    })
}
