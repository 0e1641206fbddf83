//! The processor.

use crate::{Batch, Inputs, Ranks, Resident, Shape, spec};
use pellucid_device::{DeviceError, Processor, Threads};
use std::sync::Arc;

/// Rows in main memory.
#[derive(Debug)]
pub(crate) struct CpuRows {
    threads: Arc<Threads>,
    inputs: Vec<Arc<Inputs>>,
}

impl CpuRows {
    pub(crate) fn new(processor: &Processor, inputs: &[Arc<Inputs>]) -> CpuRows {
        CpuRows { threads: Arc::clone(processor.threads()), inputs: inputs.to_vec() }
    }
}

impl Resident for CpuRows {
    fn rank(
        &mut self,
        batches: &[Batch<'_>],
        width: usize,
        out: &mut [Ranks],
    ) -> Result<(), DeviceError> {
        let mut out = out.chunks_mut(width);
        for batch in batches {
            let inputs = &self.inputs[batch.inputs];
            let mut networks: Vec<&mut [Ranks]> = out.by_ref().take(batch.networks.len()).collect();
            self.threads.each(&mut networks, |network, ranks| {
                let scores =
                    plain_scores(inputs, batch.networks.shape(), batch.networks.genes(network));
                for (ranks, ask) in ranks.iter_mut().zip(batch.asks) {
                    *ranks = spec::ranks(inputs, &scores, ask);
                }
            });
        }
        Ok(())
    }

    fn scores(
        &mut self,
        inputs: usize,
        shape: &Shape,
        genes: &[f32],
    ) -> Result<Vec<f32>, DeviceError> {
        Ok(plain_scores(&self.inputs[inputs], shape, genes))
    }
}

/// The scores as the specification has them, by place.
fn plain_scores(inputs: &Inputs, shape: &Shape, genes: &[f32]) -> Vec<f32> {
    let row = |place| {
        (0..inputs.features()).map(|feature| inputs.at(place, feature)).collect::<Vec<f32>>()
    };
    (0..inputs.rows()).map(|place| spec::score(shape, genes, &row(place))).collect()
}
