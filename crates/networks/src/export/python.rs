//! The Python export: a module that needs only the standard library.

use super::header;
use crate::decide::Decision;
use crate::model::{Member, NetworkEnsemble, NetworkModel, OutputScale};
use crate::prepare::{Encoding, Input};
use crate::search::width_of;
use pellucid_export::python::{docstring, helpers, imports, number, string};
use pellucid_forward::{Activation, LARGEST_EXPONENT, SMALLEST_EXPONENT};
use std::fmt::Write as _;

/// Returns a module with `score(row)`, `predict(row)` and, if the model is calibrated,
/// `probabilities(row)`. A row is a dictionary from column names to values, as `csv.DictReader`
/// returns it. `None`, NaN and the missing-value markers of the model's table are missing values.
#[must_use]
pub fn python(model: &NetworkModel) -> String {
    let networks = &model.body;
    let mut out = docstring(&header(model), "");
    out += USE;
    let decision = Decision::of(model);
    if decision.is_calibrated {
        out += "probabilities(row) returns a dictionary from classes to probabilities.\n";
    }
    out += "\"\"\"\n";
    out += &imports(&model.schema, true);
    let classes: Vec<String> = model.schema.classes.iter().map(|class| string(class)).collect();
    let preparation = &networks.preparation;
    let clip = preparation.inputs.first().map_or(0.0, |input| input.scale(preparation.clip).clip);
    let _ = write!(
        out,
        "\n\nCLASSES = [{}]\n# The largest absolute value of an input.\nCLIP = {}\n",
        classes.join(", "),
        number(clip)
    );
    out += "# For each input: its encoding, the center, and half of the range.\nINPUTS = [\n";
    for input in &preparation.inputs {
        let (center, half_range) = (number(input.middle), number(input.half_range));
        let _ = writeln!(out, "    ({}, {center}, {half_range}),", encoded(input));
    }
    out += "]\n";
    out += "# For each network: its layers, its output weights, and the slope and offset of its output.\n";
    out += "NETWORKS = [\n";
    networks.members.iter().for_each(|member| out += &network(networks, member));
    out += "]\n";
    let _ = write!(
        out,
        "# The second class is predicted if SLOPE * score + OFFSET is above 0.\n\
         SLOPE, OFFSET = {}, {}\n",
        number(decision.slope),
        number(decision.offset)
    );
    out += &SCORE
        .replace("SMALLEST", &number(SMALLEST_EXPONENT))
        .replace("LARGEST", &number(LARGEST_EXPONENT));
    out += match networks.scale {
        OutputScale::Linear => LINEAR,
        OutputScale::Logarithmic => LOGARITHMIC,
    };
    if decision.is_calibrated {
        out += PROBABILITIES;
    }
    out + &helpers(&model.schema) + ENCODE
}

/// Writes one network as an item of the list `NETWORKS`.
fn network(networks: &NetworkEnsemble, member: &Member) -> String {
    let shape = &networks.shape;
    let list = |range: std::ops::Range<usize>| {
        let numbers = member.genes[range].iter().map(|&gene| number(f64::from(gene)));
        format!("[{}]", numbers.collect::<Vec<_>>().join(", "))
    };
    let mut out = "    (\n        [\n".to_owned();
    for (place, layer) in shape.layers().iter().enumerate() {
        let _ = writeln!(out, "            ({}, [", string(kind(layer.activation)));
        for node in 0..layer.nodes {
            let last = f64::from(member.genes[shape.width_or_bias_of(place, node)]);
            let (centres, last) = match layer.activation {
                Activation::Rbf(width) => {
                    (list(shape.centres_of(place, node)), width_of(width, last))
                }
                _ => ("None".to_owned(), last),
            };
            let weights = list(shape.weights_of(place, node));
            let _ = writeln!(out, "                ({weights}, {centres}, {}),", number(last));
        }
        out += "            ]),\n";
    }
    let _ = writeln!(
        out,
        "        ],\n        {},\n        {},\n        {},\n    ),",
        list(shape.outputs()),
        number(member.slope),
        number(member.offset)
    );
    out
}

