//! From few rules to many: how models of other sizes did, as a curve and as a table.

use super::super::sizes::{Size, Sizes, TITLE, sizes};
use super::super::xml::escaped;
use crate::model::RuleModel;

/// How large the curve is drawn.
const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 150.0;
/// Room for what is written beside it, at its left and right, above and below.
const LEFT: f64 = 52.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BELOW: f64 = 26.0;

/// The curve, and the table on demand; nothing where nothing is known of other sizes.
pub(super) fn figure<P>(model: &RuleModel<P>) -> String {
    let Some(Sizes { heads, models }) = sizes(model) else { return String::new() };
    let mut rows = String::new();
    for Size { figures, is_told, .. } in &models {
        let mut cells = figures.iter().map(|figure| escaped(figure));
        let first = cells.next().unwrap_or_default();
        rows += &format!("<tr><th scope=\"row\" class=\"n\">{first}</th>");
        cells.for_each(|cell| rows += &format!("<td class=\"n\">{cell}</td>"));
        rows += &format!("<td>{}</td></tr>\n", if *is_told { "told above" } else { "" });
    }
    let head = |(head, _): &(&str, usize)| format!("<th scope=\"col\" class=\"n\">{head}</th>");
    let heads: String = heads.iter().map(head).chain(["<td></td>".to_owned()]).collect();
    format!(
        "<figure>\n<figcaption>{TITLE}</figcaption>\n{}<details class=\"sizes\"><summary>as a table</summary>\n<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></details>\n</figure>\n",
        curve(&models),
    )
}

/// The curve; nothing of a single size.
#[expect(clippy::cast_precision_loss, reason = "for the eye")]
fn curve(models: &[Size]) -> String {
    let most = models.iter().map(|size| size.rules).max().unwrap_or(0) as f64;
    if models.len() < 2 || most == 0.0 {
        return String::new();
    }
    let shares = || models.iter().map(|size| size.share);
    let (mut low, mut high) =
        (shares().fold(f64::MAX, f64::min), shares().fold(f64::MIN, f64::max));
    if high - low < 0.01 {
        (low, high) = (low - 0.005, high + 0.005);
    }
    let across = |rules: usize| LEFT + (WIDTH - LEFT - RIGHT) * rules as f64 / most;
    let down = |share: f64| TOP + (HEIGHT - TOP - BELOW) * (high - share) / (high - low);
    let point = |size: &Size| format!("{:.1},{:.1}", across(size.rules), down(size.share));
    let line: Vec<String> = models.iter().map(point).collect();
    let mut dots = String::new();
    for size in models {
        let (class, radius, told) = match size.is_told {
            true => ("told", 5, ", told above"),
            false => ("dot", 3, ""),
        };
        dots += &format!(
            "<circle class=\"{class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\"><title>{} rules: {:.3}{told}</title></circle>",
            across(size.rules),
            down(size.share),
            size.rules,
            size.share,
        );
    }
    let label = |x: f64, y: f64, anchor: &str, text: &str| {
        format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>")
    };
    let shares = [low, high]
        .map(|share| label(LEFT - 8.0, down(share) + 4.0, "end", &format!("{share:.3}")));
    let (first, last) = (
        label(LEFT, HEIGHT - 6.0, "middle", "0"),
        label(
            across(models.iter().map(|size| size.rules).max().unwrap_or(0)),
            HEIGHT - 6.0,
            "end",
            &format!("{most} rules"),
        ),
    );
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" role=\"img\" aria-label=\"by number of rules, how models did on examples that they had not seen\"><polyline points=\"{}\"/>{dots}{}{first}{last}</svg>\n",
        line.join(" "),
        shares.concat(),
    )
}
