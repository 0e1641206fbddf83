//! The score of rows by all members together.

use crate::error::NetworkError;
use crate::model::{Member, NetworkEnsemble};
use crate::search::layer_answers;
use pellucid_device::Machine;
use pellucid_forward::{Inputs, Session};
use std::sync::Arc;

impl NetworkEnsemble {
    /// The score of each row: the mean over members of slope × output + offset, outputs on the model's scale. `columns` are prepared
    /// rows, by input.
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

    /// The same of so many rows, from the outputs of each member.
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

    /// The same for one prepared row, in double precision throughout.
    pub(crate) fn score_of(&self, row: &[f64]) -> f64 {
        let of_member = |member: &Member| {
            let mut values = row.to_vec();
            for layer in 0..self.shape.layers().len() {
                values = layer_answers(&self.shape, &member.genes, layer, &values);
            }
            let weights = &member.genes[self.shape.outputs()];
            let output: f64 = values.iter().zip(weights).map(|(a, &w)| a * f64::from(w)).sum();
            member.slope * self.scale.of(output) + member.offset
        };
        finite(self.members.iter().map(of_member).sum::<f64>() / self.members.len().max(1) as f64)
    }
}

/// A score that is still a number whatever the genes are; the check of a model refuses those with which it could be infinite.
fn finite(score: f64) -> f64 {
    if score.is_finite() { score } else { f64::from(f32::MIN) }
}
