//! The GPU backend: computes the same counts with the kernels of `kernels/cover.cu`.
//!
//! ```text
//! table --tiling--> planes on the GPU, once
//! batch --plan----> encode -> one upload -> a kernel -> counts back
//! ```
//!
//! - `tiling`, `planes`: the table in tiles of 1,024 rows. It is sent in the background. Tiles that
//!   do not fit into GPU memory are streamed through it for every batch.
//! - `division`: splits a batch into trips and parts, which are built in parallel. `build`: plans
//!   and encodes a part. `encode`: plans as flat lists of words. `trip`: the memory of a trip.
//!   `tally`: the kernels that count. `grid`: how they are launched. `resident`: sends a batch to
//!   the GPU and returns the result. `argument`: the kernels and their arguments.

#![forbid(unsafe_code)]

mod argument;
mod build;
mod division;
mod encode;
mod grid;
mod planes;
mod resident;
mod tally;
mod tiling;
mod trip;

use crate::{Resident, Table};
use argument::COVER;
use pellucid_device::gpu::{Card, CardError, GpuTask, OpenGpu};
use resident::GpuTable;
use std::sync::Arc;

/// Starts sending a table to a GPU.
pub(crate) struct LoadTable<'a>(pub(crate) &'a Arc<Table>);

impl GpuTask for LoadTable<'_> {
    type Output = Box<dyn Resident>;

    fn run<C: Card>(self, gpu: OpenGpu<C>) -> Result<Box<dyn Resident>, CardError> {
        gpu.card.load(&COVER)?;
        Ok(Box::new(GpuTable::load(gpu, self.0)?))
    }
}
