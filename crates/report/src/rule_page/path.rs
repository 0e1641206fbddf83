//! The accuracy by number of rules, as a curve and as a table.

use pellucid_export::xml::escaped;
use pellucid_ruleset::export::sentences::{SELECTED, SizeRow, SizeTable, size_table};
use pellucid_ruleset::model::RuleModel;

/// The size of the curve.
const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 150.0;
/// The margins for labels.
const LEFT: f64 = 52.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BELOW: f64 = 26.0;

/// Returns the curve and the table, which expands on demand; empty if the model has no scores by size.
pub(super) fn figure<P>(model: &RuleModel<P>) -> String {
    let Some(SizeTable { title, heads, rows, note }) = size_table(model) else {
        return String::new();
    };
    let note = note.map_or_else(String::new, |note| format!("<p>{note}</p>\n"));
    let mut body = String::new();
    for SizeRow { cells, is_selected, .. } in &rows {
        let mut cells = cells.iter().map(|cell| escaped(cell));
        let first = cells.next().unwrap_or_default();
        body += &format!("<tr><th scope=\"row\" class=\"n\">{first}</th>");
        cells.for_each(|cell| body += &format!("<td class=\"n\">{cell}</td>"));
        body += &format!("<td>{}</td></tr>\n", if *is_selected { SELECTED } else { "" });
    }
    let head = |(head, _): &(&str, usize)| format!("<th scope=\"col\" class=\"n\">{head}</th>");
    let heads: String = heads.iter().map(head).chain(["<td></td>".to_owned()]).collect();
    format!(
        "<figure>\n<figcaption>{title}</figcaption>\n{}\
         <details class=\"sizes\"><summary>as a table</summary>\n<table>\n<thead><tr>{heads}</tr></thead>\n\
         <tbody>\n{body}</tbody>\n</table>\n{note}</details>\n</figure>\n",
        curve(title, &rows),
    )
}

/// Returns the curve; empty for a single size.
#[expect(clippy::cast_precision_loss, reason = "rounded for display")]
fn curve(title: &str, rows: &[SizeRow]) -> String {
    let most = rows.iter().map(|row| row.rules).max().unwrap_or(0);
    if rows.len() < 2 || most == 0 {
        return String::new();
    }
    let scores = || rows.iter().map(|row| row.score);
    let (mut low, mut high) =
        (scores().fold(f64::MAX, f64::min), scores().fold(f64::MIN, f64::max));
    if high - low < 0.01 {
        (low, high) = (low - 0.005, high + 0.005);
    }
    let across = |rules: usize| LEFT + (WIDTH - LEFT - RIGHT) * rules as f64 / most as f64;
    let down = |score: f64| TOP + (HEIGHT - TOP - BELOW) * (high - score) / (high - low);
    let point = |row: &SizeRow| format!("{:.1},{:.1}", across(row.rules), down(row.score));
    let line: Vec<String> = rows.iter().map(point).collect();
    let dot = |row: &SizeRow| {
        let (class, radius, mark) = match row.is_selected {
            true => ("selected", 5, ", selected"),
            false => ("dot", 3, ""),
        };
        let (x, y) = (across(row.rules), down(row.score));
        format!(
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\">\
             <title>{} {}: {:.3}{mark}</title></circle>",
            row.rules,
            if row.rules == 1 { "rule" } else { "rules" },
            row.score,
        )
    };
    let dots: String = rows.iter().map(dot).collect();
    let label = |x: f64, y: f64, anchor: &str, text: &str| {
        format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>")
    };
    let ticks = [low, high]
        .map(|score| label(LEFT - 8.0, down(score) + 4.0, "end", &format!("{score:.3}")));
    let first = label(LEFT, HEIGHT - 6.0, "middle", "0");
    let last = label(across(most), HEIGHT - 6.0, "end", &format!("{most} rules"));
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" role=\"img\" aria-label=\"{title}\">\
         <polyline points=\"{}\"/>{dots}{}{first}{last}</svg>\n",
        line.join(" "),
        ticks.concat(),
    )
}
