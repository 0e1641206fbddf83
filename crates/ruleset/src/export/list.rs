//! An ordered list as text: the first rule that applies decides.

use super::coverage::coverage_lines;
use super::header::header;
use super::number::number_coverage_lines;
use super::sizes;
use super::text::{class_name, rule_condition, rule_consequence};
use crate::model::{RuleModel, winner};
use pellucid_export::wrap::paragraph;

/// How a list decides, and what its counts mean.
pub const IN_ORDER: &str = "The first rule that applies decides. \
    Each rule is counted on the examples that no earlier rule covers.";

/// Returns the prediction if no rule applies.
pub fn list_fallback<P>(model: &RuleModel<P>) -> String {
    let base = &model.body.base;
    match model.schema.number.is_some() {
        true => base.first().copied().unwrap_or_default().to_string(),
        false => class_name(model, winner(base)),
    }
}

/// Returns the model as text.
pub(super) fn text<P>(model: &RuleModel<P>) -> String {
    let is_number = model.schema.number.is_some();
    let mut out = paragraph("", 0, &header(model)) + "\n";
    for (index, rule) in model.body.rules.iter().enumerate() {
        let first = if index == 0 { "IF " } else { "ELSE IF " };
        out += &paragraph(first, first.len(), &rule_condition(model, rule));
        out += &paragraph("THEN ", 5, &rule_consequence(model, rule));
        out += &match is_number {
            true => number_coverage_lines(model, rule, 5),
            false => coverage_lines(model, rule, 5),
        };
    }
    let fallback = list_fallback(model);
    match model.body.rules.len() {
        0 => {
            let text = format!("There are no rules: the model always predicts '{fallback}'.");
            out += &paragraph("", 0, &text);
        }
        _ => out += &paragraph("ELSE ", 5, &fallback),
    }
    if model.body.rules.len() > 1 {
        out += &paragraph("\n", 0, IN_ORDER);
    }
    out + &sizes::text(model)
}
