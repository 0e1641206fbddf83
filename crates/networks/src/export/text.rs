//! The text form of a model: what it predicts, how well, which columns matter, and its nodes.

use super::header;
use crate::decide::{Decision, calibration_of};
use crate::model::{
    CalibrationGroup, EffectPoint, EffectValue, FeatureEffect, HeldOutEvaluation, MemberOrigin,
    NetworkModel, OutputScale,
};
use crate::task::NetworkTask;
use pellucid_data::visible_line;
use pellucid_export::wrap::paragraph;
use pellucid_forward::Activation;
use pellucid_learn::digits::{significant, three_decimals};
use pellucid_learn::metrics::Estimate;
use std::borrow::Cow;
use std::fmt::Write as _;

/// The maximum number of columns whose effects are shown; the model file has more.
const COLUMNS: usize = 10;
/// The largest network whose nodes are shown.
const NODES: usize = 8;
/// The number of links shown for each node.
const LINKS: usize = 3;

/// Returns the model as text.
#[must_use]
pub fn text(model: &NetworkModel) -> String {
    let (networks, task) = (&model.body, NetworkTask::of_schema(&model.schema));
    let mut out = paragraph("", 2, &header(model)) + "\n";
    out += &paragraph("", 0, &about(model));
    out += &match (&networks.held_out, task) {
        // The model of a number does not contain its estimate.
        (_, NetworkTask::Number) => String::new(),
        (Some(held_out), NetworkTask::TwoClasses) => {
            "\n".to_owned() + &held_out_text(held_out, &positive(model))
        }
        (Some(held_out), NetworkTask::Classes(_)) => "\n".to_owned() + &held_out_classes(held_out),
        (None, _) => paragraph("\n", 0, "Held-out performance was not measured."),
    };
    if !networks.effects.is_empty() {
        out += "\n";
        out += &effects(&networks.effects, model, task);
    }
    out += &nodes(model);
    if !networks.constant.is_empty() {
        out += "\n";
        let constant = networks.constant.join(", ");
        let line = format!("Ignored constant columns: {}.", visible_line(&constant));
        out += &paragraph("", 0, &line);
    }
    out
}

/// Returns the name of the positive class.
fn positive(model: &NetworkModel) -> Cow<'_, str> {
    visible_line(model.schema.classes.get(1).map_or("positive", String::as_str))
}

/// Describes the networks, the score, and the decision rule.
fn about(model: &NetworkModel) -> String {
    let networks = &model.body;
    let layers: Vec<String> = networks
        .shape
        .layers()
        .iter()
        .map(|layer| {
            let kind = match layer.activation {
                Activation::Rbf(_) => "radial",
                Activation::Sigmoid => "sigmoid",
                Activation::Tanh => "tanh",
                Activation::Relu => "ReLU",
            };
            format!("{} {kind} nodes", layer.nodes)
        })
        .collect();
    let size = format!("{} inputs and {}", networks.shape.inputs(), layers.join(" and "));
    let task = NetworkTask::of_schema(&model.schema);
    let (networks, score) = match (networks.members.len(), task) {
        (1, NetworkTask::TwoClasses) => {
            (format!("One network with {size}"), "The score is its estimate of the log odds")
        }
        (1, _) => (format!("One network with {size}"), "its output"),
        (count, NetworkTask::TwoClasses) => (
            format!("An ensemble of {count} networks with {size} each"),
            "The score is the mean of the networks' log odds",
        ),
        (count, _) => (
            format!("An ensemble of {count} networks with {size} each"),
            "the mean of the networks' outputs",
        ),
    };
    let training = training(model);
    match task {
        NetworkTask::TwoClasses => format!(
            "{networks}, {training}. {score} of '{}'; a higher score means a higher probability. {}",
            positive(model),
            decision_rule(model)
        ),
        NetworkTask::Classes(_) => format!(
            "{networks}, {training}. The score of a class is {score}. Predicts the class with the \
             highest {}.",
            match calibration_of(model) {
                Some(_) => "probability, the calibrated softmax of the scores",
                None => "score",
            }
        ),
        NetworkTask::Number => {
            let target = model.schema.target.as_deref().unwrap_or("target");
            format!("{networks}, {training}. {} is {score}.", visible_line(target))
        }
    }
}

