//! The CPU backend: one kernel, written once over 512-bit blocks, for every instruction set.
//!
//! - `table`: a table in main memory, and how a batch is split over threads.
//! - `sweep`: runs plans tile by tile. `leaf`: planes to bits. `combine`: bits to bits. `bags` and
//!   `sink`: bits to counts.
//! - `given`: runs plans over given rows of bits.

mod bags;
mod combine;
mod given;
mod leaf;
mod sink;
mod sweep;
mod table;

pub(crate) use given::GivenRows;
pub(crate) use sweep::{Scratch, Sweep, SweepOutput, max_slots};
pub(crate) use table::CpuTable;
