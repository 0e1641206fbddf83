//! The model drawn: a network, what one finds by taking the best rows first, and how the score moves with columns.

use super::text::shown;
use crate::model::{Effect, Judged, NetworkModel, Value};
use crate::prepare::{Encoding, Input};
use std::fmt::Write as _;

/// Inputs that are drawn at most, those with the strongest links.
const INPUTS: usize = 24;
/// Nodes that are drawn at most.
const NODES: usize = 24;
/// Columns whose effects are drawn.
const EFFECTS: usize = 8;
/// The height of a line.
const LINE: f64 = 18.0;
/// The width of the picture.
const WIDTH: f64 = 880.0;

const STYLE: &str = "text{font:12px sans-serif;fill:#222}.h{font-weight:bold;font-size:13px}.s{fill:#666;font-size:11px}.up{stroke:#2166ac}.down{stroke:#b2182b}.line{fill:none;stroke:#2166ac;stroke-width:1.8}.axis{stroke:#999;stroke-width:1}.chance{stroke:#999;stroke-dasharray:4 4}";

/// The model as a picture.
#[must_use]
pub fn svg(model: &NetworkModel) -> String {
    let (network, mut height) = network(model);
    let mut body = network;
    if let Some(judged) = &model.model.judged {
        let (part, tall) = gains(judged, height + 30.0, model);
        body += &part;
        height += 30.0 + tall;
    }
    let (part, tall) = effects(model, height + 30.0);
    body += &part;
    height += 30.0 + tall;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH:.0} {height:.0}\" width=\"{WIDTH:.0}\" height=\"{height:.0}\">\n<style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{body}</svg>\n"
    )
}

/// A text that means nothing but itself.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '"' => out += "&quot;",
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}

fn label(x: f64, y: f64, class: &str, anchor: &str, text: &str) -> String {
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\" text-anchor=\"{anchor}\">{}</text>\n",
        escaped(text)
    )
}

/// What an input is called.
fn called(input: &Input) -> String {
    match input.encoding {
        Encoding::Number | Encoding::Truth => input.column.clone(),
        Encoding::LogOdds { .. } | Encoding::Steps { .. } => format!("{} (odds)", input.column),
    }
}

/// The first network: inputs on the left, nodes, the output on the right; links as thick as they are strong.
fn network(model: &NetworkModel) -> (String, f64) {
    let networks = &model.model;
    let (shape, Some(member)) = (&networks.shape, networks.members.first()) else {
        return (String::new(), 0.0);
    };
    let strength = |input: usize| -> f32 {
        (0..shape.layers()[0].nodes)
            .map(|node| member.genes[shape.weights_of(0, node)][input].abs())
            .sum()
    };
    let mut inputs: Vec<usize> = (0..shape.inputs()).collect();
    inputs.sort_by(|&a, &b| strength(b).total_cmp(&strength(a)).then(a.cmp(&b)));
    inputs.truncate(INPUTS);
    inputs.sort_unstable();
    let columns: Vec<usize> = shape.layers().iter().map(|layer| layer.nodes.min(NODES)).collect();
    let tallest = columns.iter().copied().max().unwrap_or(1).max(inputs.len());
    let (top, room) = (46.0, tallest as f64 * LINE);
    let y = |place: usize, count: usize| top + (place as f64 + 0.5) * room / count.max(1) as f64;
    let x =
        |column: usize| 210.0 + (column as f64) * (WIDTH - 330.0) / (columns.len() as f64 + 1.0);
    let head = match networks.members.len() {
        1 => "The network".to_owned(),
        count => format!("The first of {count} networks"),
    };
    let mut out = label(20.0, 24.0, "h", "start", &head);
    let mut note = "blue links have positive weights, red links negative ones".to_owned();
    let hidden = shape.inputs() - inputs.len();
    if hidden > 0 {
        let _ = write!(note, "; {hidden} inputs with weaker links are not drawn");
    }
    out += &label(WIDTH - 20.0, 24.0, "s", "end", &note);
    for (column, &count) in columns.iter().enumerate() {
        let from: Vec<usize> =
            if column == 0 { inputs.clone() } else { (0..columns[column - 1]).collect() };
        let largest = (0..count)
            .flat_map(|node| member.genes[shape.weights_of(column, node)].iter())
            .fold(1e-9_f32, |most, weight| most.max(weight.abs()));
        for node in 0..count {
            let weights = &member.genes[shape.weights_of(column, node)];
            for (place, &input) in from.iter().enumerate() {
                let share = f64::from(weights[input] / largest);
                if share.abs() >= 0.08 {
                    out += &link(
                        share,
                        [x(column), y(place, from.len())],
                        [x(column + 1), y(node, count)],
                    );
                }
            }
        }
    }
    let last = columns.last().copied().unwrap_or(0);
    let outputs = &member.genes[shape.outputs()];
    let largest = outputs.iter().fold(1e-9_f32, |most, weight| most.max(weight.abs()));
    let end = [WIDTH - 110.0, top + room / 2.0];
    for (node, &weight) in outputs.iter().take(last).enumerate() {
        out += &link(f64::from(weight / largest), [x(columns.len()), y(node, last)], end);
    }
    for (place, &input) in inputs.iter().enumerate() {
        let at = y(place, inputs.len());
        out +=
            &label(x(0) - 8.0, at + 4.0, "", "end", &called(&networks.preparation.inputs[input]));
        out += &dot(x(0), at);
    }
    for (column, &count) in columns.iter().enumerate() {
        (0..count).for_each(|node| out += &dot(x(column + 1), y(node, count)));
    }
    out += &dot(end[0], end[1]);
    let positive = model.schema.classes.get(1).map_or("score", String::as_str);
    out += &label(end[0] + 10.0, end[1] + 4.0, "", "start", positive);
    (out, top + room + 10.0)
}

