//! The printed formula: text and LaTeX from which a person computes a prediction with a calculator.
//!
//! A [`Formula`] is the model with rounded numbers: the inputs with their scale in the unit of the
//! column, categories and bins as tables, the nodes and outputs of each network, and the calibration.
//! Numbers have as few decimals as the stated precision allows; [`rounding`] derives it from bounds
//! that hold for all values in the range of the training data.

mod inputs;
mod latex;
mod rounding;
mod text;

pub use latex::latex;
pub use text::formula;

use crate::decide::{Decision, calibration_of};
use crate::model::{Member, NetworkModel, OutputScale};
use crate::search::width_of;
use crate::task::NetworkTask;
use inputs::FormulaInput;
use pellucid_forward::Activation;
use rounding::{Decimals, trimmed};

/// A formula with more numbers than this has a hint how to get a smaller one.
const MOST_BY_HAND: usize = 100;

/// A model with rounded numbers.
struct Formula {
    task: NetworkTask,
    inputs: Vec<FormulaInput>,
    /// The largest absolute value of an input, if inputs are clipped.
    clip: Option<f64>,
    /// The activations of the layers.
    activations: Vec<Activation>,
    networks: Vec<FormulaNetwork>,
    /// The slope and the offsets of the calibration.
    calibration: Option<(f64, Vec<f64>)>,
    /// The score above which the second of two classes is predicted.
    threshold: Option<f64>,
    /// The largest difference from the prediction, if there is a bound.
    precision: Option<f64>,
}

/// A network: nodes by layer, and outputs.
struct FormulaNetwork {
    layers: Vec<Vec<FormulaNode>>,
    outputs: Vec<WeightedSum>,
    /// The slope and the offset after the logarithm, if the score follows it.
    scale: Option<(String, String)>,
}

/// A hidden node.
enum FormulaNode {
    /// A weighted sum before the activation.
    Linear(WeightedSum),
    /// The width of a radial node, and the weight and the center of each input.
    Radial(String, Vec<(String, String)>),
}

/// A constant and the weight of each value, as printed.
struct WeightedSum {
    constant: String,
    weights: Vec<String>,
}

impl Formula {
    fn new(model: &NetworkModel) -> Formula {
        let (task, networks) = (NetworkTask::of_schema(&model.schema), &model.body);
        let decimals = Decimals::of(model);
        let activations = networks.shape.layers().iter().map(|layer| layer.activation).collect();
        let decision = Decision::of(model);
        Formula {
            task,
            inputs: FormulaInput::all(model, &decimals),
            clip: networks.preparation.clip,
            activations,
            networks: networks.members.iter().map(|one| network(model, one, &decimals)).collect(),
            calibration: match task {
                NetworkTask::Number => None,
                NetworkTask::TwoClasses => {
                    decision.is_calibrated.then(|| (decision.slope, vec![decision.offset]))
                }
                NetworkTask::Classes(_) => {
                    calibration_of(model).map(|found| (found.slope, found.offsets.clone()))
                }
            },
            threshold: decision.threshold(),
            precision: decimals.precision,
        }
    }

    /// Returns the number of numbers in the formula.
    fn numbers(&self) -> usize {
        let inputs: usize = self.inputs.iter().map(FormulaInput::numbers).sum();
        let node = |node: &FormulaNode| match node {
            FormulaNode::Linear(sum) => sum.numbers(),
            FormulaNode::Radial(_, links) => 1 + 2 * links.len(),
        };
        let network = |network: &FormulaNetwork| -> usize {
            network.layers.iter().flatten().map(node).sum::<usize>()
                + network.outputs.iter().map(WeightedSum::numbers).sum::<usize>()
        };
        inputs + self.networks.iter().map(network).sum::<usize>()
    }

    fn is_large(&self) -> bool {
        self.networks.len() > 1 || self.numbers() > MOST_BY_HAND
    }

