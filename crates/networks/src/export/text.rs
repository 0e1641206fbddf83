//! The model on a page: what it predicts, how well, what it goes by, and what its networks look like.

use super::header;
use crate::decide::Decision;
use crate::model::{Effect, Judged, NetworkModel, Origin, OutputScale, Value};
use pellucid_data::visible_line;
use pellucid_forward::Activation;
use pellucid_learn::metrics::Estimate;
use pellucid_ruleset::export::paragraph;
use std::borrow::Cow;
use std::fmt::Write as _;

/// Columns whose effects are told; the model file has more.
const COLUMNS: usize = 10;
/// Nodes that are told of a small network.
const NODES: usize = 8;
/// Links that are told of a node.
const LINKS: usize = 3;

/// The model as a person reads it.
#[must_use]
pub fn text(model: &NetworkModel) -> String {
    let networks = &model.model;
    let positive = &positive(model);
    let mut out = paragraph("", 2, &header(model)) + "\n";
    out += &paragraph("", 0, &about(model));
    if let Some(judged) = &networks.judged {
        out += "\n";
        out += &judged_text(judged, positive);
    } else {
        out += "\n";
        out += &paragraph(
            "",
            0,
            "How well it ranks rows that it has not seen was not found out when it was learned.",
        );
    }
    if !networks.effects.is_empty() {
        out += "\n";
        out += &effects(&networks.effects, positive, model);
    }
    out += &nodes(model);
    if !networks.constant.is_empty() {
        out += "\n";
        let constant = networks.constant.join(", ");
        let line =
            format!("Left out, because all values are the same: {}.", visible_line(&constant));
        out += &paragraph("", 0, &line);
    }
    out
}

/// The class that rows are ranked by.
fn positive(model: &NetworkModel) -> Cow<'_, str> {
    visible_line(model.schema.classes.get(1).map_or("positive", String::as_str))
}

/// What the networks are.
fn about(model: &NetworkModel) -> String {
    let networks = &model.model;
    let count = networks.members.len();
    let layers: Vec<String> = networks
        .shape
        .layers()
        .iter()
        .map(|layer| {
            let kind = match layer.activation {
                Activation::Rbf(_) => "radial",
                Activation::Sigmoid => "sigmoid",
                Activation::Tanh => "tanh",
                Activation::Relu => "rectified",
            };
            format!("{} {kind} nodes", layer.nodes)
        })
        .collect();
    let who = match count {
        1 => "One network ranks".to_owned(),
        _ => format!("{count} networks rank together"),
    };
    let bred = networks.members.iter().filter(|member| member.origin == Origin::Search).count();
    let bred = match (bred, count) {
        (0, _) if model.params.generations() == 0 => "trained by gradient".to_owned(),
        (0, _) => {
            "trained by gradient; nothing bred from them was better on rows held out".to_owned()
        }
        (bred, count) if bred == count => "bred on the metric".to_owned(),
        (bred, count) => format!(
            "{} trained by gradient and {bred} bred from such on the metric, where that was better on rows held out",
            count - bred
        ),
    };
    let share = 100.0 * networks.rows.positive as f64 / networks.rows.all.max(1) as f64;
    format!(
        "{who}, of {} inputs and {} each, {bred}. Learned from {} rows, {share:.1} % of them '{}'. The score is the mean of the networks' logarithms of the odds of '{}': the higher, the likelier. {}",
        networks.shape.inputs(),
        layers.join(" and "),
        networks.rows.all,
        positive(model),
        positive(model),
        decided(model)
    )
}

/// How a score becomes a class.
fn decided(model: &NetworkModel) -> String {
    let decision = Decision::of(model);
    let named =
        |place: usize| visible_line(model.schema.classes.get(place).map_or("", String::as_str));
    match decision.threshold() {
        Some(threshold) => {
            format!("'{}' is predicted for scores above {threshold:+.3}.", positive(model))
        }
        None => format!("All rows are predicted '{}'.", named(decision.class(0.0) as usize)),
    }
}