fn dot(x: f64, y: f64) -> String {
    format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"#fff\" stroke=\"#444\"/>\n")
}

fn link(share: f64, [x, y]: [f64; 2], [to_x, to_y]: [f64; 2]) -> String {
    let class = if share > 0.0 { "up" } else { "down" };
    let (thick, clear) = (0.4 + 2.6 * share.abs(), 0.15 + 0.75 * share.abs());
    format!(
        "<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{to_x:.1}\" y2=\"{to_y:.1}\" class=\"{class}\" stroke-width=\"{thick:.2}\" opacity=\"{clear:.2}\"/>\n"
    )
}

/// What one finds by taking the best rows first.
fn gains(judged: &Judged, top: f64, model: &NetworkModel) -> (String, f64) {
    let positive = model.schema.classes.get(1).map_or("positive", String::as_str);
    let (left, size) = (80.0, 220.0);
    let at = |taken: f64, found: f64| (left + size * taken, top + 40.0 + size * (1.0 - found));
    let head = format!(
        "Of all '{positive}', found by taking the best rows first (rows that had no part in learning)"
    );
    let mut out = label(20.0, top + 14.0, "h", "start", &head);
    let (x, y) = at(0.0, 0.0);
    let (end, above) = at(1.0, 1.0);
    let _ = writeln!(
        out,
        "<path class=\"axis\" fill=\"none\" d=\"M{x:.1} {above:.1}V{y:.1}H{end:.1}\"/>"
    );
    let _ = writeln!(
        out,
        "<line class=\"chance\" x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{end:.1}\" y2=\"{above:.1}\"/>"
    );
    let mut path = format!("M{x:.1} {y:.1}");
    for gain in &judged.gains {
        let (x, y) = at(gain.taken, gain.found);
        let _ = write!(path, "L{x:.1} {y:.1}");
    }
    let _ = writeln!(out, "<path class=\"line\" d=\"{path}L{end:.1} {above:.1}\"/>");
    for share in [0.0, 0.5, 1.0] {
        let (x, y) = at(share, share);
        let told = format!("{:.0} %", 100.0 * share);
        out += &label(x, top + 56.0 + size, "s", "middle", &told);
        out += &label(left - 6.0, y + 4.0, "s", "end", &told);
    }
    for (place, gain) in judged.gains.iter().enumerate() {
        let told = format!(
            "the best {:.0} % of the rows hold {:.1} %: {:.2} times chance",
            100.0 * gain.taken,
            100.0 * gain.found,
            gain.lift
        );
        out += &label(left + size + 60.0, top + 54.0 + LINE * place as f64, "", "start", &told);
    }
    (out, size + 66.0)
}

/// How the score moves with the columns on which most rests.
fn effects(model: &NetworkModel, top: f64) -> (String, f64) {
    let shown_effects: Vec<&Effect> =
        model.model.effects.iter().filter(|effect| effect.points.len() > 1).take(EFFECTS).collect();
    if shown_effects.is_empty() {
        return (String::new(), 0.0);
    }
    let mut out = label(
        20.0,
        top + 14.0,
        "h",
        "start",
        "How the score moves with a column, where all rows have the value",
    );
    let (wide, tall, across) = (200.0, 110.0, 4);
    let all = shown_effects.iter().flat_map(|effect| &effect.points).map(|point| point.score.abs());
    let most = all.fold(0.1_f64, f64::max);
    for (place, effect) in shown_effects.iter().enumerate() {
        let left = 20.0 + (place % across) as f64 * (wide + 12.0);
        let above = top + 30.0 + (place / across) as f64 * (tall + 44.0);
        let zero = above + 20.0 + (tall - 20.0) / 2.0;
        let y = |score: f64| zero - score / most * (tall - 24.0) / 2.0;
        let x =
            |at: usize| left + 8.0 + at as f64 * (wide - 16.0) / (effect.points.len() - 1) as f64;
        let head = format!("{} ({:.3})", effect.column, effect.importance.max(0.0));
        out += &label(left, above + 12.0, "", "start", &head);
        let right = left + wide;
        let _ = writeln!(
            out,
            "<line class=\"axis\" x1=\"{left:.1}\" y1=\"{zero:.1}\" x2=\"{right:.1}\" y2=\"{zero:.1}\"/>"
        );
        // Numbers have others between them; words stand for themselves.
        let is_numeric = matches!(effect.points[0].value, Value::Number(_));
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
            let told = shown(&effect.points[at].value, &effect.column, model);
            let short: String = told.chars().take(16).collect();
            out += &label(x, above + tall + 16.0, "s", anchor, &short);
        }
    }
    let rows = shown_effects.len().div_ceil(across) as f64;
    (out, 30.0 + rows * (tall + 44.0))
}
