//! What was learned: a few networks that rank together, and how a row is written for them.

use crate::error::NetworkError;
use crate::params::Params;
use crate::prepare::Preparation;
use crate::search::width_of;
use pellucid_forward::{Activation, LARGEST_EXPONENT, Shape};
use pellucid_learn::metrics::Estimate;
use pellucid_learn::model::Model;
use serde::{Deserialize, Serialize};

/// The name of this learner in files and commands.
pub const LEARNER: &str = "network";

/// A model file of this learner.
pub type NetworkModel = Model<Params, NetworkEnsemble>;

/// NetworkEnsemble that rank together. The score of a row is the mean over members of `slope × output + offset`, the logarithm of the
/// odds that the row is positive as far as the members know. Where the [scale](OutputScale) is logarithmic, the logarithm of the
/// output takes its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworkEnsemble {
    /// How a row becomes inputs.
    pub preparation: Preparation,
    /// What each network is made of.
    pub shape: Shape,
    /// The networks.
    pub members: Vec<Member>,
    /// On which scale outputs are taken.
    #[serde(default, skip_serializing_if = "OutputScale::is_linear")]
    pub scale: OutputScale,
    /// How many training rows there were, and how many of them were positive.
    pub rows: RowCounts,
    /// Columns that were left out because all their values are the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constant: Vec<String>,
    /// By column how the score moves with it, the columns on which most rests first.
    #[serde(default)]
    pub effects: Vec<FeatureEffect>,
    /// How well such models rank rows they have not seen; nothing where that was not found out.
    #[serde(default, rename = "judged", skip_serializing_if = "Option::is_none")]
    pub held_out: Option<HeldOutEvaluation>,
}

/// The scale on which the outputs of networks are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutputScale {
    /// As they are.
    #[default]
    Linear,
    /// `ln(1 + |output|)` with the sign of the output. Nodes of the publication's networks may grow exponentially with the distance, so
    /// that a few rows have outputs of any size; on this scale rows keep their order, and those few do not decide how far apart
    /// all others are.
    Logarithmic,
}

impl OutputScale {
    fn is_linear(&self) -> bool {
        *self == OutputScale::Linear
    }

    /// An output on this scale.
    #[must_use]
    pub fn of(self, output: f64) -> f64 {
        match self {
            OutputScale::Linear => output,
            OutputScale::Logarithmic => libm::log1p(output.abs()).copysign(output),
        }
    }
}

/// RowCounts of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowCounts {
    /// All rows.
    pub all: u64,
    /// Those of the positive class.
    pub positive: u64,
}

/// One network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// Its numbers.
    pub genes: Vec<f32>,
    /// What its output is multiplied by.
    pub slope: f64,
    /// What is added then.
    pub offset: f64,
    /// Where it comes from.
    pub origin: Origin,
    /// The metric on the rows that were held out to choose it; it was chosen by them, so new rows will do a little worse.
    pub chosen_by: f64,
}

/// Where a network comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// It was trained by gradient, and nothing that was bred from it was better on held-out rows.
    Gradient,
    /// It was bred.
    Search,
}

/// How the score moves with a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FeatureEffect {
    /// The column.
    pub column: String,
    /// How much of the area under the ROC curve is lost when the column's values are dealt to other rows.
    pub importance: f64,
    /// The mean score where all rows have a value, by value.
    pub points: Vec<EffectPoint>,
}

/// One value of a column, and the score there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EffectPoint {
    /// The value.
    pub value: EffectValue,
    /// The mean score of rows with it, less that of rows as they are.
    pub score: f64,
}

/// A value of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum EffectValue {
    /// A number.
    Number(f64),
    /// Yes or no.
    Truth(bool),
    /// A word.
    Word(String),
}

/// How well models learned so rank rows that they have not seen, from folds that had no part in learning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldOutEvaluation {
    /// How many rows there were.
    pub rows: RowCounts,
    /// The area under the ROC curve.
    pub auc: Option<Estimate>,
    /// The lift of the best fifth.
    pub lift_at_20: Option<Estimate>,
    /// How many of the positives are found by taking so many of the best rows.
    pub gains: Vec<Gain>,
    /// What was foretold, and what happened.
    pub calibration: Vec<CalibrationGroup>,
}

/// What one finds by taking a share of the rows, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gain {
    /// The share of the rows that is taken.
    pub taken: f64,
    /// The share of the positives among them.
    pub found: f64,
    /// How many times more that is than among as many random rows.
    pub lift: f64,
}

/// RowCounts of about the same probability.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalibrationGroup {
    /// How many there are.
    pub rows: u64,
    /// Their mean probability.
    pub probability: f64,
    /// The share of them that is positive.
    #[serde(rename = "happened")]
    pub observed: f64,
}

impl NetworkEnsemble {
    /// Looks whether the model makes sense.
    ///
    /// # Errors
    /// Says what does not.
    pub fn check(&self, classes: usize) -> Result<(), NetworkError> {
        let fail = |problem: String| Err(NetworkError::Model(problem));
        self.preparation.check()?;
        if classes != 2 {
            return fail(format!("found {classes} classes, a network ranks one against another"));
        }
        if self.shape.inputs() != self.preparation.inputs.len() {
            let (takes, gets) = (self.shape.inputs(), self.preparation.inputs.len());
            return fail(format!("its networks take {takes} inputs, and {gets} are prepared"));
        }
        if self.members.is_empty() {
            return fail("it has no network, at least one is needed".to_owned());
        }
        for (number, member) in (1..).zip(&self.members) {
            let (found, needed) = (member.genes.len(), self.shape.genes());
            if found != needed {
                return fail(format!("network {number} has {found} numbers, {needed} are needed"));
            }
            let numbers = member.genes.iter().all(|gene| gene.is_finite());
            if !numbers || !member.slope.is_finite() || !member.offset.is_finite() {
                return fail(format!("a number of network {number} is not finite"));
            }
            let largest = self.largest_output(member);
            let score = member.slope.abs() * self.scale.of(largest) + member.offset.abs();
            if largest > f64::from(f32::MAX) || score > f64::from(f32::MAX) {
                return fail(format!(
                    "network {number} has weights with which its score can become infinite; scores up to {:e} are allowed",
                    f32::MAX
                ));
            }
        }
        Ok(())
    }

    /// How far from 0 the output of a network can lie, and at least how far any sum within it can.
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
