//! The Python export: a module that needs only the standard library.

mod code;

use super::header;
use crate::decide::{Decision, calibration_of, curve_of};
use crate::model::{Member, NetworkEnsemble, NetworkModel, OutputScale};
use crate::prepare::{Encoding, Input, InputPreparation};
use crate::search::width_of;
use crate::task::NetworkTask;
use code::{
    ENCODE, LINEAR, LOGARITHMIC, NUMBER, PREDICT_ALL, PREPARED, PROBABILITIES,
    PROBABILITIES_OF_CLASSES, SCORE, SCORES, USE, USE_CLASSES, USE_NUMBER,
};
use pellucid_export::python::{docstring, helpers, imports, number, string};
use pellucid_forward::{Activation, LARGEST_EXPONENT, SMALLEST_EXPONENT};
use std::fmt::Write as _;

/// Returns a module with `predict(row)` and, if classes are predicted, `score(row)` of two classes or
/// `scores(row)` of more and, if the model is calibrated, `probabilities(row)`. A row is a dictionary
/// from column names to values, as `csv.DictReader` returns it. `None`, NaN and the missing-value markers
/// of the model's table are missing values.
#[must_use]
pub fn python(model: &NetworkModel) -> String {
    let networks = &model.body;
    let task = NetworkTask::of_schema(&model.schema);
    let mut out = docstring(&header(model), "");
    out += match task {
        NetworkTask::TwoClasses => USE,
        NetworkTask::Classes(_) => USE_CLASSES,
        NetworkTask::Number => USE_NUMBER,
    };
    let is_calibrated = task != NetworkTask::Number && calibration_of(model).is_some();
    if is_calibrated {
        out += "probabilities(row) returns a dictionary from classes to probabilities.\n";
    }
    out += "\"\"\"\n";
    out += &imports(&model.schema, true);
    out += "\n\n";
    if task != NetworkTask::Number {
        let classes: Vec<String> = model.schema.classes.iter().map(|class| string(class)).collect();
        let _ = writeln!(out, "CLASSES = [{}]", classes.join(", "));
    }
    out += &inputs(&networks.preparation);
    out += match task {
        NetworkTask::Classes(_) => {
            "# For each network: its layers, and the output weights and the offset of each class.\n"
        }
        _ => {
            "# For each network: its layers, its output weights, and the slope and offset of its output.\n"
        }
    };
    out += "NETWORKS = [\n";
    networks.members.iter().for_each(|member| out += &network(networks, member));
    out += "]\n";
    out += &decision(model, task);
    out += &PREPARED
        .replace("SMALLEST", &number(SMALLEST_EXPONENT))
        .replace("LARGEST", &number(LARGEST_EXPONENT));
    out += match task {
        NetworkTask::TwoClasses => SCORE,
        NetworkTask::Classes(_) => SCORES,
        NetworkTask::Number => NUMBER,
    };
    out += PREDICT_ALL;
    if task == NetworkTask::TwoClasses {
        out += match networks.scale {
            OutputScale::Linear => LINEAR,
            OutputScale::Logarithmic => LOGARITHMIC,
        };
    }
    if is_calibrated {
        out +=
            if task == NetworkTask::TwoClasses { PROBABILITIES } else { PROBABILITIES_OF_CLASSES };
    }
    out + &helpers(&model.schema) + ENCODE
}

/// Writes the preparation of the inputs.
fn inputs(preparation: &InputPreparation) -> String {
    let clip = preparation.inputs.first().map_or(0.0, |input| input.scale(preparation.clip).clip);
    let mut out = format!("# The largest absolute value of an input.\nCLIP = {}\n", number(clip));
    out += "# For each input: its encoding, the center, and half of the range.\nINPUTS = [\n";
    for input in &preparation.inputs {
        let (center, half_range) = (number(input.middle), number(input.half_range));
        let _ = writeln!(out, "    ({}, {center}, {half_range}),", encoded(input));
    }
    out + "]\n"
}

/// Writes what turns scores into a class.
fn decision(model: &NetworkModel, task: NetworkTask) -> String {
    match task {
        NetworkTask::TwoClasses => {
            let decision = Decision::of(model);
            format!(
                "# The second class is predicted if SLOPE * score + OFFSET is above 0.\n\
                 SLOPE, OFFSET = {}, {}\n",
                number(decision.slope),
                number(decision.offset)
            )
        }
        NetworkTask::Classes(_) => {
            let (slope, offsets) = curve_of(model);
            let offsets: Vec<String> = offsets.iter().map(|&offset| number(offset)).collect();
            format!(
                "# The class with the largest SLOPE * score + offset is predicted.\n\
                 SLOPE, OFFSETS = {}, [{}]\n",
                number(slope),
                offsets.join(", ")
            )
        }
        NetworkTask::Number => String::new(),
    }
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
    let (outputs, scale) = match networks.outputs {
        1 => {
            let scale = format!("{},\n        {}", number(member.slope), number(member.offset));
            (list(shape.outputs()), scale)
        }
        count => {
            let weights = (0..count).map(|output| list(networks.output_weights(output)));
            let weights = weights.collect::<Vec<_>>().join(",\n            ");
            let offsets: Vec<String> = member.offsets.iter().map(|&one| number(one)).collect();
            (format!("[\n            {weights},\n        ]"), format!("[{}]", offsets.join(", ")))
        }
    };
    let _ = writeln!(out, "        ],\n        {outputs},\n        {scale},\n    ),");
    out
}

/// Returns a Python function that encodes the value of a row as a number.
fn encoded(input: &Input) -> String {
    let column = string(&input.column);
    match &input.encoding {
        Encoding::Number => format!("lambda row: number(row, {column})"),
        Encoding::Truth => format!("lambda row: yes_or_no(row, {column})"),
        Encoding::LogOdds { values, missing } | Encoding::Means { values, missing } => {
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
        Encoding::Steps { cuts, log_odds, missing }
        | Encoding::MeanSteps { cuts, means: log_odds, missing } => {
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
