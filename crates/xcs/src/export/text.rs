use crate::model::{Importance, XcsModel, as_rules};
use pellucid_ruleset::export::paragraph;

/// How many rules are told; the model file has all.
const TOLD: usize = 12;

/// The model as a person reads it: the rules that explain most, how far one gets with how many, and on which columns it rests.
#[must_use]
pub fn text(model: &XcsModel) -> String {
    let mut rules = as_rules(model);
    let all = rules.model.rules.len();
    rules.model.rules.truncate(TOLD);
    let mut out = pellucid_ruleset::export::text(&rules);
    if all > TOLD {
        out += "\n";
        out += &paragraph(
            "",
            0,
            &format!("These are the first {TOLD} of {all} rules; all of them vote."),
        );
    }
    if let Some(line) = by_number(&model.model.accuracy_by_number) {
        out += "\n";
        out += &paragraph("", 0, &line);
    }
    if let Some(line) = importance(model) {
        out += "\n";
        out += &paragraph("", 0, &line);
    }
    if !model.model.groups.is_empty() {
        out += "\n";
        out += &groups(model);
    }
    let crowd = model.model.population;
    if crowd.rules > 0 {
        out += "\n";
        let line = format!(
            "Taken from a population of {} rules ({} with their copies).",
            crowd.rules, crowd.copies
        );
        out += &paragraph("", 0, &line);
    }
    out
}

/// How accuracy grows with the number of rules: at one, two, five, ten and so on.
fn by_number(accuracy: &[f64]) -> Option<String> {
    let last = accuracy.len().checked_sub(1).filter(|&last| last > 0)?;
    let steps = (0..).flat_map(|power| [1, 2, 5].map(|step| step * 10_usize.pow(power)));
    let mut numbers: Vec<usize> =
        std::iter::once(0).chain(steps.take_while(|&n| n < last)).collect();
    numbers.push(last);
    let parts: Vec<String> = numbers
        .iter()
        .map(|&number| format!("{number}: {:.1} %", 100.0 * accuracy[number]))
        .collect();
    Some(format!("Right on the training data with so many rules: {}.", parts.join(", ")))
}

/// The columns on which most rests.
fn importance(model: &XcsModel) -> Option<String> {
    let parts = shares(&model.model.importance, 0.005, 8);
    (!parts.is_empty()).then(|| format!("It rests on: {parts}."))
}

/// The first of some columns that have a share of at least so much.
fn shares(columns: &[Importance], least: f64, most: usize) -> String {
    let told = columns.iter().filter(|column| column.share >= least).take(most);
    let told = told.map(|column| format!("{} {:.0} %", column.column, 100.0 * column.share));
    told.collect::<Vec<_>>().join(", ")
}

/// Which examples are explained by which columns.
fn groups(model: &XcsModel) -> String {
    let mut out = paragraph("", 0, "By the columns that explain them, examples fall into groups:");
    for group in &model.model.groups {
        let all: u64 = group.examples.iter().sum();
        let own = model.schema.classes.iter().zip(&group.examples).filter(|(_, own)| **own > 0);
        let own: Vec<String> = own.map(|(class, own)| format!("{own} '{class}'")).collect();
        let columns = shares(&group.columns, 0.1, 4);
        out += &paragraph("- ", 2, &format!("{all} ({}): {columns}", own.join(", ")));
    }
    out
}
