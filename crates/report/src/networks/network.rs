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
fn input_label(input: &Input, model: &NetworkModel) -> String {
    match input.encoding {
        Encoding::Number | Encoding::Truth => input.column.clone(),
        Encoding::LogOdds { .. } | Encoding::Steps { .. } => match input.class {
            None => format!("{} (log odds)", input.column),
            Some(class) => {
                let class = model.schema.classes.get(class as usize).map_or("", String::as_str);
                format!("{} (log odds of {class})", input.column)
            }
        },
        Encoding::Means { .. } | Encoding::MeanSteps { .. } => format!("{} (mean)", input.column),
    }
}

/// Returns the names of the outputs that are drawn: the positive one of two classes, each of several
/// classes, or the target.
fn output_names(model: &NetworkModel) -> Vec<String> {
    let schema = &model.schema;
    let names = match (model.body.outputs, schema.number) {
        (1, Some(_)) => vec![schema.target.clone().unwrap_or_default()],
        (1, None) => vec![schema.classes.get(1).cloned().unwrap_or_else(|| "score".to_owned())],
        _ => schema.classes.iter().take(NODES).cloned().collect(),
    };
    // A long name would leave the picture.
    names.into_iter().map(|name| name.chars().take(16).collect()).collect()
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
    let tallest = tallest.max(networks.outputs.min(NODES));
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
    let (last, names) = (columns.last().copied().unwrap_or(0), output_names(model));
    let end = |output: usize| [WIDTH - 110.0, y(output, names.len())];
    for output in 0..names.len() {
        let weights = &member.genes[networks.output_weights(output)];
        let from = |node: usize| [x(columns.len()), y(node, last)];
        out += &output_links(&weights[..last], from, end(output));
    }
    for (place, &input) in inputs.iter().enumerate() {
        let at = y(place, inputs.len());
        out += &label(
            x(0) - 8.0,
            at + 4.0,
            "",
            "end",
            &input_label(&networks.preparation.inputs[input], model),
        );
        out += &dot(x(0), at);
    }
    for (column, &count) in columns.iter().enumerate() {
        (0..count).for_each(|node| out += &dot(x(column + 1), y(node, count)));
    }
    for (output, name) in names.iter().enumerate() {
        let [x, y] = end(output);
        out += &dot(x, y);
        out += &label(x + 10.0, y + 4.0, "", "start", name);
    }
    (out, top + room + 10.0)
}

/// Draws the links from nodes to an output.
fn output_links(weights: &[f32], from: impl Fn(usize) -> [f64; 2], to: [f64; 2]) -> String {
    let largest = weights.iter().fold(1e-9_f32, |most, weight| most.max(weight.abs()));
    let draw = |(node, weight): (usize, &f32)| link(f64::from(weight / largest), from(node), to);
    weights.iter().enumerate().map(draw).collect()
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