/// What rows that had no part in learning showed.
fn judged_text(judged: &Judged, positive: &str) -> String {
    let range = |estimate: &Estimate, digits: usize| {
        format!(
            "{:.digits$} ({:.digits$} to {:.digits$})",
            estimate.value, estimate.low, estimate.high
        )
    };
    let mut line = format!(
        "On rows that had no part in learning ({}, {} of them '{positive}'), by models learned in the same way without them",
        judged.rows.all, judged.rows.positive
    );
    if let (Some(lift), Some(auc)) = (&judged.lift_at_20, &judged.auc) {
        let _ = write!(
            line,
            ": lift of the best fifth {}, area under the ROC curve {}. In brackets are 95 % intervals",
            range(lift, 2),
            range(auc, 3)
        );
    }
    let mut out = paragraph("", 0, &(line + "."));
    if !judged.gains.is_empty() {
        let _ = write!(
            out,
            "\n  taking the best   finds of all '{positive}'   times more than by chance\n"
        );
        for gain in &judged.gains {
            let (taken, found) = (100.0 * gain.taken, 100.0 * gain.found);
            let _ = writeln!(out, "  {taken:>11.0} %   {found:>11.1} %   {:>20.2}", gain.lift);
        }
    }
    if !judged.calibration.is_empty() {
        out += "\n";
        let groups = &judged.calibration;
        let tenths =
            [("least likely", 0), ("middle", groups.len() / 2), ("likeliest", groups.len() - 1)];
        let told = tenths.into_iter().filter_map(|(which, place)| {
            let group = groups.get(place)?;
            let (foretold, happened) = (100.0 * group.probability, 100.0 * group.happened);
            Some(format!("of the {which} tenth of the rows {foretold:.1} % and {happened:.1} %"))
        });
        let line = format!(
            "Probabilities, and what happened: {}.",
            told.collect::<Vec<String>>().join("; ")
        );
        out += &paragraph("", 0, &line);
    }
    out
}

/// How the score moves with columns.
fn effects(effects: &[Effect], positive: &str, model: &NetworkModel) -> String {
    let mut out = paragraph(
        "",
        0,
        &format!(
            "What it goes by: the area under the ROC curve that is lost when a column's values are dealt to other rows, and how far the score for '{positive}' moves where all rows have a value."
        ),
    );
    out += "\n";
    for effect in effects.iter().take(COLUMNS) {
        let points: Vec<String> = effect
            .points
            .iter()
            .map(|point| {
                format!("{}: {:+.2}", shown(&point.value, &effect.column, model), point.score)
            })
            .collect();
        let column = visible_line(&effect.column);
        let first = format!("  {:.3}  {column}  ", effect.importance.max(0.0));
        out += &paragraph(&first, 9, &points.join(", "));
    }
    let rest = effects.len().saturating_sub(COLUMNS);
    if rest > 0 {
        let _ = writeln!(out, "  and {rest} more columns, on which less rests");
    }
    out
}

/// A value as a person reads it.
pub(super) fn shown(value: &Value, column: &str, model: &NetworkModel) -> String {
    match value {
        Value::Number(number) => match model.schema.reading.date(column) {
            Some(format) => format.show(*number),
            None => short(*number),
        },
        Value::Truth(truth) => if *truth { "yes" } else { "no" }.to_owned(),
        Value::Word(word) => format!("'{}'", visible_line(word)),
    }
}

/// A number with as many digits as the eye needs.
fn short(number: f64) -> String {
    if number == number.trunc() && number.abs() < 1e15 {
        return format!("{number:.0}");
    }
    let text = format!("{number:.3}");
    if number.abs() >= 0.001 && number.abs() < 1e6 {
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    format!("{number:.2e}")
}

/// The nodes of a network that is small enough to be told.
fn nodes(model: &NetworkModel) -> String {
    let networks = &model.model;
    let shape = &networks.shape;
    let [layer] = shape.layers() else { return String::new() };
    let Some(member) = networks.members.first().filter(|_| networks.members.len() == 1) else {
        return String::new();
    };
    if layer.nodes > NODES {
        return String::new();
    }
    let mut out = match networks.scale {
        OutputScale::Linear => {
            "\nIts nodes, with what each adds where it answers most, and its strongest links:\n\n"
        }
        OutputScale::Logarithmic => {
            "\nIts nodes, with their weights in the sum whose logarithm is the score, and their strongest links:\n\n"
        }
    }
    .to_owned();
    for node in 0..layer.nodes {
        let gene = f64::from(member.genes[shape.outputs().start + node]);
        let weight = match networks.scale {
            OutputScale::Linear => member.slope * gene,
            OutputScale::Logarithmic => gene,
        };
        let weights = &member.genes[shape.weights_of(0, node)];
        let centres = &member.genes[shape.centres_of(0, node)];
        let mut order: Vec<usize> = (0..weights.len()).collect();
        order.sort_by(|&a, &b| weights[b].abs().total_cmp(&weights[a].abs()).then(a.cmp(&b)));
        let link = |&input: &usize| {
            let column = visible_line(&networks.preparation.inputs[input].column);
            match centres.get(input) {
                Some(&centre) if weights[input] != 0.0 => {
                    format!("{column} near {:+.1}", f64::from(centre / weights[input]))
                }
                Some(_) => format!("{column} anywhere"),
                None => format!("{:+.1} × {column}", weights[input]),
            }
        };
        let links: Vec<String> = order.iter().take(LINKS).map(link).collect();
        out += &paragraph(&format!("  {weight:+.2}  "), 9, &links.join(", "));
    }
    out += "\n";
    out + &paragraph(
        "",
        0,
        "Inputs are told on their own scale, on which -1 to 1 is where most rows lie.",
    )
}
