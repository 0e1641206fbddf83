//! The rules in a table, each with a bar for what it covers.

use super::super::beside::beside_others;
use super::super::text::{class_name, counting, covers, decision, said};
use super::super::xml::escaped;
use super::super::{list, number};
use super::condition;
use crate::model::{Rule, RuleModel};

/// Classes beyond these share the marks of the first ones.
const MARKS: usize = 6;

/// The first rules of a model and how they come to a decision.
pub(super) fn table<P>(model: &RuleModel<P>, most: usize) -> String {
    let (set, is_number) = (&model.model, model.schema.number.is_some());
    let decided = decision(set).filter(|_| !set.ordered && !is_number);
    let (how, otherwise) = match (set.ordered, is_number, decided) {
        (true, ..) => (list::IN_ORDER.to_owned(), Some(list::otherwise(model))),
        (_, true, _) => (format!("{} {}", number::begin(model), number::ADDING), None),
        (.., Some(class)) => {
            let how = if set.rules.len() == 1 {
                "The rule decides."
            } else {
                "Any rule that holds decides."
            };
            (how.to_owned(), Some(class_name(model, class)))
        }
        (.., None) => (counting(model), None),
    };
    if set.rules.is_empty() {
        let how = if is_number && !set.ordered {
            number::begin(model)
        } else {
            format!("There are no rules: always {}.", list::otherwise(model))
        };
        return format!("<p>{}</p>\n", escaped(&how));
    }
    let mut out = format!(
        "<table class=\"rules\">\n<caption>{}</caption>\n<thead><tr><th scope=\"col\"><abbr title=\"number of the rule\">#</abbr></th><th scope=\"col\">IF</th><th scope=\"col\">THEN</th><th scope=\"col\">Training examples</th></tr></thead>\n<tbody>\n",
        escaped(&how)
    );
    let beside = beside_others(model);
    for (index, rule) in set.rules.iter().enumerate().take(most) {
        let then = match decided {
            Some(_) => class_name(model, rule.class),
            None => said(model, rule),
        };
        let mark = if is_number { String::new() } else { mark(rule.class as usize) };
        out += &format!(
            "<tr><th scope=\"row\" class=\"n\">{}</th><td><code>{}</code></td><td>{mark}{}</td><td>{}</td></tr>\n",
            index + 1,
            condition(model, &rule.when),
            escaped(&then),
            examples(model, rule, beside[index].as_ref().filter(|_| decided.is_none())),
        );
    }
    if let Some(otherwise) = otherwise {
        out += &format!(
            "<tr><td></td><td>otherwise</td><td>{}</td><td></td></tr>\n",
            escaped(&otherwise)
        );
    }
    out + "</tbody>\n</table>\n"
}

/// The mark of a class: a colour and a pattern.
fn mark(class: usize) -> String {
    format!("<span class=\"mark c{}\" aria-hidden=\"true\"></span>", class % MARKS)
}

/// What a rule covers: as a bar, of which the whole width is all examples, and in words.
#[expect(clippy::cast_precision_loss, reason = "for the eye")]
fn examples<P>(model: &RuleModel<P>, rule: &Rule, beside: Option<&String>) -> String {
    let is_number = model.schema.number.is_some();
    let told = if is_number { number::covers(model, rule) } else { covers(model, rule) };
    let Some(told) = told else { return String::new() };
    let all: u64 = model.model.examples.iter().sum();
    let mut bar = String::new();
    for (class, &count) in rule.covered.iter().enumerate().filter(|_| all > 0) {
        let width = 100.0 * count as f64 / all as f64;
        if count > 0 {
            bar +=
                &format!("<span class=\"c{}\" style=\"width:{width:.2}%\"></span>", class % MARKS);
        }
    }
    // Numbers stay beside what they are.
    let kept = |text: &str| escaped(text).replace(" %", "&nbsp;%").replace("lift ", "lift&nbsp;");
    let bar = format!("<span class=\"bar\" aria-hidden=\"true\">{bar}</span>{}", kept(&told));
    let beside = beside.map(|beside| format!("<br><em>{}</em>", kept(beside)));
    bar + &beside.unwrap_or_default()
}
