//! A model that predicts a number, on a page.

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

/// The model as a person reads it.
pub(super) fn text<P>(model: &RuleModel<P>) -> String {
    let target = super::prose::visible(model.schema.target.as_deref().unwrap_or("the number"));
    let base = model.model.base.first().copied().unwrap_or_default();
    let mut out = paragraph("", 2, &header(model)) + "\n";
    if model.model.rules.is_empty() {
        out += &paragraph("", 0, &format!("There are no rules: {target} is always {base}."));
        return out + &sizes(model);
    }
    out += &paragraph("", 2, &format!("{target} is {base} to begin with."));
    for (index, rule) in model.model.rules.iter().enumerate() {
        let number = format!("{}. ", index + 1);
        let hang = number.len();
        out += &paragraph(&format!("\n{number}IF "), hang + 3, &dated_when(model, rule));
        out += &paragraph(&format!("{:hang$}THEN ", ""), hang + 5, &added(rule.votes));
        out += &holds_for(model, rule, hang + 5);
    }
    out += &paragraph(
        "\n",
        0,
        "Every rule that holds adds its amount to what there is to begin with.",
    );
    out + &sizes(model)
}

/// For how many training examples a rule holds, and what they are on average.
pub(super) fn holds_for<P>(model: &RuleModel<P>, rule: &Rule, indent: usize) -> String {
    let (Some(&covered), Some(&all)) = (rule.covered.first(), model.model.examples.first()) else {
        return String::new();
    };
    let mean = model.model.mean_where(rule);
    let mean = mean.map(|mean| format!("; their mean is {}", significant(mean, DIGITS)));
    let line = format!("holds for {covered} of {all} examples{}", mean.unwrap_or_default());
    paragraph(&" ".repeat(indent), indent + 2, &line)
}

/// How well shorter and longer models did on examples that they had not seen.
pub(super) fn sizes<P>(model: &RuleModel<P>) -> String {
    let (Some(path), Some(number)) = (&model.model.path, &model.model.number) else {
        return String::new();
    };
    let mut out = String::new();
    for (place, (stop, size)) in path.stops.iter().zip(&number.sizes).enumerate() {
        if out.is_empty() {
            out += "\nHow models of other sizes did on examples that they had not seen:\n\n";
            out += "  rules      R²  mean absolute error\n";
        }
        let told = if place == path.told { "  told above" } else { "" };
        // Of nothing there is no less than nothing.
        let r2 = (size.r2 * 1000.0).round() / 1000.0 + 0.0;
        let rules = stop.rules(model.model.ordered);
        let mae = significant(size.mae, DIGITS);
        out += &format!("  {rules:>5}  {r2:>6.3}  {mae:>19}{told}\n");
    }
    out
}
