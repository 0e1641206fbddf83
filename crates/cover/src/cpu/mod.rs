//! The processor: one kernel, written once over 512-bit blocks, for every instruction set.
//!
//! - `table`: a table in main memory, and how a batch is spread over threads.
//! - `sweep`: tile by tile over the table. `leaf`: planes to bits. `combine`: bits to bits. `bags` and `sink`: bits to
//!   counts.

mod bags;
mod combine;
mod leaf;
mod sink;
mod sweep;
mod table;

pub(crate) use sweep::{Scratch, Sweep, Wanted, most_slots};
pub(crate) use table::CpuTable;
