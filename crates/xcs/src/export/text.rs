use crate::model::{ColumnImportance, ExampleGroup, XcsModel, as_selected_rules};
use pellucid_data::visible_line;
use pellucid_export::wrap::paragraph;
use pellucid_ruleset::export::{first_note, text_of_first};

/// The maximum number of rules shown of a population of many hundred; the model file and the CSV table have
/// all of them.
const SHOWN_RULES: usize = 12;

/// Returns the maximum number of rules shown: all that were selected, the most important ones of a whole
/// population.
#[must_use]
pub fn shown_rules(model: &XcsModel) -> usize {
    if model.params.keep_all { SHOWN_RULES } else { usize::MAX }
}

/// Returns the model as text: the rules that explain most, the accuracy by number of rules, and the column
/// importance.
#[must_use]
pub fn text(model: &XcsModel) -> String {
    let mut out = text_of_first(&as_selected_rules(model), shown_rules(model));
    for Note { text, items } in notes(model) {
        out += &paragraph("\n", 0, &text);
        items.iter().for_each(|item| out += &paragraph("- ", 2, item));
    }
    out
}

/// Returns the notes after the rules, each a paragraph.
#[must_use]
pub fn note_paragraphs(model: &XcsModel) -> Vec<String> {
    let (all, shown) = (model.body.set.rules.len(), shown_rules(model));
    let first = (all > shown).then(|| first_note(shown, all));
    let lines = |Note { text, items }| std::iter::once(text).chain(items);
    first.into_iter().chain(notes(model).into_iter().flat_map(lines)).collect()
}

/// Returns the notes for a page that shows the importance of columns and the groups of examples in tables.
#[must_use]
pub fn remarks(model: &XcsModel) -> Vec<String> {
    let numbers = by_number(&model.body.accuracy_by_number);
    numbers.into_iter().chain(origin(model)).collect()
}

/// Returns the size of the population that the rules were selected from.
fn origin(model: &XcsModel) -> Option<String> {
    let population = model.body.population;
    (population.rules > 0).then(|| {
        format!(
            "Selected from a population of {} distinct rules (total numerosity {}).",
            population.rules, population.copies
        )
    })
}

/// A note after the rules, with an optional list.
struct Note {
    text: String,
    items: Vec<String>,
}

fn notes(model: &XcsModel) -> Vec<Note> {
    let set = &model.body;
    let alone = [by_number(&set.accuracy_by_number), importance(model)];
    let note = |text: String| Note { text, items: Vec::new() };
    let mut notes: Vec<Note> = alone.into_iter().flatten().map(note).collect();
    if !set.groups.is_empty() {
        let text = "Groups of examples by the columns that explain them:".to_owned();
        notes.push(Note { text, items: groups(model) });
    }
    notes.extend(origin(model).map(note));
    notes
}

/// Returns the training accuracy with 0, 1, 2, 5, 10, ... rules.
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
    Some(format!("Training accuracy by number of rules: {}.", parts.join(", ")))
}

/// Returns the most important columns.
fn importance(model: &XcsModel) -> Option<String> {
    let parts = shares(&model.body.importance, 0.005, 8);
    (!parts.is_empty()).then(|| format!("Column importance: {parts}."))
}

/// Formats the first `most` columns with a share of at least `least`.
fn shares(columns: &[ColumnImportance], least: f64, most: usize) -> String {
    let columns = columns.iter().filter(|column| column.share >= least).take(most);
    let shares = columns
        .map(|column| format!("{} {:.0} %", visible_line(&column.column), 100.0 * column.share));
    shares.collect::<Vec<_>>().join(", ")
}

/// Describes each group of examples.
fn groups(model: &XcsModel) -> Vec<String> {
    let group = |group: &ExampleGroup| {
        let all: u64 = group.examples.iter().sum();
        let own = model.schema.classes.iter().zip(&group.examples).filter(|(_, own)| **own > 0);
        let own: Vec<String> =
            own.map(|(class, own)| format!("{own} '{}'", visible_line(class))).collect();
        let columns = shares(&group.columns, 0.1, 4);
        format!("{all} examples ({}): {columns}", own.join(", "))
    };
    model.body.groups.iter().map(group).collect()
}
