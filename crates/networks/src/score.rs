//! Computes the score of rows, the mean over all members.

use crate::error::NetworkError;
use crate::model::{Member, NetworkEnsemble};
use crate::search::layer_outputs;
use pellucid_device::Machine;
use pellucid_forward::{Inputs, Session};
use std::sync::Arc;

impl NetworkEnsemble {
    /// Returns the score of each row: the mean over the members of slope × output + offset, with
    /// outputs on the scale of the model. `columns` are prepared rows, input by input.
    pub(crate) fn scores(
        &self,
        columns: &[Vec<f32>],
        machine: &Machine,
    ) -> Result<Vec<f64>, NetworkError> {
        let rows = columns.first().map_or(0, Vec::len);
        if rows == 0 {
            return Ok(Vec::new());
        }
        let mut session = Session::on(machine, vec![Arc::new(Inputs::unlabelled(columns)?)])?;
        self.scores_by(rows, |member| Ok(session.scores(0, &self.shape, &member.genes)?))
    }

    /// Returns the score of each row from the outputs of each member.
    pub(crate) fn scores_by(
        &self,
        rows: usize,
        mut outputs: impl FnMut(&Member) -> Result<Vec<f32>, NetworkError>,
    ) -> Result<Vec<f64>, NetworkError> {
        let mut sums = vec![0.0; rows];
        for member in &self.members {
            for (sum, output) in sums.iter_mut().zip(outputs(member)?) {
                *sum += member.slope * self.scale.of(f64::from(output)) + member.offset;
            }
        }
        let members = self.members.len().max(1) as f64;
        sums.iter_mut().for_each(|sum| *sum = finite(*sum / members));
        Ok(sums)
    }

    /// Returns the score of one prepared row, computed in double precision.
    pub(crate) fn score_of(&self, row: &[f64]) -> f64 {
        let of_member = |member: &Member| {
            let mut values = row.to_vec();
            for layer in 0..self.shape.layers().len() {
                values = layer_outputs(&self.shape, &member.genes, layer, &values);
            }
            let weights = &member.genes[self.shape.outputs()];
            let output: f64 = values.iter().zip(weights).map(|(a, &w)| a * f64::from(w)).sum();
            member.slope * self.scale.of(output) + member.offset
        };
        finite(self.members.iter().map(of_member).sum::<f64>() / self.members.len().max(1) as f64)
    }
}

/// Replaces a score that is not finite. Models that could have such scores are rejected when they
/// are checked.
fn finite(score: f64) -> f64 {
    if score.is_finite() { score } else { f64::from(f32::MIN) }
}