/// Describes how the networks were trained.
fn training(model: &NetworkModel) -> String {
    let members = &model.body.members;
    let count = members.len();
    match members.iter().filter(|member| member.origin == MemberOrigin::Search).count() {
        0 if model.params.generations() == 0
            || NetworkTask::of_schema(&model.schema) != NetworkTask::TwoClasses =>
        {
            "trained by gradient descent".to_owned()
        }
        0 => "trained by gradient descent; the search found nothing better on held-out rows"
            .to_owned(),
        bred if bred == count => "trained by genetic search on the metric".to_owned(),
        bred => format!(
            "{} trained by gradient descent and {bred} improved by the search, \
             where that was better on held-out rows",
            count - bred
        ),
    }
}

/// Describes how a score becomes a class.
fn decision_rule(model: &NetworkModel) -> String {
    let decision = Decision::of(model);
    let named =
        |class: usize| visible_line(model.schema.classes.get(class).map_or("", String::as_str));
    match decision.threshold() {
        Some(threshold) => {
            format!("Predicts '{}' if the score is above {threshold:+.3}.", positive(model))
        }
        None => format!("Predicts '{}' for every row.", named(decision.class(0.0) as usize)),
    }
}

/// Describes the performance on held-out rows: metrics, gains, and calibration.
fn held_out_text(held_out: &HeldOutEvaluation, positive: &str) -> String {
    let range = |estimate: &Estimate, digits: usize| {
        format!(
            "{:.digits$} ({:.digits$} to {:.digits$})",
            estimate.value, estimate.low, estimate.high
        )
    };
    let rows = format!("{} rows, {} '{positive}'", held_out.rows.all, held_out.rows.positive);
    let line = match (&held_out.lift_at_20, &held_out.auc) {
        (Some(lift), Some(auc)) => format!(
            "Held-out performance ({rows}): lift in the top 20 % {}, area under the ROC curve {}. \
             Ranges are 95 % confidence intervals.",
            range(lift, 2),
            range(auc, 3)
        ),
        _ => format!("Held-out performance ({rows})."),
    };
    let mut out = paragraph("", 0, &line);
    if !held_out.gains.is_empty() {
        let head = format!("share of '{positive}' found");
        let _ = write!(out, "\n  highest scores   {head}   lift\n");
        let width = head.chars().count() - 2;
        for gain in &held_out.gains {
            let (taken, found) = (100.0 * gain.taken, 100.0 * gain.found);
            let _ = writeln!(out, "  {taken:>12.0} %   {found:>width$.1} %   {:>4.2}", gain.lift);
        }
    }
    out + &calibration_text(&held_out.calibration, positive)
}

/// Compares predicted probabilities with observed frequencies; empty without probabilities.
fn calibration_text(groups: &[CalibrationGroup], positive: &str) -> String {
    let Some(last) = groups.len().checked_sub(1) else { return String::new() };
    let tenths = [("lowest", 0), ("middle", groups.len() / 2), ("highest", last)];
    let tenths: Vec<String> = tenths
        .into_iter()
        .map(|(which, group)| {
            let CalibrationGroup { probability, observed, .. } = groups[group];
            let (predicted, observed) = (100.0 * probability, 100.0 * observed);
            format!("{which} tenth of the rows {predicted:.1} % and {observed:.1} %")
        })
        .collect();
    let line = format!(
        "Calibration (mean predicted probability of '{positive}' and observed share): {}.",
        tenths.join("; ")
    );
    "\n".to_owned() + &paragraph("", 0, &line)
}

/// Describes the performance of a model of more than two classes on held-out rows.
fn held_out_classes(held_out: &HeldOutEvaluation) -> String {
    let figures = [("accuracy", &held_out.accuracy), ("log loss", &held_out.log_loss)];
    let figures: Vec<String> = figures
        .into_iter()
        .filter_map(|(name, figure)| {
            let Estimate { value, low, high } = figure.as_ref()?;
            Some(format!("{name} {value:.3} ({low:.3} to {high:.3})"))
        })
        .collect();
    let line = format!(
        "Held-out performance ({} rows): {}. Ranges are 95 % confidence intervals.",
        held_out.rows.all,
        figures.join(", ")
    );
    paragraph("", 0, &line)
}

