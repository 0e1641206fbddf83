//! How many decimals the numbers of a formula need.
//!
//! A bound on the error of the prediction follows from bounds on the values and errors of inputs and
//! nodes. The decimals are the fewest for which it stays below the stated precision. A quarter of the
//! allowed error is left to the weights of the outputs, the rest to the inputs and nodes before.

use crate::decide::{Decision, calibration_of};
use crate::model::{Member, NetworkModel, OutputScale};
use crate::prepare::{Encoding, Input};
use crate::search::width_of;
use crate::task::NetworkTask;
use pellucid_forward::Activation;

/// The largest number of decimals.
const MOST: usize = 9;
/// The allowed error of a probability.
const OF_PROBABILITY: f64 = 0.005;
/// The allowed error of a score without a probability.
const OF_SCORE: f64 = 0.01;
/// The allowed error of a number, in shares of its range.
const OF_RANGE: f64 = 0.002;
/// The share of the allowed error that bounds may fill. The model itself rounds to single precision.
const FILLED: f64 = 0.95;

/// The numbers of decimals of a formula.
pub(super) struct Decimals {
    hidden: usize,
    output: usize,
    /// The largest difference from the prediction, if there is a bound.
    pub(super) precision: Option<f64>,
}

/// A bound on the absolute value of a number, and on its error.
#[derive(Clone, Copy, Debug, Default)]
struct Bound {
    size: f64,
    error: f64,
}

impl Decimals {
    /// Returns the fewest decimals for the precision.
    pub(super) fn of(model: &NetworkModel) -> Decimals {
        let precision = precision(model);
        let allowed = FILLED * precision / steepness(model);
        let output = (0..=MOST).find(|&digits| outputs_error(model, digits) <= 0.25 * allowed);
        let hidden = (1..=MOST).find(|&digits| hidden_error(model, digits) <= 0.75 * allowed);
        Decimals {
            hidden: hidden.unwrap_or(MOST),
            output: output.unwrap_or(MOST),
            precision: (output.is_some() && hidden.is_some()).then_some(precision),
        }
    }

    /// Returns a weight, bias or center of a hidden node.
    pub(super) fn hidden(&self, number: f64) -> String {
        decimal(number, self.hidden)
    }

    /// Returns a weight or the offset of an output.
    pub(super) fn output(&self, number: f64) -> String {
        decimal(number, self.output)
    }

    /// Returns the width of a radial node, of which relative errors matter.
    pub(super) fn width(&self, number: f64) -> String {
        significant(number, self.hidden + 1)
    }

    /// Returns the value of an input from a table.
    pub(super) fn input(&self, number: f64) -> String {
        decimal(number, self.hidden)
    }

    /// Returns the middle and half of the range of a column. Each may change the input by a quarter of
    /// the last decimal.
    pub(super) fn scale(&self, input: &Input, largest: f64) -> (String, String) {
        let allowed = 0.25 * step(self.hidden);
        let middle = shortest(input.middle, allowed * input.half_range);
        let half = shortest(input.half_range, allowed * input.half_range / (largest + 1.0));
        (middle, half)
    }
}

/// Returns one unit of the last decimal.
fn step(decimals: usize) -> f64 {
    1.0 / (0..decimals).fold(1.0, |power, _| power * 10.0)
}

/// Returns a number with at most this many decimals, without zeros at the end.
fn decimal(number: f64, decimals: usize) -> String {
    trimmed(&format!("{number:.decimals$}"))
}

