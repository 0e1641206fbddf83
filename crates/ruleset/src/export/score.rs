//! How the points of rules add up to a score, and what the score predicts.
//!
//! A model file has points for each class. With two classes only their difference matters, so
//! people see one score: the points of the second (positive) class minus those of the first
//! (negative) class.

use super::header::word;
use super::number::amount;
use super::sets::has_all_but;
use super::text::class_name;
use crate::model::{ClassPoints, Rule, RuleModel, RuleSet, winner};
use pellucid_data::visible_line;
use pellucid_learn::digits::{two_decimals, whole_percent};

/// Returns whether a model is shown with one score instead of a score for each class.
pub(super) fn has_one_score(set: &RuleSet) -> bool {
    set.base.len() == 2 && !set.ordered
}

/// Returns the class of examples that no rule covers, if each rule alone decides for one and the same class.
pub fn fallback_class(set: &RuleSet) -> Option<u32> {
    let class = set.rules.first()?.class;
    let decides = |rule: &Rule| {
        let mut scores = set.base.clone();
        if rule.class as usize >= scores.len() || !rule.others.is_empty() {
            return false;
        }
        rule.add_to(&mut scores);
        rule.class == class && rule.votes > 0.0 && winner(&scores) == class
    };
    let fallback = winner(&set.base);
    (!set.ordered && set.rules.iter().all(decides) && fallback != class).then_some(fallback)
}

/// Returns the points of a rule as they change the one score of two classes.
pub(crate) fn signed_points(rule: &Rule) -> f64 {
    if rule.class == 1 { rule.votes } else { -rule.votes }
}

/// Returns the consequence of a rule: a class, a change of a score, or, without classes, a number
/// or an amount.
pub(crate) fn consequence(set: &RuleSet, rule: &Rule, classes: Option<&[String]>) -> String {
    let Some(classes) = classes else {
        return if set.ordered { rule.votes.to_string() } else { amount(rule.votes) };
    };
    let name = |class: usize| {
        let unnamed = || format!("class {class}");
        classes.get(class).map_or_else(unnamed, |name| visible_line(name).into_owned())
    };
    let own = name(rule.class as usize);
    if set.ordered || fallback_class(set).is_some() {
        return own;
    }
    if has_one_score(set) {
        let points = signed_points(rule);
        let verb = if points < 0.0 { "subtract" } else { "add" };
        let favored = name(usize::from(points >= 0.0));
        return format!("{verb} {} (favors '{favored}')", two_decimals(points.abs()));
    }
    if !rule.others.is_empty() {
        return several_classes(rule, name);
    }
    match rule.votes < 0.0 {
        true => format!("lower '{own}' by {}", two_decimals(-rule.votes)),
        false => format!("add {} to '{own}'", two_decimals(rule.votes)),
    }
}

/// Returns the consequence of a rule with points for several classes: those that it raises, then
/// those that it lowers.
fn several_classes(rule: &Rule, name: impl Fn(usize) -> String) -> String {
    let part = |verb: &str, is_part: &dyn Fn(f64) -> bool| {
        let own = rule.points().filter(|points| is_part(points.votes));
        let entry = |points: ClassPoints| {
            format!("'{}' by {}", name(points.class as usize), two_decimals(points.votes.abs()))
        };
        let entries: Vec<String> = own.map(entry).collect();
        (!entries.is_empty()).then(|| format!("{verb} {}", entries.join(", ")))
    };
    let raised = part("raise", &|votes| votes >= 0.0);
    let lowered = part("lower", &|votes| votes < 0.0);
    raised.into_iter().chain(lowered).collect::<Vec<_>>().join("; ")
}

/// Returns how the rules of a voting model lead to a predicted class: two paragraphs.
pub fn scoring<P>(model: &RuleModel<P>) -> [String; 2] {
    if has_one_score(&model.body) { one_score(model) } else { score_by_class(model) }
}

fn one_score<P>(model: &RuleModel<P>) -> [String; 2] {
    let (negative, positive) = (class_name(model, 0), class_name(model, 1));
    let start = two_decimals(model.body.base[1] - model.body.base[0]);
    let probability = match starting_probabilities(model).get(1) {
        Some(share) => format!(
            " A score of {start} means a probability of {} for '{positive}'.",
            whole_percent(*share)
        ),
        None => String::new(),
    };
    [
        format!("Score = {start} + the points of every rule that applies."),
        format!("Positive: '{positive}'. Negative or zero: '{negative}'.{probability}"),
    ]
}

fn score_by_class<P>(model: &RuleModel<P>) -> [String; 2] {
    let start = |(class, score): (u32, &f64)| {
        format!("{} {}", word(&class_name(model, class)), two_decimals(*score))
    };
    let starts: Vec<String> = (0u32..).zip(&model.body.base).map(start).collect();
    let shares: Vec<String> =
        starting_probabilities(model).into_iter().map(whole_percent).collect();
    let shares = match shares.is_empty() {
        true => String::new(),
        false => format!(" (probabilities: {})", shares.join(", ")),
    };
    [
        format!("Starting scores: {}{shares}.", starts.join(", ")),
        "Every rule that applies adds its points. The class with the highest score is \
         predicted; in a tie, the first one."
            .to_owned(),
    ]
}

/// Returns the probability of each class if no rule applies; empty without a calibration.
fn starting_probabilities<P>(model: &RuleModel<P>) -> Vec<f64> {
    let calibration =
        model.calibration.as_ref().filter(|curve| curve.is_sound(model.body.base.len()));
    calibration.map_or_else(Vec::new, |curve| curve.probabilities(&model.body.base))
}

/// Returns what `all but` means, if a rule has such a set.
pub fn set_note<P>(model: &RuleModel<P>) -> Option<&'static str> {
    let columns = &model.schema.columns;
    let has_one = model.body.rules.iter().any(|rule| has_all_but(&rule.when, columns));
    has_one.then_some(
        "In a set such as {all but a, b}, 'all' means the categories in the training data.",
    )
}
