//! Models of several sizes from one population, and the selection of one of them.

use crate::encode::weights;
use crate::error::XcsError;
use crate::importance::importance;
use crate::learner::Xcs;
use crate::model::{Classifiers, XcsModel};
use crate::params::Params;
use pellucid_data::Dataset;
use pellucid_device::Machine;
use pellucid_learn::digits::rounded;
use pellucid_learn::learner::{FitResultOf, FoldSizes};
use pellucid_learn::sizes::{SizeChoice, SizeScores};
use pellucid_ruleset::model::Rule;
use pellucid_ruleset::number::NumberSize;
use pellucid_ruleset::path::RulePath;
use serde_json::{Value, json};

/// How the inner folds select a size.
pub(crate) const FOLD_SIZES: FoldSizes<Xcs> = FoldSizes {
    sizes: |model| {
        let path = model.body.set.path.iter().flat_map(|path| &path.models);
        path.map(|sized| sized.votes.len()).collect()
    },
    resize: with_rules,
    choice: |params| SizeChoice { size: params.size, rules: params.rules },
    weights: |data, params| weights(data, &params.class_weights),
    select: select_scored,
};

/// Returns the index of the model on a path that the parameters select without folds.
pub(crate) fn index_of(path: &RulePath, params: &Params) -> usize {
    path.index_of_size(params.rules.unwrap_or(usize::MAX))
}

/// Selects the model at an index of the path: its rules, their figures and the importance of the columns.
pub(crate) fn select(body: &mut Classifiers, index: usize) {
    let Some(mut path) = body.set.path.take() else { return };
    path.selected = index;
    let (mut set, places) = path.model_and_places(index, &body.set.examples);
    for (rule, &place) in set.rules.iter_mut().zip(&places) {
        put_first(rule, path.rules[place].class);
    }
    set.path = Some(path);
    set.number = body.set.number.take();
    body.figures = places.iter().map(|&place| body.path_figures[place]).collect();
    body.importance = importance(&set);
    body.groups.clear();
    body.set = set;
}

/// Moves the points for a class to the front, if the rule has any: its figures are those for this class.
fn put_first(rule: &mut Rule, class: u32) {
    if let Some(own) = rule.others.iter_mut().find(|own| own.class == class) {
        std::mem::swap(&mut rule.class, &mut own.class);
        std::mem::swap(&mut rule.votes, &mut own.votes);
    }
}

/// Returns the model with at most this many rules.
pub(crate) fn with_rules(model: &XcsModel, rules: usize) -> Option<XcsModel> {
    let path = model.body.set.path.as_ref()?;
    let index = path.index_of_size(rules);
    let mut sized = model.clone();
    if index != path.selected {
        sized.calibration.clone_from(&path.models.get(index)?.calibration);
        // They are about the model of another size.
        sized.body.accuracy_by_number.clear();
        select(&mut sized.body, index);
    }
    Some(sized)
}

/// Selects a size by its held-out scores, which are stored with those of all sizes.
fn select_scored(
    learned: &mut FitResultOf<Xcs>,
    index: usize,
    scores: Vec<SizeScores>,
    data: &Dataset,
    machine: &Machine,
) -> Result<(), XcsError> {
    let body = &mut learned.model.body;
    if let Some(path) = &mut body.set.path {
        let mut numbers = Vec::new();
        for (sized, scores) in path.models.iter_mut().zip(scores) {
            match scores {
                SizeScores::Classes { accuracy, error, auc, calibration } => {
                    sized.accuracy = Some(rounded(accuracy, DIGITS));
                    sized.standard_error = Some(rounded(error, DIGITS));
                    sized.auc = auc.map(|auc| rounded(auc, DIGITS));
                    sized.calibration = calibration;
                }
                SizeScores::Number { r2, mae, error } => numbers.push(NumberSize {
                    r2: rounded(r2, DIGITS),
                    mae: rounded(mae, DIGITS),
                    standard_error: Some(rounded(error, DIGITS)),
                }),
            }
        }
        if let Some(number) = &mut body.set.number {
            number.sizes = numbers;
        }
    }
    body.accuracy_by_number.clear();
    select(body, index);
    let classes = data.example_codes();
    learned.train = crate::learner::complete(&mut learned.model, data, &classes, machine)?;
    Ok(())
}

/// The significant digits of held-out scores; more would be noise.
const DIGITS: usize = 4;

/// Returns the front of accuracy (or R²) and size as JSON: the sizes with a higher held-out value than every
/// smaller one; `None` without held-out scores.
pub(crate) fn front(model: &XcsModel) -> Option<Value> {
    let path = model.body.set.path.as_ref()?;
    let mut best = f64::NEG_INFINITY;
    let mut front = Vec::new();
    for (index, sized) in path.models.iter().enumerate() {
        let (rules, is_selected) = (sized.rules(false), index == path.selected);
        let (quality, entry) = match &model.body.set.number {
            Some(number) => {
                let NumberSize { r2, mae, standard_error } = *number.sizes.get(index)?;
                let entry = json!({
                    "rules": rules,
                    "r2": r2,
                    "mae": mae,
                    "standard_error": standard_error,
                    "selected": is_selected,
                });
                (r2, entry)
            }
            None => {
                let accuracy = sized.accuracy?;
                let entry = json!({
                    "rules": rules,
                    "accuracy": accuracy,
                    "standard_error": sized.standard_error,
                    "auc": sized.auc,
                    "selected": is_selected,
                });
                (accuracy, entry)
            }
        };
        if quality > best || is_selected {
            front.push(entry);
        }
        best = best.max(quality);
    }
    Some(Value::Array(front))
}
