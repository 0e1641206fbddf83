//! The table of points, each with a bar to the left or right of zero.

use pellucid_export::xml::escaped;
use pellucid_ruleset::export::sentences::{Chart, chart, class_name, signed};
use pellucid_ruleset::model::RuleModel;

/// Returns the table; empty if there is none.
pub(super) fn table<P>(model: &RuleModel<P>) -> String {
    let Some(Chart { how, start, scales }) = chart(model) else { return String::new() };
    let points = || scales.iter().flatten().map(|(_, points)| *points).chain([start]);
    let low = points().fold(0.0, f64::min);
    let high = points().fold(0.0, f64::max);
    let width = (high - low).max(f64::MIN_POSITIVE);
    let row = |what: &str, points: f64| {
        let percent = |number: f64| 100.0 * number / width;
        let (from, long) = (percent(points.min(0.0) - low), percent(points.abs()));
        let side = if points < 0.0 { "less" } else { "more" };
        format!(
            "<tr><th scope=\"row\">{what}</th><td class=\"n\">{}</td><td aria-hidden=\"true\">\
             <span class=\"scale\"><span class=\"zero\" style=\"left:{:.2}%\"></span>\
             <span class=\"{side}\" style=\"left:{from:.2}%;width:{long:.2}%\"></span></span></td></tr>\n",
            signed(points),
            percent(-low),
        )
    };
    let mut out = format!(
        "<table class=\"points\">\n<caption>{}</caption>\n<thead><tr><th scope=\"col\">Value</th>\
         <th scope=\"col\" colspan=\"2\">Points for '{}'</th></tr></thead>\n<tbody>\n{}</tbody>\n",
        escaped(&how),
        escaped(&class_name(model, 1)),
        row("starting score", start),
    );
    for scale in &scales {
        out += "<tbody>\n";
        for (what, points) in scale {
            out += &row(&format!("<code>{}</code>", escaped(what)), *points);
        }
        out += "</tbody>\n";
    }
    out + "</table>\n"
}
