//! GPUs: the same counts, by the kernels of `kernels/cover.cu`.
//!
//! ```text
//! table --tiling--> planes on the card, once
//! batch --plan----> encode -> one upload -> a kernel -> counts back
//! ```
//!
//! - `tiling`, `planes`: the table in tiles of 1,024 rows, sent while the caller does something else; what does not fit
//!   into the card's memory passes through it in turns.
//! - `build`: a batch cut into parts, which are planned side by side. `encode`: plans as flat lists of words.
//!   `resident`: a batch's way to the card and back. `argument`: the kernels, and what they take.

#![forbid(unsafe_code)]

mod argument;
mod build;
mod encode;
mod planes;
mod resident;
mod tiling;

use crate::{Resident, Table};
use argument::COVER;
use pellucid_device::gpu::{Card, CardError, GpuTask, OpenGpu};
use resident::GpuTable;
use std::sync::Arc;

/// Begins to send a table to a card.
pub(crate) struct LoadTable<'a>(pub(crate) &'a Arc<Table>);

impl GpuTask for LoadTable<'_> {
    type Output = Box<dyn Resident>;

    fn run<C: Card>(self, gpu: OpenGpu<C>) -> Result<Box<dyn Resident>, CardError> {
        gpu.card.load(&COVER)?;
        Ok(Box::new(GpuTable::load(gpu, self.0)?))
    }
}
