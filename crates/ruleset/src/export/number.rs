//! A model that predicts a number, on a page.

use super::prose::visible;
use super::sizes;
use super::text::{dated_when, header};
use super::wrap::paragraph;
use crate::model::{Rule, RuleModel};
use pellucid_learn::metrics::significant;

/// Digits of a number that was calculated: more would be noise.
const DIGITS: usize = 4;

/// What a rule does to the number.
pub(super) fn added(amount: f64) -> String {
    if amount < 0.0 { format!("subtract {}", -amount) } else { format!("add {amount}") }
}

/// How the rules come to a number.
pub(super) const ADDING: &str =
    "Every rule that holds adds its amount to what there is to begin with.";

/// What the number is before any rule speaks.
pub(super) fn begin<P>(model: &RuleModel<P>) -> String {
    let target = visible(model.schema.target.as_deref().unwrap_or("the number"));
    let base = model.model.base.first().copied().unwrap_or_default();
    match model.model.rules.is_empty() {
        true => format!("There are no rules: {target} is always {base}."),
        false => format!("{target} is {base} to begin with."),
    }
}

/// The model as a person reads it.
pub(super) fn text<P>(model: &RuleModel<P>) -> String {
    let mut out = paragraph("", 2, &header(model)) + "\n";
    if model.model.rules.is_empty() {
        out += &paragraph("", 0, &begin(model));
        return out + &sizes::text(model);
    }
    out += &paragraph("", 2, &begin(model));
    for (index, rule) in model.model.rules.iter().enumerate() {
        let number = format!("{}. ", index + 1);
        let hang = number.len();
        out += &paragraph(&format!("\n{number}IF "), hang + 3, &dated_when(model, rule));
        out += &paragraph(&format!("{:hang$}THEN ", ""), hang + 5, &added(rule.votes));
        out += &holds_for(model, rule, hang + 5);
    }
    out += &paragraph("\n", 0, ADDING);
    out + &sizes::text(model)
}

/// For how many training examples a rule holds, and what they are on average, on a line of its own.
pub(super) fn holds_for<P>(model: &RuleModel<P>, rule: &Rule, indent: usize) -> String {
    match covers(model, rule) {
        Some(line) => paragraph(&" ".repeat(indent), indent + 2, &line),
        None => String::new(),
    }
}

/// For how many training examples a rule holds, and what they are on average, where that is known.
pub(super) fn covers<P>(model: &RuleModel<P>, rule: &Rule) -> Option<String> {
    let (covered, all) = (rule.covered.first()?, model.model.examples.first()?);
    let mean = model.model.mean_where(rule);
    let mean = mean.map(|mean| format!("; their mean is {}", significant(mean, DIGITS)));
    Some(format!("holds for {covered} of {all} examples{}", mean.unwrap_or_default()))
}
