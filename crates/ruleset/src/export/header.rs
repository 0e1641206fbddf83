//! The first sentences of a model: what it predicts, from how many columns, and what it was trained on.

use crate::model::RuleModel;
use pellucid_data::visible_line;
use pellucid_learn::digits::significant;
use pellucid_learn::model::NumberTargetSummary;

/// With more classes than this, the header counts the classes before it lists them.
const MOST_LISTED: usize = 8;

/// Returns what the model predicts, as in "Predicts species (cat or dog) from 4 columns. 20 rows: 8
/// cat, 12 dog."
pub fn header<P>(model: &RuleModel<P>) -> String {
    let schema = &model.schema;
    let target = schema.target.as_deref().unwrap_or("class");
    let each = match &schema.bag {
        Some(bag) => format!(" for each bag (column '{bag}')"),
        None => String::new(),
    };
    let columns = match schema.columns.len() {
        0 => String::new(),
        1 => " from 1 column".to_owned(),
        number => format!(" from {number} columns"),
    };
    let (outcome, training) = match &schema.number {
        Some(seen) => ("a number".to_owned(), number_training(model, seen, target)),
        None => (outcome(&schema.classes), class_training(model)),
    };
    visible_line(&format!("Predicts {target} ({outcome}){each}{columns}.{training}")).into_owned()
}

/// Returns the singular or plural name of what the model predicts for.
pub(super) fn examples_name<P>(model: &RuleModel<P>, number: u64) -> &'static str {
    match (model.schema.bag.is_some(), number) {
        (true, 1) => "bag",
        (true, _) => "bags",
        (false, 1) => "row",
        (false, _) => "rows",
    }
}

/// Returns the classes as alternatives, as in "a, b or c".
fn outcome(classes: &[String]) -> String {
    let names: Vec<String> = classes.iter().map(|class| word(class)).collect();
    match &names[..] {
        names if names.len() > MOST_LISTED => format!("one of {} classes", names.len()),
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        names => names.concat(),
    }
}

/// Returns the number of training examples of each class, as in " 20 rows: 8 cat, 12 dog."
fn class_training<P>(model: &RuleModel<P>) -> String {
    let (classes, counts) = (&model.schema.classes, &model.body.examples);
    let all: u64 = counts.iter().sum();
    if all == 0 {
        let names: Vec<String> = classes.iter().map(|class| word(class)).collect();
        let are_listed = classes.len() <= MOST_LISTED;
        return if are_listed { String::new() } else { format!(" Classes: {}.", names.join(", ")) };
    }
    let counts: Vec<String> = counts
        .iter()
        .zip(classes)
        .map(|(count, class)| format!("{count} {}", word(class)))
        .collect();
    format!(" {all} {}: {}.", examples_name(model, all), counts.join(", "))
}

/// Returns the range of the training values, as in " 300 rows with rent from 303 to 1004."
fn number_training<P>(model: &RuleModel<P>, seen: &NumberTargetSummary, target: &str) -> String {
    let (low, high) = (significant(seen.low, 6), significant(seen.high, 6));
    match model.body.examples.iter().sum::<u64>() {
        0 => format!(" Training values of {target}: {low} to {high}."),
        all => format!(" {all} {} with {target} from {low} to {high}.", examples_name(model, all)),
    }
}

/// Returns a class name as it stands in a sentence: in quotes unless it is a plain word.
pub(crate) fn word(class: &str) -> String {
    let is_inner = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
    let is_plain = class.starts_with(char::is_alphabetic) && class.chars().all(is_inner);
    if is_plain { class.to_owned() } else { format!("'{class}'") }
}