/// Returns the heading of the list of effects.
fn effects_heading(model: &NetworkModel, task: NetworkTask) -> String {
    let (loss, change) = match task {
        NetworkTask::TwoClasses => {
            let change = format!("change of the score for '{}'", positive(model));
            ("area under the ROC curve", change)
        }
        NetworkTask::Classes(_) => {
            ("accuracy", "largest change of the log odds of a class".to_owned())
        }
        NetworkTask::Number => {
            let target = model.schema.target.as_deref().unwrap_or("target");
            ("R²", format!("change of the predicted {}", visible_line(target)))
        }
    };
    format!(
        "Permutation importance (loss of {loss} when a column is permuted) and feature effect \
         (partial dependence: {change} when all rows have the given value):"
    )
}

/// Lists the permutation importance and the feature effects of the most important columns.
fn effects(effects: &[FeatureEffect], model: &NetworkModel, task: NetworkTask) -> String {
    let mut out = paragraph("", 0, &effects_heading(model, task));
    out += "\n";
    for effect in effects.iter().take(COLUMNS) {
        let points: Vec<String> = effect
            .points
            .iter()
            .map(|point| {
                let value = format_value(&point.value, &effect.column, model);
                format!("{value}: {}", change_text(point, model, task))
            })
            .collect();
        let column = visible_line(&effect.column);
        let first = format!("  {:.3}  {column}  ", effect.importance.max(0.0));
        out += &paragraph(&first, 9, &points.join(", "));
    }
    let rest = effects.len().saturating_sub(COLUMNS);
    if rest > 0 {
        let _ = writeln!(out, "  and {rest} less important columns");
    }
    out
}

/// Formats an effect: the change of the score or the number, or the class that changes most.
fn change_text(point: &EffectPoint, model: &NetworkModel, task: NetworkTask) -> String {
    match task {
        NetworkTask::TwoClasses => format!("{:+.2}", point.score),
        NetworkTask::Number if point.score < 0.0 => significant(point.score, 3),
        NetworkTask::Number => format!("+{}", significant(point.score, 3)),
        NetworkTask::Classes(_) => {
            let changes = point.by_class.iter().zip(&model.schema.classes);
            let most = changes.max_by(|one, other| one.0.abs().total_cmp(&other.0.abs()));
            most.map_or_else(String::new, |(change, class)| {
                format!("{} {change:+.2}", visible_line(class))
            })
        }
    }
}

/// Formats a value of a column.
#[must_use]
pub fn format_value(value: &EffectValue, column: &str, model: &NetworkModel) -> String {
    match value {
        EffectValue::Number(number) => match model.schema.reading.date(column) {
            Some(format) => format.show(*number),
            None => three_decimals(*number),
        },
        EffectValue::Truth(truth) => if *truth { "yes" } else { "no" }.to_owned(),
        EffectValue::Word(word) => format!("'{}'", visible_line(word)),
    }
}

/// Lists the nodes of a small single network.
fn nodes(model: &NetworkModel) -> String {
    let networks = &model.body;
    let shape = &networks.shape;
    let [layer] = shape.layers() else { return String::new() };
    let Some(member) = networks.members.first().filter(|_| networks.members.len() == 1) else {
        return String::new();
    };
    if layer.nodes > NODES || networks.outputs > 1 {
        return String::new();
    }
    let mut out = match networks.scale {
        OutputScale::Linear => {
            "\nNodes, each with the most it can add to the score, and its strongest links:\n\n"
        }
        OutputScale::Logarithmic => {
            "\nNodes, each with its weight in the output, and its strongest links. The score follows\n\
             the logarithm of the output.\n\n"
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
                Some(_) => format!("{column} (any value)"),
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
        "Inputs are scaled so that the middle 80 % of the rows lie between -1 and 1.",
    )
}
