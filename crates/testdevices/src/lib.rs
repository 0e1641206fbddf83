//! Test support for the conformance suites of all shapes of work.
//!
//! - [`backends()`] is the registry: the CPU at every instruction level and with several numbers of
//!   threads, emulated GPUs of the sizes that a shape chooses (feature `emulator`), and the GPUs of
//!   this machine.
//! - [`Draw`] generates random inputs.
//! - [`cases`] is the number of cases of a property test. `PELLUCID_FULL=1` raises it for all tests.
//! - [`availability`] names the levels and devices that this machine lacks and that are not tested.

mod backends;
mod draw;

pub use backends::{
    Backend, EmulatedGpu, availability, backends, cpu, cpus, gpus, levels, threads,
};
pub use draw::Draw;
pub use pellucid_testdata::cases;
