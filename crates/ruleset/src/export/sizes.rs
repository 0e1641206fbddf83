//! The accuracy of smaller and larger models in cross-validation.

use crate::model::RuleModel;
use crate::number::NumberSize;
use crate::path::rounded;
use pellucid_export::wrap::paragraph;
use pellucid_learn::digits::significant;

/// The significant digits of a mean error; more would be noise.
const DIGITS: usize = 4;

/// The mark of the model that is shown.
pub const SELECTED: &str = "selected";

/// Models of several sizes and their scores.
#[derive(Debug, PartialEq)]
pub struct SizeTable {
    /// The title of the table.
    pub title: &'static str,
    /// The names of the columns and their widths in text.
    pub heads: Vec<(&'static str, usize)>,
    /// The models, the smallest first.
    pub rows: Vec<SizeRow>,
    /// A sentence about the sizes that are left out.
    pub note: Option<&'static str>,
}

/// A model of some size.
#[derive(Debug, PartialEq)]
pub struct SizeRow {
    /// The number of rules.
    pub rules: usize,
    /// The accuracy, or R².
    pub score: f64,
    /// All cells as text.
    pub cells: Vec<String>,
    /// Whether this is the selected model.
    pub is_selected: bool,
}

impl SizeTable {
    /// Leaves out the sizes that a smaller one equals or exceeds, except for the selected one.
    fn keep_front(&mut self) {
        let mut best = f64::NEG_INFINITY;
        self.rows.retain(|row| {
            let is_better = row.score > best;
            best = best.max(row.score);
            is_better || row.is_selected
        });
        self.note = Some(match self.heads.iter().any(|(head, _)| *head == "R²") {
            true => "Sizes without a higher R² than every smaller one are left out.",
            false => "Sizes without a higher accuracy than every smaller one are left out.",
        });
    }
}

/// Returns the scores of models of all sizes, if the model has them.
pub fn size_table<P>(model: &RuleModel<P>) -> Option<SizeTable> {
    let path = model.body.path.as_ref()?;
    let row = |index: usize, score: f64, cells: Vec<String>| {
        let rules = path.models[index].rules(model.body.ordered);
        let cells = std::iter::once(rules.to_string()).chain(cells).collect();
        SizeRow { rules, score, cells, is_selected: index == path.selected }
    };
    let table = match &model.body.number {
        Some(number) => {
            let number_row = |(index, size): (usize, &NumberSize)| {
                let r2 = rounded(size.r2);
                let mae = [Some(size.mae), size.standard_error].into_iter().flatten();
                let cells = mae.map(|mae| significant(mae, DIGITS));
                row(index, r2, std::iter::once(format!("{r2:.3}")).chain(cells).collect())
            };
            let sizes = number.sizes.iter().take(path.models.len());
            let has_errors = number.sizes.iter().any(|size| size.standard_error.is_some());
            let mut heads = vec![("rules", 5), ("R²", 6), ("mean absolute error", 19)];
            heads.extend(has_errors.then_some(("std. error", 10)));
            let mut table = SizeTable {
                title: "R² by number of rules (cross-validation)",
                heads,
                rows: sizes.enumerate().map(number_row).collect(),
                note: None,
            };
            if has_errors {
                table.keep_front();
            }
            table
        }
        None => {
            let scored: Vec<(usize, f64, [Option<f64>; 3])> = (0..)
                .zip(&path.models)
                .filter_map(|(index, sized)| {
                    let others = [sized.standard_error, sized.auc, sized.cost];
                    Some((index, sized.accuracy?, others))
                })
                .collect();
            let is_card = model.body.card.is_some();
            let mut heads = vec![(if is_card { "steps" } else { "rules" }, 5), ("accuracy", 8)];
            let others = scored.first().map_or([None; 3], |(_, _, others)| *others);
            let named = [("std. error", 10), ("AUC", 5), ("cost per example", 16)];
            let named = named.into_iter().zip(others);
            heads.extend(named.filter(|(_, score)| score.is_some()).map(|(head, _)| head));
            let class_row = |&(index, accuracy, others): &(usize, f64, [Option<f64>; 3])| {
                let scores = std::iter::once(accuracy).chain(others.into_iter().flatten());
                row(index, accuracy, scores.map(|score| format!("{score:.3}")).collect())
            };
            let title = match is_card {
                true => "Accuracy by number of steps (cross-validation)",
                false => "Accuracy by number of rules (cross-validation)",
            };
            let rows = scored.iter().map(class_row).collect();
            let mut table = SizeTable { title, heads, rows, note: None };
            // Where the error is known, the table is a front of accuracy and size.
            if others[0].is_some() {
                table.keep_front();
            }
            table
        }
    };
    (!table.rows.is_empty()).then_some(table)
}

/// Returns the table as text; empty if the model has no scores.
pub(super) fn text<P>(model: &RuleModel<P>) -> String {
    let Some(SizeTable { title, heads, rows, note }) = size_table(model) else {
        return String::new();
    };
    let mut out = format!("\n{title}:\n\n");
    for (head, width) in &heads {
        out += &format!("  {head:>width$}");
    }
    out += "\n";
    for SizeRow { cells, is_selected, .. } in &rows {
        for (cell, (_, width)) in cells.iter().zip(&heads) {
            out += &format!("  {cell:>width$}");
        }
        out += &if *is_selected { format!("  {SELECTED}\n") } else { "\n".to_owned() };
    }
    out + &note.map_or_else(String::new, |note| paragraph("\n", 0, note))
}
