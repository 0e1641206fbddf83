//! The rules in a table, each with a bar for what it covers.

use super::condition;
use pellucid_export::xml::escaped;
use pellucid_ruleset::export::sentences::{
    IN_ORDER, class_name, coverage, fallback_class, joint_notes, list_fallback, number_coverage,
    number_formula, rule_consequence, scoring, set_note,
};
use pellucid_ruleset::model::{Rule, RuleModel};

/// The number of marks for classes; classes beyond it reuse the first ones.
const MARKS: usize = 6;

/// Returns the first rules of a model and how they lead to a prediction.
pub(super) fn table<P>(model: &RuleModel<P>, most: usize) -> String {
    let (set, is_number) = (&model.body, model.schema.number.is_some());
    if set.rules.is_empty() {
        return format!("<p>{}</p>\n", escaped(&without_rules(model)));
    }
    let (how, fallback) = decision(model);
    let mut out = format!(
        "<table class=\"rules\">\n<caption>{}</caption>\n\
         <thead><tr><th scope=\"col\"><abbr title=\"number of the rule\">#</abbr></th>\
         <th scope=\"col\">IF</th><th scope=\"col\">THEN</th>\
         <th scope=\"col\">Training examples</th></tr></thead>\n<tbody>\n",
        escaped(&how)
    );
    let notes = joint_notes(model);
    for (index, rule) in set.rules.iter().enumerate().take(most) {
        let mark = if is_number { String::new() } else { mark(rule.class as usize) };
        out += &format!(
            "<tr><th scope=\"row\" class=\"n\">{}</th><td><code>{}</code></td>\
             <td>{mark}{}</td><td>{}</td></tr>\n",
            index + 1,
            condition(model, &rule.when),
            escaped(&rule_consequence(model, rule)),
            examples(model, rule, notes[index].as_ref().filter(|_| fallback.is_none())),
        );
    }
    if let Some(fallback) = fallback {
        out += &format!(
            "<tr><td></td><td>otherwise</td><td>{}</td><td></td></tr>\n",
            escaped(&fallback)
        );
    }
    out + "</tbody>\n</table>\n"
}

/// Returns what a model without rules predicts.
fn without_rules<P>(model: &RuleModel<P>) -> String {
    match model.schema.number.is_some() && !model.body.ordered {
        true => number_formula(model),
        false => {
            format!("There are no rules: the model always predicts '{}'.", list_fallback(model))
        }
    }
}

/// Returns how the rules lead to a prediction, and the prediction if no rule applies, unless it is a sum.
pub(crate) fn decision<P>(model: &RuleModel<P>) -> (String, Option<String>) {
    let set = &model.body;
    if set.ordered {
        return (IN_ORDER.to_owned(), Some(list_fallback(model)));
    }
    let with_note = |text: String| match set_note(model) {
        Some(note) => format!("{text} {note}"),
        None => text,
    };
    if model.schema.number.is_some() {
        return (with_note(number_formula(model)), None);
    }
    match fallback_class(set) {
        Some(class) => {
            let how = if set.rules.len() == 1 {
                "The rule decides."
            } else {
                "Any rule that applies decides."
            };
            (how.to_owned(), Some(class_name(model, class)))
        }
        None => (with_note(scoring(model).join(" ")), None),
    }
}

/// Returns the mark of a class: a color and a pattern.
fn mark(class: usize) -> String {
    format!("<span class=\"mark c{}\" aria-hidden=\"true\"></span>", class % MARKS)
}

/// Returns what a rule covers, in words and as a bar whose full width is all examples.
#[expect(clippy::cast_precision_loss, reason = "rounded for display")]
fn examples<P>(model: &RuleModel<P>, rule: &Rule, note: Option<&String>) -> String {
    let is_number = model.schema.number.is_some();
    let text = if is_number { number_coverage(model, rule) } else { coverage(model, rule) };
    let Some(text) = text else { return String::new() };
    let all: u64 = model.body.examples.iter().sum();
    let mut bar = String::new();
    for (class, &count) in rule.covered.iter().enumerate().filter(|_| all > 0) {
        let width = 100.0 * count as f64 / all as f64;
        if count > 0 {
            bar +=
                &format!("<span class=\"c{}\" style=\"width:{width:.2}%\"></span>", class % MARKS);
        }
    }
    // Keep numbers and their units on one line.
    let kept = |text: &str| escaped(text).replace(" %", "&nbsp;%").replace("lift ", "lift&nbsp;");
    let bar = format!("<span class=\"bar\" aria-hidden=\"true\">{bar}</span>{}", kept(&text));
    let note = note.map(|note| format!("<br><em>{}</em>", kept(note)));
    bar + &note.unwrap_or_default()
}
