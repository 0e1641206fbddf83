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
//!
//! `unsafe` is found where work is queued whose memory must stay alive.

#[expect(unsafe_code, reason = "copies and kernels are queued")]
mod bred;
#[expect(unsafe_code, reason = "copies and kernels are queued")]
mod resident;
mod rows;
mod trip;
mod work;

use crate::{Inputs, Resident};
use pellucid_device::gpu::{Card, CardError, GpuKernel, Module, OnCard, OpenGpu};
use resident::GpuRows;
use std::sync::Arc;

/// The kernels of `forward.cu`.
static FORWARD: Module = Module {
    name: "forward",
    ptx: include_str!("generated/forward.ptx"),
    kernels: &[
        "forward_8",
        "forward_12",
        "forward_16",
        "forward_20",
        "forward_24",
        "forward_any",
        "bracket_8",
        "bracket_12",
        "bracket_16",
        "bracket_20",
        "bracket_24",
        "bracket_any",
        "settle",
        "rank",
        "pairs",
        "bred_8",
        "bred_12",
        "bred_16",
        "bred_20",
        "bred_24",
    ],
    arguments: &[],
    shared_on_demand: true,
    #[cfg(feature = "emulator")]
    emulate: emulated::pellucid_emulate_forward,
};

/// So many numbers of a row fit into registers, in kernels of their own; the kernels for any number come behind them.
const NEAR: [usize; 5] = [8, 12, 16, 20, 24];

/// The kernels; those that score rows come for so many features, by their place in [`NEAR`], or for any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {
    Forward(usize),
    Bracket(usize),
    Settle,
    Rank,
    Pairs,
    /// Makes children and brackets them; there is none for any number of features.
    Bred(usize),
}

impl From<Kernel> for GpuKernel {
    fn from(kernel: Kernel) -> GpuKernel {
        let widths = NEAR.len() + 1;
        let number = match kernel {
            Kernel::Forward(near) => near,
            Kernel::Bracket(near) => widths + near,
            Kernel::Settle => 2 * widths,
            Kernel::Rank => 2 * widths + 1,
            Kernel::Pairs => 2 * widths + 2,
            Kernel::Bred(near) => 2 * widths + 3 + near,
        };
        GpuKernel { module: &FORWARD, number }
    }
}

#[cfg(feature = "emulator")]
#[expect(unsafe_code, reason = "the kernels as C++ functions")]
mod emulated {
    use std::ffi::{c_char, c_int, c_void};

    unsafe extern "C" {
        pub(super) fn pellucid_emulate_forward(
            kernel: *const c_char,
            grid: u32,
            threads: u32,
            shared: usize,
            work: *const c_void,
        ) -> c_int;
    }
}

/// Sends rows to a card.
pub(crate) struct LoadRows<'a>(pub(crate) &'a [Arc<Inputs>]);

impl OnCard for LoadRows<'_> {
    type Output = Box<dyn Resident>;

    fn on<C: Card>(self, gpu: OpenGpu<C>) -> Result<Box<dyn Resident>, CardError> {
        gpu.card.load(&FORWARD)?;
        Ok(Box::new(GpuRows::load(gpu, self.0)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_have_the_names_they_stand_for() {
        let name = |kernel: Kernel| GpuKernel::from(kernel).name();
        for (place, near) in NEAR.iter().enumerate() {
            assert_eq!(name(Kernel::Forward(place)), format!("forward_{near}"));
            assert_eq!(name(Kernel::Bracket(place)), format!("bracket_{near}"));
            assert_eq!(name(Kernel::Bred(place)), format!("bred_{near}"));
        }
        let any = [Kernel::Forward(NEAR.len()), Kernel::Bracket(NEAR.len())].map(name);
        assert_eq!(any, ["forward_any", "bracket_any"]);
        let others = [Kernel::Settle, Kernel::Rank, Kernel::Pairs].map(name);
        assert_eq!(others, ["settle", "rank", "pairs"]);
    }
}
