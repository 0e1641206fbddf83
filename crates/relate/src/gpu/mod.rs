//! GPUs: roles followed by the kernels of `kernels/relate.cu`.
//!
//! `world` is a world on a card; `way` a role there, `sets` the sets that questions are about, `room` what may be kept there.
//!
//! `unsafe` is found where work is queued whose memory must stay alive.

mod room;
#[expect(unsafe_code, reason = "copies are queued")]
mod sets;
mod way;
#[expect(unsafe_code, reason = "copies and kernels are queued")]
mod world;

use crate::{Residency, World};
use pellucid_device::gpu::{Card, CardError, GpuKernel, Module, OnCard, OpenGpu};
use std::sync::Arc;
use world::GpuWorld;

/// The kernels of `relate.cu`.
static RELATE: Module = Module {
    name: "relate",
    ptx: include_str!("generated/relate.ptx"),
    kernels: &[
        "lay_rows",
        "count_pieces_0",
        "count_pieces_2",
        "count_pieces_4",
        "count_pieces_32",
        "relate_0",
        "relate_2",
        "relate_4",
        "relate_32",
    ],
    arguments: &[],
    shared_on_demand: false,
    #[cfg(feature = "emulator")]
    emulate: emulated::pellucid_emulate_relate,
};

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

/// The kernels, in the order of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {
    LayRows,
    CountPieces(CounterBits),
    Relate(CounterBits),
}

impl From<Kernel> for GpuKernel {
    fn from(kernel: Kernel) -> GpuKernel {
        let number = match kernel {
            Kernel::LayRows => 0,
            Kernel::CountPieces(bits) => 1 + bits as usize,
            Kernel::Relate(bits) => 5 + bits as usize,
        };
        GpuKernel { module: &RELATE, number }
    }
}

#[cfg(feature = "emulator")]
#[expect(unsafe_code, reason = "the kernels as C++ functions")]
mod emulated {
    use std::ffi::{c_char, c_int, c_void};

    unsafe extern "C" {
        pub(super) fn pellucid_emulate_relate(
            kernel: *const c_char,
            grid: u32,
            threads: u32,
            shared: usize,
            work: *const c_void,
        ) -> c_int;
    }
}

/// Takes a world to a card.
pub(crate) struct LoadWorld<'a>(pub(crate) &'a Arc<World>);

impl OnCard for LoadWorld<'_> {
    type Output = Box<dyn Residency>;

    fn on<C: Card>(self, gpu: OpenGpu<C>) -> Result<Box<dyn Residency>, CardError> {
        Ok(Box::new(GpuWorld::new(gpu, self.0)))
    }
}
