//! The third shape of work, **relate**: individuals, the classes they are in, the roles between them and the values they have; and what programs over them
//! hold for.
//!
//! A [`World`] is closed: what it does not say is not so, and two names are two individuals. `not` is therefore the
//! complement within all individuals. `some`, `only`, `min`, `max` and `exactly` count the distinct individuals (or
//! values) that a role leads to and that satisfy the filler: `only` and `max` hold where there are none at all.
//!
//! A data property is a role like any other, from individuals to the distinct values there are, and a condition on a
//! value is a set of those. So there is one kernel for all restrictions: follow every edge, look whether its object is
//! in a set, and count the hits of each subject. [`spec`] says the same, one individual at a time.
//!
//! A [`Reasoner`] answers many programs at once.

#![deny(unsafe_code)]

mod check;
mod combine;
mod cpu;
mod edges;
mod error;
mod examples;
mod gpu;
mod inquiry;
mod model;
mod needs;
mod reasoner;
mod recipe;
mod set;
pub mod spec;
mod values;

pub use check::{MisuseError, check};
pub use edges::{Edges, sorted};
pub use error::ReasonError;
pub use examples::{ExampleError, Examples};
pub use inquiry::{Classes, Inquiry, Residency};
pub use model::{Links, Property, Target, World};
pub use reasoner::Reasoner;

use pellucid_device::{DeviceError, Hardware};
use std::sync::Arc;

/// Puts a world where a device computes.
///
/// # Errors
/// When the device cannot hold or reach it.
pub fn open(hardware: &Hardware, world: &Arc<World>) -> Result<Box<dyn Residency>, DeviceError> {
    match hardware {
        Hardware::Processor(processor) => Ok(Box::new(cpu::CpuWorld::new(processor, world))),
        Hardware::Gpu(gpu) => gpu.open(gpu::LoadWorld(world)),
    }
}
