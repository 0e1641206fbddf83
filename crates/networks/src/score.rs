//! Computes the scores of rows, the mean over all members.
//!
//! A network with several outputs is evaluated as one network for each output, so its scores have the
//! same bits on every device.

use crate::error::NetworkError;
use crate::model::NetworkEnsemble;
use crate::search::layer_outputs;
use pellucid_device::Machine;
use pellucid_forward::{Inputs, Session};
use std::sync::Arc;

impl NetworkEnsemble {
    /// Returns the scores of each row, output by output: the mean over the members of slope × output
    /// + offset, with outputs on the scale of the model. `columns` are prepared rows, input by input.
    pub(crate) fn scores(
        &self,
        columns: &[Vec<f32>],
        machine: &Machine,
    ) -> Result<Vec<Vec<f64>>, NetworkError> {
        let rows = columns.first().map_or(0, Vec::len);
        if rows == 0 {
            return Ok(vec![Vec::new(); self.outputs]);
        }
        let mut session = Session::on(machine, vec![Arc::new(Inputs::unlabelled(columns)?)])?;
        let scores = |output| {
            self.scores_by(output, rows, |genes| Ok(session.scores(0, &self.shape, genes)?))
        };
        (0..self.outputs).map(scores).collect()
    }

    /// Returns the score of each row for an output from the outputs of each member.
    pub(crate) fn scores_by(
        &self,
        output: usize,
        rows: usize,
        mut outputs: impl FnMut(&[f32]) -> Result<Vec<f32>, NetworkError>,
    ) -> Result<Vec<f64>, NetworkError> {
        let mut sums = vec![0.0; rows];
        for member in &self.members {
            let offset = member.offset_of(output);
            let found = outputs(&self.single_output(member, output))?;
            for (sum, output) in sums.iter_mut().zip(found) {
                *sum += member.slope * self.scale.of(f64::from(output)) + offset;
            }
        }
        let members = self.members.len().max(1) as f64;
        sums.iter_mut().for_each(|sum| *sum = finite(*sum / members));
        Ok(sums)
    }

    /// Returns the scores of one prepared row, computed in double precision.
    pub(crate) fn scores_of(&self, row: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.outputs];
        for member in &self.members {
            let mut values = row.to_vec();
            for layer in 0..self.shape.layers().len() {
                values = layer_outputs(&self.shape, &member.genes, layer, &values);
            }
            for (output, sum) in sums.iter_mut().enumerate() {
                let weights = &member.genes[self.output_weights(output)];
                let found: f64 = values.iter().zip(weights).map(|(a, &w)| a * f64::from(w)).sum();
                *sum += member.slope * self.scale.of(found) + member.offset_of(output);
            }
        }
        let members = self.members.len().max(1) as f64;
        sums.into_iter().map(|sum| finite(sum / members)).collect()
    }
}

/// Returns the log odds of a class against all others: its score minus the logarithm of the sum of the
/// exponentials of the other scores.
pub(crate) fn log_odds(scores: impl Iterator<Item = f64> + Clone, class: usize) -> f64 {
    let others =
        || scores.clone().enumerate().filter(|(other, _)| *other != class).map(|one| one.1);
    let largest = others().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = others().map(|score| libm::exp(score - largest)).sum();
    let own = scores.clone().nth(class).unwrap_or(0.0);
    if sum > 0.0 { own - largest - libm::log(sum) } else { own }
}

/// Replaces a score that is not finite. Models that could have such scores are rejected when they
/// are checked.
fn finite(score: f64) -> f64 {
    if score.is_finite() { score } else { f64::from(f32::MIN) }
}
