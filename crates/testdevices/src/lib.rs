//! What the conformance suites of the shapes share.
//!
//! - [`backends()`] is the registry: the CPU at every level of instructions and with several numbers of
//!   threads, emulated GPUs of the sizes that a shape chooses (feature `emulator`), and the GPUs of this
//!   machine.
//! - [`Draw`] is the source of random inputs.
//! - [`cases`] is how many cases a property test tries. `PELLUCID_FULL=1` raises the number for all of them.
//! - [`availability`] names the levels and devices that this machine lacks, and that no suite has therefore
//!   tested.

mod backends;
mod draw;

pub use backends::{
    Backend, EmulatedGpu, availability, backends, cpu, cpus, gpus, levels, threads,
};
pub use draw::Draw;
pub use pellucid_testdata::cases;
