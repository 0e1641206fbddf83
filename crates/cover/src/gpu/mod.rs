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
//!   `resident`: a batch's way to the card and back.
//!
//! `unsafe` is found where work is queued whose memory must stay alive.

mod build;
mod encode;
#[expect(unsafe_code, reason = "copies are queued")]
mod planes;
#[expect(unsafe_code, reason = "copies and kernels are queued")]
mod resident;
mod tiling;
mod work;

use crate::{Resident, Table};
use pellucid_device::gpu::{Card, CardError, GpuKernel, Module, OnCard, OpenGpu};
use resident::GpuTable;
use std::sync::Arc;

/// The kernels of `cover.cu`.
static COVER: Module = Module {
    name: "cover",
    ptx: include_str!("generated/cover.ptx"),
    kernels: &["tally_rows", "tally_tall", "tally_bags", "cover_rows"],
    arguments: &[],
    shared_on_demand: true,
    #[cfg(feature = "emulator")]
    emulate: emulated::pellucid_emulate_cover,
};

/// The kernels, in the order of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {
    TallyRows,
    TallyTall,
    TallyBags,
    CoverRows,
}

impl From<Kernel> for GpuKernel {
    fn from(kernel: Kernel) -> GpuKernel {
        GpuKernel { module: &COVER, number: kernel as usize }
    }
}

#[cfg(feature = "emulator")]
#[expect(unsafe_code, reason = "the kernels as C++ functions")]
mod emulated {
    use std::ffi::{c_char, c_int, c_void};

    unsafe extern "C" {
        pub(super) fn pellucid_emulate_cover(
            kernel: *const c_char,
            grid: u32,
            threads: u32,
            shared: usize,
            work: *const c_void,
        ) -> c_int;
    }
}

/// Begins to send a table to a card.
pub(crate) struct LoadTable<'a>(pub(crate) &'a Arc<Table>);

impl OnCard for LoadTable<'_> {
    type Output = Box<dyn Resident>;

    fn on<C: Card>(self, gpu: OpenGpu<C>) -> Result<Box<dyn Resident>, CardError> {
        gpu.card.load(&COVER)?;
        Ok(Box::new(GpuTable::load(gpu, self.0)?))
    }
}
