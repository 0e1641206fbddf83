//! The GPU backend: follows roles with the kernels of `kernels/relate.cu`.
//!
//! `world` is a world on a GPU, `edges` the edges of a role, `sets` the sets that questions refer to,
//! and `room` the memory limit. `argument` declares the kernels and their argument.

#![forbid(unsafe_code)]

mod argument;
mod edges;
mod room;
mod sets;
mod world;

use crate::{Residency, World};
use pellucid_device::gpu::{Card, CardError, GpuTask, OpenGpu};
use std::sync::Arc;
use world::GpuWorld;

/// The number of bits of a counter of objects. Without bits it only records whether there was any
/// object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CounterBits {
    None,
    Two,
    Four,
    ThirtyTwo,
}

impl CounterBits {
    /// Returns the counter for a comparison with a number of `bits` bits.
    fn of(bits: usize) -> CounterBits {
        match bits {
            0 | 1 => CounterBits::None,
            2 => CounterBits::Two,
            3 | 4 => CounterBits::Four,
            _ => CounterBits::ThirtyTwo,
        }
    }

    fn number(self) -> usize {
        match self {
            CounterBits::None => 0,
            CounterBits::Two => 2,
            CounterBits::Four => 4,
            CounterBits::ThirtyTwo => 32,
        }
    }
}

/// Loads a world onto a GPU.
pub(crate) struct LoadWorld<'a>(pub(crate) &'a Arc<World>);

impl GpuTask for LoadWorld<'_> {
    type Output = Box<dyn Residency>;

    fn run<C: Card>(self, gpu: OpenGpu<C>) -> Result<Box<dyn Residency>, CardError> {
        Ok(Box::new(GpuWorld::new(gpu, self.0)))
    }
}
