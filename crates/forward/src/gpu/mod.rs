//! Scores and ranks on GPUs, by the kernels of `kernels/forward.cu`.
//!
//! ```text
//! inputs ──► tiles, a sample and members on the GPU, once
//! batches ──► prepared networks ──► one upload ──► kernels ──► results back
//! ```
//!
//! - `rows`: inputs on a GPU, and a sample of them from which thresholds are estimated.
//! - `upload`: the data of all batches of one call in one upload, the method by which each is ranked, and the
//!   grid.
//! - `resident`: the execution of a call.
//! - `bred`: whole generations on the GPU.
//! - `argument`: the kernels and their arguments.

#![forbid(unsafe_code)]

mod argument;
mod bred;
mod resident;
mod rows;
mod upload;

use crate::{Inputs, Resident};
use argument::FORWARD;
use pellucid_device::gpu::{Card, CardError, GpuTask, OpenGpu};
use resident::GpuRows;
use std::sync::Arc;

/// Copies rows to a GPU.
pub(crate) struct LoadRows<'a>(pub(crate) &'a [Arc<Inputs>]);

impl GpuTask for LoadRows<'_> {
    type Output = Box<dyn Resident>;

    fn run<C: Card>(self, gpu: OpenGpu<C>) -> Result<Box<dyn Resident>, CardError> {
        gpu.card.load(&FORWARD)?;
        Ok(Box::new(GpuRows::load(gpu, self.0)?))
    }
}
