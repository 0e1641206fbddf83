//! A model that is an ordered list, on a page: the first rule that holds decides, and no other is asked.

use super::number::holds_for;
use super::sizes;
use super::text::{class_name, coverage, dated_when, header, said};
use super::wrap::paragraph;
use crate::model::{RuleModel, winner};

/// How the rules come to a decision.
pub(super) const IN_ORDER: &str = "The first rule that holds decides; what it covers is counted among the examples that no rule before it took.";

/// What is said where no rule holds.
pub(super) fn otherwise<P>(model: &RuleModel<P>) -> String {
    let base = &model.model.base;
    match model.schema.number.is_some() {
        true => base.first().copied().unwrap_or_default().to_string(),
        false => class_name(model, winner(base)),
    }
}

/// The model as a person reads it.
pub(super) fn text<P>(model: &RuleModel<P>) -> String {
    let is_number = model.schema.number.is_some();
    let mut out = paragraph("", 2, &header(model)) + "\n";
    for (index, rule) in model.model.rules.iter().enumerate() {
        let first = if index == 0 { "IF " } else { "ELSE IF " };
        out += &paragraph(first, first.len(), &dated_when(model, rule));
        out += &paragraph("THEN ", 5, &said(model, rule));
        out += &match is_number {
            true => holds_for(model, rule, 5),
            false => coverage(model, rule, 5),
        };
    }
    let otherwise = otherwise(model);
    match model.model.rules.len() {
        0 => out += &paragraph("", 0, &format!("There are no rules: always {otherwise}.")),
        _ => out += &paragraph("ELSE ", 5, &otherwise),
    }
    if model.model.rules.len() > 1 {
        out += &paragraph("\n", 0, IN_ORDER);
    }
    out + &sizes::text(model)
}
