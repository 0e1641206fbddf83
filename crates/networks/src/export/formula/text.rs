//! The formula as text.

use super::inputs::{Case, FormulaInput, InputKind};
use super::rounding::trimmed;
use super::{Formula, FormulaNetwork, FormulaNode, WeightedSum};
use crate::export::header;
use crate::model::NetworkModel;
use crate::task::NetworkTask;
use pellucid_data::visible_line;
use pellucid_export::wrap::paragraph;
use pellucid_forward::Activation;
use std::fmt::Write as _;

/// The width of the condition of a table.
const CONDITION: usize = 24;

/// Returns the model as a formula that a person can compute.
#[must_use]
pub fn formula(model: &NetworkModel) -> String {
    let formula = Formula::new(model);
    let mut out = paragraph("", 2, &header(model));
    for remark in formula.remarks() {
        out += &paragraph("\n", 0, &remark);
    }
    out += &inputs(&formula);
    let count = formula.networks.len();
    for (number, network) in (1..).zip(&formula.networks) {
        out += &nodes(&formula, network, (number, count), model);
    }
    out + &predictions(&formula, model)
}

fn inputs(formula: &Formula) -> String {
    let mut out = match formula.clip {
        Some(clip) => {
            let clip = trimmed(&format!("{clip:.6}"));
            let line = format!(
                "Inputs. A value below -{clip} counts as -{clip}, one above {clip} as {clip}."
            );
            paragraph("\n", 0, &line)
        }
        None => "\nInputs.\n".to_owned(),
    };
    out.push('\n');
    for (place, FormulaInput { column, kind }) in (1..).zip(&formula.inputs) {
        match kind {
            InputKind::Scaled { quantity, middle, half_range } => {
                let moved = match middle.strip_prefix('-') {
                    Some(size) => format!("({quantity} + {size})"),
                    None if middle == "0" => quantity.clone(),
                    None => format!("({quantity} - {middle})"),
                };
                let _ = writeln!(
                    out,
                    "  x{place} = {moved} / {half_range}, or 0 if {column} is missing"
                );
            }
            InputKind::Table(cases) => {
                let _ = writeln!(out, "  x{place}, by {column}:");
                for (case, value) in cases {
                    let _ = writeln!(out, "      {:<CONDITION$} {value:>8}", condition(case));
                }
            }
        }
    }
    out
}

fn condition(case: &Case) -> String {
    match case {
        Case::Is(value) => value.clone(),
        Case::Within(None, Some(upper)) => format!("up to {upper}"),
        Case::Within(Some(lower), Some(upper)) => format!("above {lower}, up to {upper}"),
        Case::Within(Some(lower), None) => format!("above {lower}"),
        Case::Within(None, None) => "any number".to_owned(),
        Case::Missing => "missing".to_owned(),
        Case::Other => "any other value".to_owned(),
    }
}

/// Writes the hidden nodes and the outputs of a network.
fn nodes(
    formula: &Formula,
    network: &FormulaNetwork,
    (number, count): (usize, usize),
    model: &NetworkModel,
) -> String {
    let of = if count > 1 { format!(" of network {number} of {count}") } else { String::new() };
    let mut out = String::new();
    let mut before = "x";
    for (layer, (nodes, &activation)) in network.layers.iter().zip(&formula.activations).enumerate()
    {
        let name = if layer == 0 { "h" } else { "g" };
        let which = match (network.layers.len(), layer) {
            (1, _) => "Hidden nodes",
            (_, 0) => "First hidden layer",
            _ => "Second hidden layer",
        };
        let _ = write!(out, "\n{which}{of}{}.\n\n", meaning(activation));
        for (place, node) in (1..).zip(nodes) {
            let value = match node {
                FormulaNode::Linear(sum) => activated(activation, &sum_text(sum, before)),
                FormulaNode::Radial(width, links) => radial(width, links, before),
            };
            out += &paragraph(&format!("  {name}{place} = "), 6, &value);
        }
        before = name;
    }
    let _ = write!(out, "\n{}{of}.\n\n", outputs_heading(formula, model));
    for (place, sum) in network.outputs.iter().enumerate() {
        let name = output_name(formula, place, (number, count));
        let sum = sum_text(sum, before);
        match &network.scale {
            None => out += &paragraph(&format!("  {name} = "), 6, &sum),
            Some((slope, offset)) => {
                out += &paragraph("  o = ", 6, &sum);
                let line = format!(
                    "{slope}·ln(1 + |o|){}, with -ln(1 + |o|) if o is below 0",
                    signed(offset)
                );
                out += &paragraph(&format!("  {name} = "), 6, &line);
            }
        }
    }
    out
}

/// Returns what an activation needs besides exp, for a calculator without it.
fn meaning(activation: Activation) -> &'static str {
    match activation {
        Activation::Tanh => "; tanh(z) is 1 - 2 / (1 + exp(2·z))",
        Activation::Relu => "; max is the larger of two numbers",
        Activation::Sigmoid | Activation::Rbf(_) => "",
    }
}

