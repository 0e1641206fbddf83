use crate::model::{Group, Importance, XcsModel, as_rules};
use pellucid_data::visible_line;
use pellucid_ruleset::export::{Page, paragraph, text_of_first};

/// How many rules are told; the model file has all.
const TOLD: usize = 12;

/// The model as a person reads it: the rules that explain most, how far one gets with how many, and on which columns it rests.
#[must_use]
pub fn text(model: &XcsModel) -> String {
    let mut out = text_of_first(&as_rules(model), TOLD);
    for Note { text, items } in notes(model) {
        out += &paragraph("\n", 0, &text);
        items.iter().for_each(|item| out += &paragraph("- ", 2, item));
    }
    out
}

/// The same as a page, or as a part of one.
#[must_use]
pub fn html(model: &XcsModel, is_part: bool) -> String {
    let lines = |Note { text, items }| std::iter::once(text).chain(items);
    let notes = notes(model).into_iter().flat_map(lines).collect();
    pellucid_ruleset::export::html(&as_rules(model), &Page { most: TOLD, notes, is_part })
}

/// Something that is said after the rules, and what is listed below it.
struct Note {
    text: String,
    items: Vec<String>,
}

fn notes(model: &XcsModel) -> Vec<Note> {
    let set = &model.model;
    let all = set.set.rules.len();
    let first = (all > TOLD)
        .then(|| format!("These are the first {TOLD} of {all} rules; all of them vote."));
    let alone = [first, by_number(&set.accuracy_by_number), importance(model)];
    let note = |text: String| Note { text, items: Vec::new() };
    let mut notes: Vec<Note> = alone.into_iter().flatten().map(note).collect();
    if !set.groups.is_empty() {
        let text = "By the columns that explain them, examples fall into groups:".to_owned();
        notes.push(Note { text, items: groups(model) });
    }
    let crowd = set.population;
    if crowd.rules > 0 {
        notes.push(note(format!(
            "Taken from a population of {} rules ({} with their copies).",
            crowd.rules, crowd.copies
        )));
    }
    notes
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
    let told = told
        .map(|column| format!("{} {:.0} %", visible_line(&column.column), 100.0 * column.share));
    told.collect::<Vec<_>>().join(", ")
}

/// Which examples are explained by which columns.
fn groups(model: &XcsModel) -> Vec<String> {
    let group = |group: &Group| {
        let all: u64 = group.examples.iter().sum();
        let own = model.schema.classes.iter().zip(&group.examples).filter(|(_, own)| **own > 0);
        let own: Vec<String> =
            own.map(|(class, own)| format!("{own} '{}'", visible_line(class))).collect();
        let columns = shares(&group.columns, 0.1, 4);
        format!("{all} ({}): {columns}", own.join(", "))
    };
    model.model.groups.iter().map(group).collect()
}
