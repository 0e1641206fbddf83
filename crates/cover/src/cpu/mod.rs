//! The processor: one kernel, written once over 512-bit blocks, for every instruction set.
//!
//! - `table`: a table in main memory, and how a batch is spread over threads.
//! - `sweep`: tile by tile over the table. `leaf`: planes to bits. `combine`: bits to bits. `bags` and
//!   `sink`: bits to counts.
//! - `given`: the same over rows of bits that others computed.

mod bags;
mod combine;
mod given;
mod leaf;
mod sink;
mod sweep;
mod table;

pub(crate) use given::GivenRows;
pub(crate) use sweep::{Scratch, Sweep, SweepOutput, most_slots};
pub(crate) use table::CpuTable;