fn activated(activation: Activation, sum: &str) -> String {
    match activation {
        Activation::Tanh => format!("tanh({sum})"),
        Activation::Relu => format!("max(0, {sum})"),
        Activation::Sigmoid | Activation::Rbf(_) => format!("1 / (1 + exp(-({sum})))"),
    }
}

fn radial(width: &str, links: &[(String, String)], before: &str) -> String {
    let squares: Vec<String> = (1..)
        .zip(links)
        .map(|(place, (weight, center))| {
            format!("({weight}·{before}{place}{})²", signed(&negated(center)))
        })
        .collect();
    format!("exp(-{width}·({}))", squares.join(" + "))
}

/// Returns a number with the opposite sign.
pub(super) fn negated(number: &str) -> String {
    match number.strip_prefix('-') {
        Some(size) => size.to_owned(),
        None if number == "0" => "0".to_owned(),
        None => format!("-{number}"),
    }
}

/// Returns a number that is added, as ` + 1.5` or ` - 1.5`; nothing for 0.
pub(super) fn signed(number: &str) -> String {
    match number.strip_prefix('-') {
        Some(size) => format!(" - {size}"),
        None if number == "0" => String::new(),
        None => format!(" + {number}"),
    }
}

fn sum_text(sum: &WeightedSum, value: &str) -> String {
    sum.terms(|weight, place| format!("{weight}·{value}{place}")).join(" ")
}

fn outputs_heading(formula: &Formula, model: &NetworkModel) -> String {
    let class = |place: usize| {
        visible_line(model.schema.classes.get(place).map_or("", String::as_str)).into_owned()
    };
    match formula.task {
        NetworkTask::TwoClasses => format!("Score: the log odds of '{}'", class(1)),
        NetworkTask::Classes(classes) => {
            let names: Vec<String> =
                (0..classes).map(|place| format!("s{} of '{}'", place + 1, class(place))).collect();
            format!("Scores: {}", names.join(", "))
        }
        NetworkTask::Number => {
            let target = model.schema.target.as_deref().unwrap_or("target");
            format!("Prediction of {}", visible_line(target))
        }
    }
}

/// Returns the name of an output of a network.
fn output_name(formula: &Formula, output: usize, (number, count): (usize, usize)) -> String {
    let name = match formula.task {
        NetworkTask::TwoClasses => "score".to_owned(),
        NetworkTask::Classes(_) => format!("s{}", output + 1),
        NetworkTask::Number => "prediction".to_owned(),
    };
    if count > 1 { format!("{name}.{number}") } else { name }
}

/// Writes the mean of an ensemble, the probabilities, and the decision.
fn predictions(formula: &Formula, model: &NetworkModel) -> String {
    let count = formula.networks.len();
    let outputs = formula.networks.first().map_or(0, |network| network.outputs.len());
    let mut out = String::new();
    if count > 1 {
        let _ = write!(out, "\nThe mean over the {count} networks.\n\n");
        for output in 0..outputs {
            let names: Vec<String> =
                (1..=count).map(|number| output_name(formula, output, (number, count))).collect();
            let mean = format!("({}) / {count}", names.join(" + "));
            out += &paragraph(&format!("  {} = ", output_name(formula, output, (1, 1))), 6, &mean);
        }
    }
    let class = |place: usize| {
        visible_line(model.schema.classes.get(place).map_or("", String::as_str)).into_owned()
    };
    match (formula.task, &formula.calibration) {
        (NetworkTask::Number, _) => {}
        (NetworkTask::TwoClasses, Some((slope, offsets))) => {
            let offset = signed(&trimmed(&format!("{:.9}", offsets[0])));
            let _ = write!(
                out,
                "\nProbability of '{}'.\n\n  probability = 1 / (1 + exp(-({slope}·score{offset})))\n",
                class(1)
            );
        }
        (NetworkTask::Classes(classes), Some((slope, offsets))) => {
            out += "\nProbabilities.\n\n";
            for (place, offset) in (1..=classes).zip(offsets) {
                let offset = signed(&trimmed(&format!("{offset:.9}")));
                let _ = writeln!(out, "  e{place} = exp({slope}·s{place}{offset})");
            }
            let names: Vec<String> = (1..=classes).map(|place| format!("e{place}")).collect();
            out += &paragraph("  sum = ", 6, &names.join(" + "));
            for place in 1..=classes {
                let _ = writeln!(out, "  probability of '{}' = e{place} / sum", class(place - 1));
            }
        }
        (_, None) => {}
    }
    match (formula.task, formula.threshold) {
        (NetworkTask::Number, _) => {}
        (NetworkTask::TwoClasses, Some(threshold)) => {
            let (yes, no) = (class(1), class(0));
            let line =
                format!("Predict '{yes}' if the score is above {threshold:.4}, else '{no}'.");
            out += &paragraph("\n", 0, &line);
        }
        (NetworkTask::TwoClasses, None) => out += "\nEvery score predicts the same class.\n",
        (NetworkTask::Classes(_), _) if formula.calibration.is_some() => {
            out += "\nPredict the class with the highest probability.\n";
        }
        (NetworkTask::Classes(_), _) => out += "\nPredict the class with the highest score.\n",
    }
    out
}
