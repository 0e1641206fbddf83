//! The model as text: what it predicts, how it decides, and its rules.

use super::coverage::{coverage_lines, stability_warning};
use super::header::header;
use super::joint::joint_notes;
use super::prose::condition;
use super::score::{consequence, fallback_class, scoring, set_note};
use super::{points, sizes};
use crate::model::{Rule, RuleModel, winner};
use pellucid_data::visible_line;
use pellucid_export::dates::dated;
use pellucid_export::wrap::paragraph;
use pellucid_program::Expr;

/// Returns the model as text for people.
///
/// Points are rounded for display; the model file has all digits.
///
/// ```
/// use pellucid_learn::model::{Column, Schema};
/// use pellucid_ruleset::export::text;
/// use pellucid_ruleset::model::{Rule, RuleModel, RuleSet};
///
/// let schema = Schema {
///     columns: vec![Column::numeric("f1"), Column::numeric("f7")],
///     target: Some("active".into()),
///     bag: Some("molecule".into()),
///     classes: vec!["no".into(), "yes".into()],
///     ..Schema::default()
/// };
/// let rule = Rule { covered: vec![2, 31], ..Rule::new("some row (f1 > 2.5 and f7 <= 3)".parse()?, 1, 1.0) };
/// let (base, examples) = (vec![0.5, 0.0], vec![45, 47]);
/// let model = RuleSet { base, rules: vec![rule], examples, ..RuleSet::default() };
/// let model = RuleModel::new("rules", (), schema, model);
/// assert_eq!(
///     text(&model),
///     "Predicts active (no or yes) for each bag (column 'molecule') from 2 columns. 92
/// bags: 45 no, 47 yes.
///
/// IF some row has f1 > 2.5 and f7 <= 3
/// THEN yes
///      covers 31 of 47 'yes' and 2 of 45 'no': precision 94 %, lift 1.8
/// otherwise no
/// "
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn text<P>(model: &RuleModel<P>) -> String {
    text_of_first(model, usize::MAX)
}

/// Returns the same text with at most this many rules, if the model adds up points of classes.
#[must_use]
pub fn text_of_first<P>(model: &RuleModel<P>, most: usize) -> String {
    match (model.body.ordered, &model.schema.number) {
        (true, _) => return super::list::text(model),
        (false, Some(_)) => return super::number::text(model),
        (false, None) => {}
    }
    if let Some(card) = super::card::text(model) {
        return card;
    }
    let out = paragraph("", 0, &header(model)) + "\n";
    let body = match (&model.body.rules[..], fallback_class(&model.body)) {
        ([], _) => {
            let class = class_name(model, winner(&model.body.base));
            paragraph("", 0, &format!("There are no rules: the model always predicts '{class}'."))
        }
        (_, Some(fallback)) => deciding_rules(model, fallback, most),
        (_, None) => scored_rules(model, most),
    };
    let warning = stability_warning(model).map(|warning| paragraph("\n", 0, &warning));
    out + &body + &warning.unwrap_or_default() + &front(model) + &sizes::text(model)
}

/// Rules of which each alone decides for the same class.
fn deciding_rules<P>(model: &RuleModel<P>, fallback: u32, most: usize) -> String {
    let rules = &model.body.rules;
    let mut out = String::new();
    for (index, rule) in rules.iter().enumerate().take(most) {
        let number = if rules.len() == 1 { String::new() } else { format!("{}. ", index + 1) };
        out += &if_then(model, rule, &number);
    }
    out + &paragraph("otherwise ", 10, &class_name(model, fallback))
}

