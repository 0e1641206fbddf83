//! A model that predicts a number, as text.

use super::coverage::{stability, stability_warning};
use super::header::{examples_name, header};
use super::score::set_note;
use super::sizes;
use super::text::rule_condition;
use crate::model::{Rule, RuleModel};
use pellucid_data::visible_line;
use pellucid_export::wrap::paragraph;
use pellucid_learn::digits::significant;

/// The significant digits of a computed mean; more would be noise.
const DIGITS: usize = 4;

/// Returns what a rule does to the number.
pub(super) fn amount(amount: f64) -> String {
    if amount < 0.0 { format!("subtract {}", -amount) } else { format!("add {amount}") }
}

/// Returns how the rules add up to the number.
pub fn number_formula<P>(model: &RuleModel<P>) -> String {
    let target = visible_line(model.schema.target.as_deref().unwrap_or("prediction"));
    let base = model.body.base.first().copied().unwrap_or_default();
    match model.body.rules.is_empty() {
        true => format!("There are no rules: the model always predicts {target} = {base}."),
        false => format!("{target} = {base} + the amounts of all rules that apply."),
    }
}

/// Returns the model as text.
pub(super) fn text<P>(model: &RuleModel<P>) -> String {
    let mut out =
        paragraph("", 0, &header(model)) + "\n" + &paragraph("", 0, &number_formula(model));
    for (index, rule) in model.body.rules.iter().enumerate() {
        let number = format!("{}. ", index + 1);
        let hang = number.len();
        out += &paragraph(&format!("\n{number}IF "), hang + 3, &rule_condition(model, rule));
        out += &paragraph(&format!("{:hang$}THEN ", ""), hang + 5, &amount(rule.votes));
        out += &number_coverage_lines(model, rule, hang + 5);
    }
    out += &set_note(model).map_or_else(String::new, |note| paragraph("\n", 0, note));
    out += &stability_warning(model).map_or_else(String::new, |note| paragraph("\n", 0, &note));
    out + &sizes::text(model)
}

/// Returns how many training examples a rule covers and their mean, on lines of their own.
pub(super) fn number_coverage_lines<P>(model: &RuleModel<P>, rule: &Rule, indent: usize) -> String {
    match number_coverage(model, rule) {
        Some(line) => paragraph(&" ".repeat(indent), indent + 2, &line),
        None => String::new(),
    }
}

/// Returns how many training examples a rule covers and their mean; `None` if the counts are unknown.
pub fn number_coverage<P>(model: &RuleModel<P>, rule: &Rule) -> Option<String> {
    let (covered, all) = (*rule.covered.first()?, *model.body.examples.first()?);
    let target = visible_line(model.schema.target.as_deref().unwrap_or("value"));
    let mean = model.body.mean_covered(rule);
    let mean = mean.map(|mean| format!("; their mean {target} is {}", significant(mean, DIGITS)));
    let examples = examples_name(model, all);
    let mean = mean.unwrap_or_default();
    Some(format!("covers {covered} of {all} {examples}{mean}{}", stability(rule)))
}
