//! Draws a network: inputs on the left, hidden nodes, and the output on the right.

use super::{LINE, WIDTH, label};
use pellucid_networks::model::NetworkModel;
use pellucid_networks::prepare::{Encoding, Input};
use std::fmt::Write as _;

/// The maximum number of inputs, those with the strongest links.
const INPUTS: usize = 24;
/// The maximum number of nodes per layer.
const NODES: usize = 24;

/// Returns the label of an input.
fn input_label(input: &Input) -> String {
    match input.encoding {
        Encoding::Number | Encoding::Truth => input.column.clone(),
        Encoding::LogOdds { .. } | Encoding::Steps { .. } => format!("{} (log odds)", input.column),
    }
}

/// Draws the first network; the width of a link shows its strength. Returns the elements and their
/// height.
pub(super) fn network(model: &NetworkModel) -> (String, f64) {
    let networks = &model.body;
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
    let mut note = "blue: positive weight; red: negative weight".to_owned();
    let hidden = shape.inputs() - inputs.len();
    if hidden > 0 {
        let _ = write!(note, "; {hidden} inputs with weak links not shown");
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
        out += &label(
            x(0) - 8.0,
            at + 4.0,
            "",
            "end",
            &input_label(&networks.preparation.inputs[input]),
        );
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
    let (width, opacity) = (0.4 + 2.6 * share.abs(), 0.15 + 0.75 * share.abs());
    format!(
        "<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{to_x:.1}\" y2=\"{to_y:.1}\" class=\"{class}\" \
         stroke-width=\"{width:.2}\" opacity=\"{opacity:.2}\"/>\n"
    )
}