    /// Returns the sentence about the precision, and for a large formula the advice for a smaller one.
    fn remarks(&self) -> Vec<String> {
        let what = match self.task {
            NetworkTask::Number => "predicted number",
            _ if self.calibration.is_some() => "probability",
            _ => "score",
        };
        let precision = match self.precision {
            Some(most) => format!(
                "Numbers are rounded. For values in the range of the training data, the {what} \
                 differs from that of 'pellucid predict' by less than {}.",
                trimmed(&format!("{most:.12}"))
            ),
            None => "Numbers are rounded to 9 decimals.".to_owned(),
        };
        let mut remarks = vec![precision];
        if self.is_large() {
            let kind = match self.networks.len() {
                1 => "The network".to_owned(),
                count => format!("The model is an ensemble of {count} networks and"),
            };
            remarks.push(format!(
                "{kind} has {} numbers, too many to calculate by hand. To get one small network, \
                 train with islands 1, nodes 3 and steps 0.",
                self.numbers()
            ));
        }
        remarks
    }
}

impl WeightedSum {
    fn numbers(&self) -> usize {
        1 + self.weights.len()
    }

    /// Returns the constant and the weights with the signs between them; `product` writes the product
    /// of a weight and the value at a place, from 1. Terms with weight 0 are left out.
    fn terms(&self, product: impl Fn(&str, usize) -> String) -> Vec<String> {
        let weights = self.weights.iter().enumerate().filter(|(_, weight)| *weight != "0");
        let mut terms: Vec<String> = Vec::new();
        if self.constant != "0" {
            terms.push(self.constant.clone());
        }
        for (place, weight) in weights {
            let (sign, size) = match weight.strip_prefix('-') {
                Some(size) => ("-", size),
                None => ("+", weight.as_str()),
            };
            let own = product(size, place + 1);
            terms.push(match (terms.is_empty(), sign) {
                (true, "+") => own,
                (true, _) => format!("-{own}"),
                _ => format!("{sign} {own}"),
            });
        }
        if terms.is_empty() { vec!["0".to_owned()] } else { terms }
    }
}

/// Returns a network with rounded numbers.
fn network(model: &NetworkModel, member: &Member, decimals: &Decimals) -> FormulaNetwork {
    let (networks, shape) = (&model.body, &model.body.shape);
    let node = |layer: usize, node: usize| {
        let weights = &member.genes[shape.weights_of(layer, node)];
        let last = f64::from(member.genes[shape.width_or_bias_of(layer, node)]);
        let hidden = |gene: &f32| decimals.hidden(f64::from(*gene));
        match shape.layers()[layer].activation {
            Activation::Rbf(width) => {
                let centers = &member.genes[shape.centres_of(layer, node)];
                let links = weights.iter().zip(centers).map(|(w, c)| (hidden(w), hidden(c)));
                FormulaNode::Radial(decimals.width(width_of(width, last)), links.collect())
            }
            _ => FormulaNode::Linear(WeightedSum {
                constant: decimals.hidden(last),
                weights: weights.iter().map(hidden).collect(),
            }),
        }
    };
    let is_logarithmic = networks.scale == OutputScale::Logarithmic;
    // The slope is part of the weights, except where a logarithm comes between.
    let (slope, scale) = match is_logarithmic {
        true => (1.0, Some((decimals.output(member.slope), decimals.output(member.offset)))),
        false => (member.slope, None),
    };
    let output = |output: usize| {
        let weights = member.genes[networks.output_weights(output)].iter();
        let offset = if is_logarithmic { 0.0 } else { member.offset_of(output) };
        WeightedSum {
            constant: decimals.output(offset),
            weights: weights.map(|&gene| decimals.output(slope * f64::from(gene))).collect(),
        }
    };
    let layers = shape.layers().iter().enumerate();
    FormulaNetwork {
        layers: layers
            .map(|(layer, own)| (0..own.nodes).map(|place| node(layer, place)).collect())
            .collect(),
        outputs: (0..networks.outputs).map(output).collect(),
        scale,
    }
}