/// Rules whose points add up to a score, and how they are added.
fn scored_rules<P>(model: &RuleModel<P>, most: usize) -> String {
    let rules = &model.body.rules;
    let mut out: String = scoring(model).iter().map(|text| paragraph("", 0, text)).collect();
    let notes = joint_notes(model);
    for (index, rule) in rules.iter().enumerate().take(most) {
        let number = format!("{}. ", index + 1);
        out += "\n";
        out += &if_then(model, rule, &number);
        if let Some(note) = &notes[index] {
            let indent = number.len() + 5;
            out += &paragraph(&" ".repeat(indent), indent + 2, note);
        }
    }
    if rules.len() > most {
        out += &paragraph("\n", 0, &first_note(most, rules.len()));
    }
    out += &set_note(model).map_or_else(String::new, |note| paragraph("\n", 0, note));
    // Points of only some rules do not decide.
    if rules.len() <= most { out + &points::text(model) } else { out }
}

/// Returns the sentence about the rules that are not shown.
#[must_use]
pub fn first_note(shown: usize, all: usize) -> String {
    format!(
        "The first {shown} of {all} rules are shown; the CSV export lists all. All rules add points."
    )
}

/// A rule after its number, with what it covers.
fn if_then<P>(model: &RuleModel<P>, rule: &Rule, number: &str) -> String {
    let hang = number.len();
    paragraph(&format!("{number}IF "), hang + 3, &rule_condition(model, rule))
        + &paragraph(&format!("{:hang$}THEN ", ""), hang + 5, &rule_consequence(model, rule))
        + &coverage_lines(model, rule, hang + 5)
}

/// Returns the rules of a Pareto front, one per paragraph, the most sensitive first; empty without a front.
pub fn front<P>(model: &RuleModel<P>) -> String {
    let (rules, examples) = (&model.body.front, &model.body.examples);
    if rules.is_empty() || examples.is_empty() {
        return String::new();
    }
    let title = format!(
        "The rule above is one of {} on the Pareto front: no other rule has both a higher sensitivity and a \
         higher specificity.",
        rules.len()
    );
    let mut out = paragraph("\n", 0, &title);
    for rule in rules {
        let share = |of_class: bool, covered: bool| {
            let pick = |(class, _): &(usize, &u64)| (*class == rule.class as usize) == of_class;
            let all: u64 = examples.iter().enumerate().filter(pick).map(|(_, count)| count).sum();
            let hit: u64 =
                rule.covered.iter().enumerate().filter(pick).map(|(_, count)| count).sum();
            let counted = if covered { hit } else { all.saturating_sub(hit) };
            100.0 * counted as f64 / all.max(1) as f64
        };
        let (sensitivity, specificity) = (share(true, true), share(false, false));
        out += &format!("\nsensitivity {sensitivity:.0} %, specificity {specificity:.0} %\n");
        out += &paragraph("  IF ", 5, &rule_condition(model, rule));
    }
    out
}

/// Returns the condition of a rule in words.
pub(super) fn rule_condition<P>(model: &RuleModel<P>, rule: &Rule) -> String {
    condition_text(model, &rule.when)
}

/// Returns a condition in words, with dates as dates.
pub fn condition_text<P>(model: &RuleModel<P>, expr: &Expr) -> String {
    let schema = &model.schema;
    condition(&dated(expr, &schema.reading), &schema.columns, schema.bag.is_some())
}

/// Returns the consequence of a rule in words.
pub fn rule_consequence<P>(model: &RuleModel<P>, rule: &Rule) -> String {
    let classes = model.schema.number.is_none().then_some(&model.schema.classes[..]);
    consequence(&model.body, rule, classes)
}

/// Returns the whole rule on one line.
pub(super) fn rule_line<P>(model: &RuleModel<P>, rule: &Rule) -> String {
    format!("IF {} THEN {}", rule_condition(model, rule), rule_consequence(model, rule))
}

/// Returns the name of a class, or its number if it has no name.
pub fn class_name<P>(model: &RuleModel<P>, class: u32) -> String {
    model
        .schema
        .classes
        .get(class as usize)
        .map_or_else(|| format!("class {class}"), |name| visible_line(name).into_owned())
}
