//! GPUs: the same scores and ranks, by the kernels of `kernels/forward.cu`.
//!
//! ```text
//! inputs ──► tiles, a sample and members on the card, once
//! batches ──► prepared networks ──► one upload ──► kernels ──► results back
//! ```
//!
//! - `rows`: inputs on a card, and the sample of them that shows where thresholds lie.
//! - `trip`: what the batches of one call need, laid out for one upload: which way each is ranked, and how it is spread.
//! - `resident`: a call's way to the card and back.
//! - `bred`: generations that the card makes by itself, one after the other.
//! - `argument`: the kernels, and what they take.

#![forbid(unsafe_code)]

mod argument;
mod bred;
mod resident;
mod rows;
mod trip;

use crate::{Inputs, Resident};
use argument::FORWARD;
use pellucid_device::gpu::{Card, CardError, GpuTask, OpenGpu};
use resident::GpuRows;
use std::sync::Arc;

/// Sends rows to a card.
pub(crate) struct LoadRows<'a>(pub(crate) &'a [Arc<Inputs>]);

impl GpuTask for LoadRows<'_> {
    type Output = Box<dyn Resident>;

    fn run<C: Card>(self, gpu: OpenGpu<C>) -> Result<Box<dyn Resident>, CardError> {
        gpu.card.load(&FORWARD)?;
        Ok(Box::new(GpuRows::load(gpu, self.0)?))
    }
}
