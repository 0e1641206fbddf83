//! GPUs: roles followed by the kernels of `kernels/relate.cu`.
//!
//! `world` is a world on a card; `way` a role there, `sets` the sets that questions are about, `room` what may be kept there.
//! `argument` declares the kernels and what they take.

#![forbid(unsafe_code)]

mod argument;
mod room;
mod sets;
mod way;
mod world;

use crate::{Residency, World};
use pellucid_device::gpu::{Card, CardError, GpuTask, OpenGpu};
use std::sync::Arc;
use world::GpuWorld;

/// How far a counter of objects goes; without bits it only says whether there was any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CounterBits {
    None,
    Two,
    Four,
    ThirtyTwo,
}

impl CounterBits {
    /// Enough to compare with a number of so many bits.
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

/// Takes a world to a card.
pub(crate) struct LoadWorld<'a>(pub(crate) &'a Arc<World>);

impl GpuTask for LoadWorld<'_> {
    type Output = Box<dyn Residency>;

    fn run<C: Card>(self, gpu: OpenGpu<C>) -> Result<Box<dyn Residency>, CardError> {
        Ok(Box::new(GpuWorld::new(gpu, self.0)))
    }
}
