//! GPUs: conditions against rows, and many learners in lock-step.
//!
//! - `survey`: a population against many rows (`kernels/survey.cu`).
//! - `lockstep`: whole learners, a block of threads each (`kernels/lockstep.cu`); `layout` says what lies where.
//!
//! `unsafe` is found where work is queued whose memory must stay alive.

mod lockstep;
#[expect(unsafe_code, reason = "copies and kernels are queued")]
mod survey;

pub(crate) use lockstep::Settle;
pub(crate) use survey::Send;

use pellucid_device::gpu::{GpuKernel, Module};

/// The kernels of `lockstep.cu`, by how many words a condition has.
static LOCKSTEP: Module = Module {
    name: "lockstep",
    ptx: include_str!("generated/lockstep.ptx"),
    kernels: &["live_1", "live_2", "live_4"],
    arguments: &[],
    shared_on_demand: true,
    #[cfg(feature = "emulator")]
    emulate: emulated::pellucid_emulate_matching,
};

/// The kernels of `survey.cu`.
static SURVEY: Module = Module {
    name: "survey",
    ptx: include_str!("generated/survey.ptx"),
    kernels: &["lay_planes", "match_rows", "vote_rows"],
    arguments: &[],
    shared_on_demand: false,
    #[cfg(feature = "emulator")]
    emulate: emulated::pellucid_emulate_matching,
};

/// The kernels that hold conditions against rows, in the order of their module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {
    LayPlanes,
    MatchRows,
    VoteRows,
}

impl From<Kernel> for GpuKernel {
    fn from(kernel: Kernel) -> GpuKernel {
        GpuKernel { module: &SURVEY, number: kernel as usize }
    }
}

/// The kernel for conditions of so many words.
fn live(words: usize) -> GpuKernel {
    GpuKernel { module: &LOCKSTEP, number: words.trailing_zeros() as usize }
}

#[cfg(feature = "emulator")]
#[expect(unsafe_code, reason = "the kernels as C++ functions")]
mod emulated {
    use std::ffi::{c_char, c_int, c_void};

    unsafe extern "C" {
        pub(super) fn pellucid_emulate_matching(
            kernel: *const c_char,
            grid: u32,
            threads: u32,
            shared: usize,
            work: *const c_void,
        ) -> c_int;
    }
}
