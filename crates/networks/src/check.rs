//! Checks a model from a file, which may contain anything.

use crate::error::NetworkError;
use crate::model::{Member, NetworkEnsemble};
use crate::search::width_of;
use crate::task::NetworkTask;
use pellucid_forward::{Activation, LARGEST_EXPONENT};
use pellucid_learn::model::Schema;

/// The largest number that a model may predict; the sum over a hundred networks is still finite.
const LARGEST_NUMBER: f64 = 1e300;

impl NetworkEnsemble {
    /// Checks a model from a file.
    ///
    /// # Errors
    /// Describes the first problem.
    pub fn check(&self, schema: &Schema) -> Result<(), NetworkError> {
        let fail = |problem: String| Err(NetworkError::Model(problem));
        self.preparation.check()?;
        let (task, classes) = (NetworkTask::of_schema(schema), schema.classes.len());
        if classes < 2 && task != NetworkTask::Number {
            return fail(format!("it has {classes} classes; expected at least 2"));
        }
        if self.outputs != task.outputs() {
            let (found, expected) = (self.outputs, task.outputs());
            return fail(format!("its networks have {found} outputs; expected {expected}"));
        }
        let is_known = |class: Option<u32>| class.is_none_or(|class| (class as usize) < classes);
        if let Some(input) = self.preparation.inputs.iter().find(|input| !is_known(input.class)) {
            return fail(format!(
                "the input from column '{}' is about an unknown class",
                input.column
            ));
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
        // Scores are log odds, or numbers in the unit of the target.
        let limit = if task == NetworkTask::Number { LARGEST_NUMBER } else { f64::from(f32::MAX) };
        for (number, member) in (1..).zip(&self.members) {
            let (found, needed) = (member.genes.len(), self.genes());
            if found != needed {
                return fail(format!("network {number} has {found} parameters; expected {needed}"));
            }
            let offsets = if self.outputs > 1 { self.outputs } else { 0 };
            if member.offsets.len() != offsets {
                let found = member.offsets.len();
                return fail(format!("network {number} has {found} offsets; expected {offsets}"));
            }
            let numbers = member.genes.iter().all(|gene| gene.is_finite())
                && member.offsets.iter().all(|offset| offset.is_finite());
            if !numbers || !member.slope.is_finite() || !member.offset.is_finite() {
                return fail(format!("a parameter of network {number} is not finite"));
            }
            let largest = self.largest_output(member);
            let offset = member.offsets.iter().fold(member.offset.abs(), |a, b| a.max(b.abs()));
            let score = member.slope.abs() * self.scale.of(largest) + offset;
            if largest > f64::from(f32::MAX) || score.is_nan() || score > limit {
                return fail(format!(
                    "the weights of network {number} allow scores above the limit of {limit:e}"
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
        (0..self.outputs)
            .map(|output| size(self.output_weights(output), &reach))
            .fold(largest, f64::max)
    }
}