/// Returns a Python function that encodes the value of a row as a number.
fn encoded(input: &Input) -> String {
    let column = string(&input.column);
    match &input.encoding {
        Encoding::Number => format!("lambda row: number(row, {column})"),
        Encoding::Truth => format!("lambda row: yes_or_no(row, {column})"),
        Encoding::LogOdds { values, missing } => {
            let odds: Vec<String> = values
                .iter()
                .map(|(word, &odds)| format!("{}: {}", string(word), number(odds)))
                .collect();
            format!(
                "lambda row, odds={{{}}}: word(row, {column}, odds, {})",
                odds.join(", "),
                number(*missing)
            )
        }
        Encoding::Steps { cuts, log_odds, missing } => {
            let list = |numbers: &[f64]| {
                numbers.iter().map(|&one| number(one)).collect::<Vec<_>>().join(", ")
            };
            format!(
                "lambda row, cuts=[{}], odds=[{}]: step(row, {column}, cuts, odds, {})",
                list(cuts),
                list(log_odds),
                number(*missing)
            )
        }
    }
}

fn kind(activation: Activation) -> &'static str {
    match activation {
        Activation::Rbf(_) => "rbf",
        Activation::Sigmoid => "sigmoid",
        Activation::Tanh => "tanh",
        Activation::Relu => "relu",
    }
}

const USE: &str = "
score(row) returns the log odds of the second class, predict(row) returns the
class, and predict_all(rows) returns a list of classes. A row is a dictionary
from column names to values; None and NaN are missing values.
";

const SCORE: &str = r#"

def prepared(row):
    """Return the inputs of the networks; most lie between -1 and 1, and a missing number is 0."""
    inputs = []
    for encode, middle, half_range in INPUTS:
        value = encode(row)
        value = 0.0 if value != value else (value - middle) / half_range
        inputs.append(min(max(value, -CLIP), CLIP))
    return inputs


def node(kind, weights, centres, last, values):
    """Return the output of a node."""
    if kind == "rbf":
        differences = [weight * value - centre for weight, value, centre in zip(weights, values, centres)]
        return math.exp(min(max(-last * sum(one * one for one in differences), SMALLEST), LARGEST))
    total = sum(weight * value for weight, value in zip(weights, values)) + last
    if kind == "tanh":
        return math.tanh(total)
    if kind == "sigmoid":
        return 1.0 / (1.0 + math.exp(-total)) if total >= 0.0 else math.exp(total) / (1.0 + math.exp(total))
    return max(total, 0.0)


def score(row):
    """Return the mean score of the networks."""
    inputs, total = prepared(row), 0.0
    for layers, outputs, slope, offset in NETWORKS:
        values = inputs
        for kind, nodes in layers:
            values = [node(kind, *genes, values) for genes in nodes]
        total += slope * on_scale(sum(weight * value for weight, value in zip(outputs, values))) + offset
    return total / len(NETWORKS)


def predict(row):
    """Return the predicted class."""
    return CLASSES[1] if SLOPE * score(row) + OFFSET > 0.0 else CLASSES[0]


def predict_all(rows):
    """Return the predicted class of each row."""
    return [predict(row) for row in rows]
"#;

const LINEAR: &str = r#"

def on_scale(output):
    """Return the output of a network unchanged."""
    return output
"#;

const LOGARITHMIC: &str = r#"

def on_scale(output):
    """Return the signed logarithm of the output of a network."""
    return math.copysign(math.log1p(abs(output)), output)
"#;

const PROBABILITIES: &str = r#"

def probabilities(row):
    """Return the probability of each class."""
    exponent = SLOPE * score(row) + OFFSET
    if exponent >= 0.0:
        probability = 1.0 / (1.0 + math.exp(-exponent))
    else:
        probability = math.exp(exponent) / (1.0 + math.exp(exponent))
    return {CLASSES[0]: 1.0 - probability, CLASSES[1]: probability}
"#;

const ENCODE: &str = r#"

def yes_or_no(row, column):
    """Return 1 for true, 0 for false, and NaN if the value is missing."""
    if truth(row, column):
        return 1.0
    return float("nan") if text(row, column) is None else 0.0


def word(row, column, odds, missing):
    """Return the log odds of a category, or 0 for an unknown category."""
    value = text(row, column)
    return missing if value is None else odds.get(value, 0.0)


def step(row, column, cuts, odds, missing):
    """Return the log odds of the bin that contains a number."""
    value = number(row, column)
    return missing if value != value else odds[sum(cut < value for cut in cuts)]
"#;
