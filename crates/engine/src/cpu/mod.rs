//! The cover contract on the processor: one kernel, written once over 512-bit blocks, for every instruction set.
//!
//! - `simd`: the few operations on a block that differ between instruction sets, and the choice among them.
//! - `portable`, `avx2`, `avx512`: those operations. A value of such a type is the proof that the processor has the
//!   instructions; only these files (and none above them) hold `unsafe`.
//! - `leaf`: planes to bits. `combine`: bits to bits. `bags` and `sink`: bits to counts. `sweep`: tile by tile over the table.
//! - `overlap`: sets of bits to how much they share.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod bags;
mod cache;
mod combine;
mod leaf;
mod level;
mod name;
mod overlap;
mod portable;
mod simd;
mod sink;
mod sweep;

pub use level::{Level, LevelError};
pub(crate) use name::processor_name;
pub use overlap::overlap;
pub(crate) use simd::{Kernel, Simd};
pub(crate) use sweep::{Scratch, Sweep, Wanted, most_slots};