/// Returns a decimal without zeros at the end, and 0 without a sign.
pub(super) fn trimmed(text: &str) -> String {
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Returns a number with this many significant digits, without an exponent.
fn significant(number: f64, digits: usize) -> String {
    let rounded = pellucid_learn::digits::rounded(number, digits);
    trimmed(&format!("{rounded}"))
}

/// Returns the decimal with the fewest digits within a distance of a number.
fn shortest(number: f64, within: f64) -> String {
    let is_close =
        |text: &String| text.parse::<f64>().is_ok_and(|rounded| (rounded - number).abs() <= within);
    let candidates = (1..=17).map(|digits| significant(number, digits));
    candidates.into_iter().find(is_close).unwrap_or_else(|| format!("{number}"))
}

/// Returns the precision that the formula states.
fn precision(model: &NetworkModel) -> f64 {
    match NetworkTask::of_schema(&model.schema) {
        NetworkTask::Number => {
            let range = model.schema.number.map_or(1.0, |number| number.high - number.low);
            let allowed = OF_RANGE * if range > 0.0 && range.is_finite() { range } else { 1.0 };
            // A power of ten, such as 0.01.
            libm::pow(10.0, libm::floor(libm::log10(allowed)))
        }
        _ if calibration_of(model).is_some() => OF_PROBABILITY,
        _ => OF_SCORE,
    }
}

/// Returns a bound on the change of the prediction by the change of the score.
fn steepness(model: &NetworkModel) -> f64 {
    let slope = match NetworkTask::of_schema(&model.schema) {
        NetworkTask::Number => return 1.0,
        NetworkTask::TwoClasses if Decision::of(model).is_calibrated => {
            0.25 * Decision::of(model).slope
        }
        NetworkTask::TwoClasses => 1.0,
        NetworkTask::Classes(_) => calibration_of(model).map_or(1.0, |found| 0.5 * found.slope),
    };
    // Scores without information need no precision, but stay scores.
    slope.max(OF_PROBABILITY)
}

/// Returns the largest absolute value of an input in the range of the training data.
pub(super) fn largest_input(model: &NetworkModel, input: &Input) -> f64 {
    let scale = input.scale(model.body.preparation.clip);
    let largest = |numbers: &mut dyn Iterator<Item = f64>| {
        numbers.map(|number| f64::from(scale.of(number)).abs()).fold(0.0, f64::max)
    };
    match &input.encoding {
        Encoding::Number => {
            let column = model.schema.columns.iter().find(|column| column.name == input.column);
            match column.and_then(|column| column.range) {
                Some((low, high)) => largest(&mut [low, high].into_iter()),
                None => scale.clip,
            }
        }
        Encoding::Truth => largest(&mut [0.0, 1.0].into_iter()),
        Encoding::LogOdds { values, missing } | Encoding::Means { values, missing } => {
            largest(&mut values.values().copied().chain([*missing, 0.0]))
        }
        Encoding::Steps { log_odds: values, missing, .. }
        | Encoding::MeanSteps { means: values, missing, .. } => {
            largest(&mut values.iter().copied().chain([*missing]))
        }
    }
}

/// Returns a bound on the error of the score from rounded weights of the outputs.
fn outputs_error(model: &NetworkModel, decimals: usize) -> f64 {
    let rounding = 0.5 * step(decimals);
    let of_member = |member: &Member| {
        let sizes: f64 = last_values(model, member, None).iter().map(|value| value.size).sum();
        match model.body.scale {
            OutputScale::Linear => rounding * (1.0 + sizes),
            // The slope after the logarithm is rounded, too.
            OutputScale::Logarithmic => {
                rounding * (member.slope.abs() * sizes + libm::log1p(sizes_of(model, member)) + 1.0)
            }
        }
    };
    mean(model, of_member)
}

/// Returns a bound on the output of a network.
fn sizes_of(model: &NetworkModel, member: &Member) -> f64 {
    let values = last_values(model, member, None);
    let weights = &member.genes[model.body.shape.outputs()];
    values.iter().zip(weights).map(|(value, &weight)| value.size * f64::from(weight).abs()).sum()
}

/// Returns a bound on the error of the score from rounded inputs and hidden nodes.
fn hidden_error(model: &NetworkModel, decimals: usize) -> f64 {
    let networks = &model.body;
    let of_member = |member: &Member| {
        let values = last_values(model, member, Some(decimals));
        let of_output = |output: usize| -> f64 {
            let weights = member.genes[networks.output_weights(output)].iter();
            weights.zip(&values).map(|(&w, value)| f64::from(w).abs() * value.error).sum()
        };
        // The derivative of the signed logarithm is at most 1.
        member.slope.abs() * (0..networks.outputs).map(of_output).fold(0.0, f64::max)
    };
    mean(model, of_member)
}

fn mean(model: &NetworkModel, of_member: impl Fn(&Member) -> f64) -> f64 {
    let members = &model.body.members;
    members.iter().map(of_member).sum::<f64>() / members.len().max(1) as f64
}

/// Returns bounds on the outputs of the nodes of the last layer; without decimals, nothing is rounded.
fn last_values(model: &NetworkModel, member: &Member, decimals: Option<usize>) -> Vec<Bound> {
    let shape = &model.body.shape;
    let rounding = decimals.map_or(0.0, |decimals| 0.5 * step(decimals));
    let relative = decimals.map_or(0.0, |decimals| 5.0 * step(decimals + 1));
    let input = |input: &Input| Bound { size: largest_input(model, input), error: rounding };
    let mut values: Vec<Bound> = model.body.preparation.inputs.iter().map(input).collect();
    for (layer, own) in shape.layers().iter().enumerate() {
        let node = |node: usize| {
            let weights = &member.genes[shape.weights_of(layer, node)];
            let last = f64::from(member.genes[shape.width_or_bias_of(layer, node)]);
            let centers = &member.genes[shape.centres_of(layer, node)];
            match own.activation {
                Activation::Rbf(width) => {
                    radial(&values, weights, centers, width_of(width, last), [rounding, relative])
                }
                other => linear(&values, weights, last, rounding).through(other),
            }
        };
        values = (0..own.nodes).map(node).collect();
    }
    values
}

/// Returns a bound on a weighted sum.
fn linear(values: &[Bound], weights: &[f32], bias: f64, rounding: f64) -> Bound {
    let mut sum = Bound { size: bias.abs(), error: rounding };
    for (value, &weight) in values.iter().zip(weights) {
        let weight = f64::from(weight).abs();
        sum.size += weight * value.size;
        sum.error += weight * value.error + rounding * (value.size + value.error);
    }
    sum
}

/// Returns a bound on the output of a radial node.
///
/// With t the distances and w the width, the output is exp(-w Σ t²). Its derivative by the distances
/// is at most 2 √w √(w Σ t²) exp(-w Σ t²) ≤ 0.86 √w, and that by ln w is at most 1/e.
fn radial(
    values: &[Bound],
    weights: &[f32],
    centers: &[f32],
    width: f64,
    [rounding, relative]: [f64; 2],
) -> Bound {
    if width < 0.0 {
        // The output grows exponentially, and so does its error.
        return Bound { size: f64::INFINITY, error: f64::INFINITY };
    }
    let mut squares = 0.0;
    for ((value, &weight), _) in values.iter().zip(weights).zip(centers) {
        let weight = f64::from(weight).abs();
        let error = weight * value.error + rounding * (value.size + value.error + 1.0);
        squares += error * error;
    }
    Bound { size: 1.0, error: 0.86 * libm::sqrt(width * squares) + 0.37 * relative }
}

impl Bound {
    /// Returns the bound after an activation.
    fn through(self, activation: Activation) -> Bound {
        match activation {
            Activation::Relu => self,
            Activation::Sigmoid => Bound { size: 1.0, error: 0.25 * self.error },
            Activation::Tanh | Activation::Rbf(_) => Bound { size: 1.0, error: self.error },
        }
    }
}
