//! Draws the feature effects.

use super::label;
use pellucid_data::visible_line;
use pellucid_learn::digits::significant;
use pellucid_networks::export::format_value;
use pellucid_networks::model::{EffectValue, FeatureEffect, NetworkModel};
use std::fmt::Write as _;

/// The number of columns whose effects are drawn.
const EFFECTS: usize = 8;

/// Returns the heading: what the effects are changes of.
fn heading(model: &NetworkModel) -> String {
    let of = match (model.body.outputs, model.schema.number) {
        (1, None) => "the score".to_owned(),
        (1, Some(_)) => {
            visible_line(model.schema.target.as_deref().unwrap_or("the number")).into_owned()
        }
        _ => "the log odds of the class that changes most".to_owned(),
    };
    format!("Feature effects (partial dependence): change of {of} when all rows have a value")
}

/// Draws the effects of the most important columns. Returns the elements and their height.
pub(super) fn effects(model: &NetworkModel, top: f64) -> (String, f64) {
    let shown_effects: Vec<&FeatureEffect> =
        model.body.effects.iter().filter(|effect| effect.points.len() > 1).take(EFFECTS).collect();
    if shown_effects.is_empty() {
        return (String::new(), 0.0);
    }
    let mut out = label(20.0, top + 14.0, "h", "start", &heading(model));
    let (width, height, across) = (200.0, 110.0, 4);
    let all = shown_effects.iter().flat_map(|effect| &effect.points).map(|point| point.score.abs());
    let most = match model.schema.number {
        Some(_) => all.fold(f64::MIN_POSITIVE, f64::max),
        None => all.fold(0.1_f64, f64::max),
    };
    let scale = match model.schema.number {
        Some(_) => significant(most, 3),
        None => format!("{most:.1}"),
    };
    let note = format!(
        "vertical scale -{scale} to +{scale}; numbers at quantiles; in parentheses: permutation importance"
    );
    out += &label(20.0, top + 30.0, "s", "start", &note);
    let top = top + 16.0;
    for (place, effect) in shown_effects.iter().enumerate() {
        let left = 20.0 + (place % across) as f64 * (width + 12.0);
        let above = top + 30.0 + (place / across) as f64 * (height + 44.0);
        let zero = above + 20.0 + (height - 20.0) / 2.0;
        let y = |score: f64| zero - score / most * (height - 24.0) / 2.0;
        let x =
            |at: usize| left + 8.0 + at as f64 * (width - 16.0) / (effect.points.len() - 1) as f64;
        let head = format!("{} ({:.3})", visible_line(&effect.column), effect.importance.max(0.0));
        out += &label(left, above + 12.0, "", "start", &head);
        let right = left + width;
        let _ = writeln!(
            out,
            "<line class=\"axis\" x1=\"{left:.1}\" y1=\"{zero:.1}\" \
             x2=\"{right:.1}\" y2=\"{zero:.1}\"/>"
        );
        // Numbers are joined by a line; categories are separate bars.
        let is_numeric = matches!(effect.points[0].value, EffectValue::Number(_));
        let steps = effect.points.iter().enumerate().map(|(at, point)| {
            let (x, y) = (x(at), y(point.score));
            match (is_numeric, at) {
                (true, 0) => format!("M{x:.1} {y:.1}"),
                (true, _) => format!("L{x:.1} {y:.1}"),
                (false, _) => format!("M{x:.1} {zero:.1}V{y:.1}"),
            }
        });
        let _ = writeln!(out, "<path class=\"line\" d=\"{}\"/>", steps.collect::<String>());
        let ends = [(0, "start", left), (effect.points.len() - 1, "end", right)];
        for (at, anchor, x) in ends {
            let value = format_value(&effect.points[at].value, &effect.column, model);
            let short: String = value.chars().take(16).collect();
            out += &label(x, above + height + 16.0, "s", anchor, &short);
        }
    }
    let rows = shown_effects.len().div_ceil(across) as f64;
    (out, 46.0 + rows * (height + 44.0))
}
