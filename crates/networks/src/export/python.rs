//! The model as a Python module that needs nothing but Python 3.

use super::header;
use crate::decide::Decision;
use crate::model::{NetworkModel, OutputScale};
use crate::prepare::{Encoding, Input};
use crate::search::width_of;
use pellucid_forward::{Activation, LARGEST_EXPONENT, SMALLEST_EXPONENT};
use pellucid_ruleset::export::in_python::{docstring, helpers, imports, number, string};
use std::fmt::Write as _;

/// A module with `score(row)`, `predict(row)` and, where the model is calibrated, `probabilities(row)`. A row is a dictionary from
/// column names to values, as `csv.DictReader` gives them; a missing value is `None`, NaN or one of the marks that the model's table had.
#[must_use]
pub fn python(model: &NetworkModel) -> String {
    let networks = &model.model;
    let mut out = docstring(&header(model), "");
    out += USE;
    let decision = Decision::of(model);
    if decision.is_calibrated {
        out += "probabilities(row) gives a dictionary by class.\n";
    }
    out += "\"\"\"\n";
    out += &imports(&model.schema, true);
    let classes: Vec<String> = model.schema.classes.iter().map(|class| string(class)).collect();
    let clip = number(
        networks
            .preparation
            .inputs
            .first()
            .map_or(0.0, |input| input.scale(networks.preparation.clip).clip),
    );
    let _ = write!(
        out,
        "\n\nCLASSES = [{}]\n# How far from 0 an input may lie.\nCLIP = {clip}\n",
        classes.join(", ")
    );
    out += "# By input: how a value becomes a number, the number that becomes 0, and how far from it 1 lies.\nINPUTS = [\n";
    for input in &networks.preparation.inputs {
        let _ = writeln!(
            out,
            "    ({}, {}, {}),",
            encoded(input),
            number(input.middle),
            number(input.half_range)
        );
    }
    out += "]\n";
    out += "# By network: its layers, the weights of the last nodes, and what its output is multiplied by and what is added.\nNETWORKS = [\n";
    for member in &networks.members {
        out += "    (\n        [\n";
        for (place, layer) in networks.shape.layers().iter().enumerate() {
            let list = |range: std::ops::Range<usize>| {
                let numbers = member.genes[range].iter().map(|&gene| number(f64::from(gene)));
                format!("[{}]", numbers.collect::<Vec<_>>().join(", "))
            };
            let _ = writeln!(out, "            ({}, [", string(kind(layer.activation)));
            for node in 0..layer.nodes {
                let last = f64::from(member.genes[networks.shape.width_or_bias_of(place, node)]);
                let (centres, last) = match layer.activation {
                    Activation::Rbf(width) => {
                        (list(networks.shape.centres_of(place, node)), width_of(width, last))
                    }
                    _ => ("None".to_owned(), last),
                };
                let weights = list(networks.shape.weights_of(place, node));
                let _ = writeln!(out, "                ({weights}, {centres}, {}),", number(last));
            }
            out += "            ]),\n";
        }
        let outputs: Vec<String> = member.genes[networks.shape.outputs()]
            .iter()
            .map(|&gene| number(f64::from(gene)))
            .collect();
        let _ = writeln!(
            out,
            "        ],\n        [{}],\n        {},\n        {},\n    ),",
            outputs.join(", "),
            number(member.slope),
            number(member.offset)
        );
    }
    out += "]\n";
    let _ = write!(
        out,
        "# The second class is predicted where SLOPE * score + OFFSET is above 0.\nSLOPE, OFFSET = {}, {}\n",
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

/// How a value becomes a number, as a call.
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
score(row) gives the logarithm of the odds of the second class, predict(row)
the class, predict_all(rows) a list of classes. A row is a dictionary from
column names to values; None and NaN are missing values.
";

const SCORE: &str = r#"

def prepared(row):
    """A row as the networks take it: most inputs lie between -1 and 1, a missing number is 0."""
    inputs = []
    for encode, middle, half_range in INPUTS:
        value = encode(row)
        value = 0.0 if value != value else (value - middle) / half_range
        inputs.append(min(max(value, -CLIP), CLIP))
    return inputs


def node(kind, weights, centres, last, values):
    """What a node gives: a hill around its centre, or a slope."""
    if kind == "rbf":
        apart = [weight * value - centre for weight, value, centre in zip(weights, values, centres)]
        return math.exp(min(max(-last * sum(one * one for one in apart), SMALLEST), LARGEST))
    total = sum(weight * value for weight, value in zip(weights, values)) + last
    if kind == "tanh":
        return math.tanh(total)
    if kind == "sigmoid":
        return 1.0 / (1.0 + math.exp(-total)) if total >= 0.0 else math.exp(total) / (1.0 + math.exp(total))
    return max(total, 0.0)


def score(row):
    """The mean of what the networks say."""
    inputs, said = prepared(row), 0.0
    for layers, outputs, slope, offset in NETWORKS:
        values = inputs
        for kind, nodes in layers:
            values = [node(kind, *genes, values) for genes in nodes]
        said += slope * on_scale(sum(weight * value for weight, value in zip(outputs, values))) + offset
    return said / len(NETWORKS)


def predict(row):
    """The class that is more likely."""
    return CLASSES[1] if SLOPE * score(row) + OFFSET > 0.0 else CLASSES[0]


def predict_all(rows):
    """The class of each row."""
    return [predict(row) for row in rows]
"#;

const LINEAR: &str = r#"

def on_scale(output):
    """The output of a network as it is."""
    return output
"#;

const LOGARITHMIC: &str = r#"

def on_scale(output):
    """The logarithm of a network's output, with its sign."""
    return math.copysign(math.log1p(abs(output)), output)
"#;

const PROBABILITIES: &str = r#"

def probabilities(row):
    """How likely each class is."""
    exponent = SLOPE * score(row) + OFFSET
    likely = 1.0 / (1.0 + math.exp(-exponent)) if exponent >= 0.0 else math.exp(exponent) / (1.0 + math.exp(exponent))
    return {CLASSES[0]: 1.0 - likely, CLASSES[1]: likely}
"#;

const ENCODE: &str = r#"

def yes_or_no(row, column):
    """1 for true, 0 for false, NaN where it is missing."""
    if truth(row, column):
        return 1.0
    return float("nan") if text(row, column) is None else 0.0


def word(row, column, odds, missing):
    """The log odds of a word; 0 for one that is not known."""
    value = text(row, column)
    return missing if value is None else odds.get(value, 0.0)


def step(row, column, cuts, odds, missing):
    """The log odds of the step on which a number lies."""
    value = number(row, column)
    return missing if value != value else odds[sum(cut < value for cut in cuts)]
"#;
