//! The model: an ensemble of networks, and the preparation of their inputs.

use crate::params::Params;
use crate::prepare::InputPreparation;
use pellucid_forward::Shape;
use pellucid_learn::metrics::Estimate;
use pellucid_learn::model::Model;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Range;

/// The name of this learner in files and commands.
pub const LEARNER: &str = "network";

/// A model file of this learner.
pub type NetworkModel = Model<Params, NetworkEnsemble>;

/// An ensemble of networks.
///
/// With two classes, the score of a row is the mean over the members of `slope × output + offset`, an
/// estimate of the log odds that the row is positive. With more classes, a network has an output for
/// each, with an offset of its own, and the softmax of the scores estimates their probabilities. If a
/// number is predicted, the score is this number. If the [scale](OutputScale) is logarithmic, the signed
/// logarithm of the output is used instead of the output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworkEnsemble {
    /// The preparation of the inputs.
    pub preparation: InputPreparation,
    /// The shape of each network. It has one output; the weights of others follow those of the first.
    pub shape: Shape,
    /// The number of outputs of each network: one for each of more than two classes, otherwise one.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub outputs: usize,
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

fn one() -> usize {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_one(outputs: &usize) -> bool {
    *outputs == 1
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowCounts {
    /// The number of rows.
    pub all: u64,
    /// The number of positive rows; 0 without two classes.
    pub positive: u64,
    /// The number of rows of each class, if there are more than two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_class: Vec<u64>,
}

impl RowCounts {
    /// Returns the number of rows by class; empty if a number is predicted.
    #[must_use]
    pub fn by_class(&self, classes: usize) -> Vec<u64> {
        match classes {
            0 => Vec::new(),
            2 => vec![self.all.saturating_sub(self.positive), self.positive],
            _ => self.by_class.clone(),
        }
    }
}

/// A network of the ensemble.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// The weights and other parameters of the network.
    pub genes: Vec<f32>,
    /// The factor of its output.
    pub slope: f64,
    /// The offset that is added; 0 if each class has its own.
    pub offset: f64,
    /// The offset of each class, if there are more than two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offsets: Vec<f64>,
    /// How it was found.
    pub origin: MemberOrigin,
    /// The metric on the held-out rows by which it was selected; slightly optimistic for new rows. With
    /// more than two classes it is the log loss, and for a number the mean squared error in units of
    /// the variance.
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
    /// The loss of area under the ROC curve when the values of the column are permuted; of accuracy
    /// with more than two classes, and of R² for a number.
    pub importance: f64,
    /// The change of the mean score by value.
    pub points: Vec<EffectPoint>,
}

/// A point of a feature effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EffectPoint {
    /// The value.
    pub value: EffectValue,
    /// The mean score when all rows have the value, minus the mean score of the unchanged rows. With
    /// more than two classes it is the largest change.
    pub score: f64,
    /// The change of the mean log odds of each class, if there are more than two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_class: Vec<f64>,
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HeldOutEvaluation {
    /// The number of held-out rows.
    pub rows: RowCounts,
    /// The accuracy, if there are more than two classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<Estimate>,
    /// The log loss, if there are more than two classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_loss: Option<Estimate>,
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

impl Member {
    /// Returns the offset of an output.
    #[must_use]
    pub fn offset_of(&self, output: usize) -> f64 {
        self.offsets.get(output).copied().unwrap_or(self.offset)
    }
}

impl NetworkEnsemble {
    /// Returns the number of genes of each network.
    #[must_use]
    pub fn genes(&self) -> usize {
        self.output_weights(self.outputs.max(1) - 1).end
    }

    /// Returns the weights of an output.
    #[must_use]
    pub fn output_weights(&self, output: usize) -> Range<usize> {
        let first = self.shape.outputs();
        first.start + output * first.len()..first.end + output * first.len()
    }

    /// Returns a network as one with a single output, one of its own.
    pub(crate) fn single_output<'a>(&self, member: &'a Member, output: usize) -> Cow<'a, [f32]> {
        if self.outputs == 1 {
            return Cow::Borrowed(&member.genes);
        }
        let hidden = &member.genes[..self.shape.outputs().start];
        Cow::Owned([hidden, &member.genes[self.output_weights(output)]].concat())
    }
}
