//! The model: an ensemble of networks, and the preparation of their inputs.

use crate::error::NetworkError;
use crate::params::Params;
use crate::prepare::InputPreparation;
use crate::search::width_of;
use pellucid_forward::{Activation, LARGEST_EXPONENT, Shape};
use pellucid_learn::metrics::Estimate;
use pellucid_learn::model::Model;
use serde::{Deserialize, Serialize};

/// The name of this learner in files and commands.
pub const LEARNER: &str = "network";

/// A model file of this learner.
pub type NetworkModel = Model<Params, NetworkEnsemble>;

/// An ensemble of networks.
///
/// The score of a row is the mean over the members of `slope × output + offset`, an estimate of the
/// log odds that the row is positive. If the [scale](OutputScale) is logarithmic, the signed
/// logarithm of the output is used instead of the output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworkEnsemble {
    /// The preparation of the inputs.
    pub preparation: InputPreparation,
    /// The shape of each network.
    pub shape: Shape,
    /// The networks of the ensemble.
    pub members: Vec<Member>,
    /// The scale of the outputs.
    #[serde(default, skip_serializing_if = "OutputScale::is_linear")]
    pub scale: OutputScale,
    /// The number of training rows.
    pub rows: RowCounts,
    /// Columns that were ignored because all their values are the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constant: Vec<String>,
    /// The importance and effect of each column, most important first.
    #[serde(default)]
    pub effects: Vec<FeatureEffect>,
    /// The performance on held-out rows, if it was measured.
    #[serde(default, rename = "judged", skip_serializing_if = "Option::is_none")]
    pub held_out: Option<HeldOutEvaluation>,
}

/// The scale of network outputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutputScale {
    /// The output itself.
    #[default]
    Linear,
    /// `ln(1 + |output|)` with the sign of the output. Nodes of the publication's networks may grow
    /// exponentially with the distance, so that a few rows have extreme outputs. This scale keeps
    /// the order of the rows, and those few do not determine the scale of all others.
    Logarithmic,
}

impl OutputScale {
    fn is_linear(&self) -> bool {
        *self == OutputScale::Linear
    }

    /// Returns an output on this scale.
    #[must_use]
    pub fn of(self, output: f64) -> f64 {
        match self {
            OutputScale::Linear => output,
            OutputScale::Logarithmic => libm::log1p(output.abs()).copysign(output),
        }
    }
}

/// The number of rows, and of positive rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowCounts {
    /// The number of rows.
    pub all: u64,
    /// The number of positive rows.
    pub positive: u64,
}

/// A network of the ensemble.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// The weights and other parameters of the network.
    pub genes: Vec<f32>,
    /// The factor of its output.
    pub slope: f64,
    /// The offset that is added.
    pub offset: f64,
    /// How it was found.
    pub origin: MemberOrigin,
    /// The metric on the held-out rows by which it was selected; slightly optimistic for new rows.
    pub chosen_by: f64,
}

/// How a network was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemberOrigin {
    /// By gradient descent; the search found nothing better on held-out rows.
    Gradient,
    /// By the search.
    Search,
}

/// The permutation importance and the feature effect (partial dependence) of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FeatureEffect {
    /// The column.
    pub column: String,
    /// The loss of area under the ROC curve when the values of the column are permuted.
    pub importance: f64,
    /// The change of the mean score by value.
    pub points: Vec<EffectPoint>,
}

/// A point of a feature effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EffectPoint {
    /// The value.
    pub value: EffectValue,
    /// The mean score when all rows have the value, minus the mean score of the unchanged rows.
    pub score: f64,
}

/// A value of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum EffectValue {
    /// A number.
    Number(f64),
    /// A boolean.
    Truth(bool),
    /// A category.
    Word(String),
}

/// The performance on held-out rows, from inner cross-validation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldOutEvaluation {
    /// The number of held-out rows.
    pub rows: RowCounts,
    /// The area under the ROC curve.
    pub auc: Option<Estimate>,
    /// The lift in the top 20 %.
    pub lift_at_20: Option<Estimate>,
    /// The gains by share of the rows.
    pub gains: Vec<Gain>,
    /// The calibration groups, lowest probability first.
    pub calibration: Vec<CalibrationGroup>,
}

/// The share of positives found in the highest-scoring rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gain {
    /// The share of the rows.
    pub taken: f64,
    /// The share of all positives that these rows contain.
    pub found: f64,
    /// The ratio to the number expected in random rows.
    pub lift: f64,
}

/// A group of rows with similar predicted probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalibrationGroup {
    /// The number of rows.
    pub rows: u64,
    /// The mean predicted probability.
    pub probability: f64,
    /// The observed share of positives.
    #[serde(rename = "happened")]
    pub observed: f64,
}

impl NetworkEnsemble {
    /// Checks a model from a file.
    ///
    /// # Errors
    /// Describes the first problem.
    pub fn check(&self, classes: usize) -> Result<(), NetworkError> {
        let fail = |problem: String| Err(NetworkError::Model(problem));
        self.preparation.check()?;
        if classes != 2 {
            return fail(format!("it has {classes} classes; expected 2"));
        }
        if self.shape.inputs() != self.preparation.inputs.len() {
            let (takes, gets) = (self.shape.inputs(), self.preparation.inputs.len());
            return fail(format!(
                "its networks expect {takes} inputs, but the preparation provides {gets}"
            ));
        }
        if self.members.is_empty() {
            return fail("it has no network".to_owned());
        }
        for (number, member) in (1..).zip(&self.members) {
            let (found, needed) = (member.genes.len(), self.shape.genes());
            if found != needed {
                return fail(format!("network {number} has {found} parameters; expected {needed}"));
            }
            let numbers = member.genes.iter().all(|gene| gene.is_finite());
            if !numbers || !member.slope.is_finite() || !member.offset.is_finite() {
                return fail(format!("a parameter of network {number} is not finite"));
            }
            let largest = self.largest_output(member);
            let score = member.slope.abs() * self.scale.of(largest) + member.offset.abs();
            if largest > f64::from(f32::MAX) || score > f64::from(f32::MAX) {
                return fail(format!(
                    "the weights of network {number} allow scores above the limit of {:e}",
                    f32::MAX
                ));
            }
        }
        Ok(())
    }

    /// Returns a bound on the absolute value of the output and of any sum inside a network.
    fn largest_output(&self, member: &Member) -> f64 {
        let (shape, genes) = (&self.shape, &member.genes);
        let size = |range: std::ops::Range<usize>, reach: &[f64]| -> f64 {
            genes[range].iter().zip(reach).map(|(&gene, reach)| f64::from(gene).abs() * reach).sum()
        };
        let inputs = self.preparation.inputs.iter();
        let mut reach: Vec<f64> =
            inputs.map(|input| input.scale(self.preparation.clip).clip).collect();
        let mut largest = 0.0_f64;
        for (layer, of) in shape.layers().iter().enumerate() {
            let node = |node: usize| {
                let last = f64::from(genes[shape.width_or_bias_of(layer, node)]);
                match of.activation {
                    Activation::Rbf(width) if width_of(width, last) < 0.0 => {
                        libm::exp(LARGEST_EXPONENT)
                    }
                    Activation::Rbf(_) | Activation::Sigmoid | Activation::Tanh => 1.0,
                    Activation::Relu => last.abs() + size(shape.weights_of(layer, node), &reach),
                }
            };
            reach = (0..of.nodes).map(node).collect();
            largest = reach.iter().copied().fold(largest, f64::max);
        }
        largest.max(size(shape.outputs(), &reach))
    }
}
