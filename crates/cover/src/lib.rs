//! **Cover**: evaluates large numbers of formulas on large numbers of rows, exactly and at hardware
//! speed.
//!
//! A [`Table`] stores columns as bit planes. [`Programs`](pellucid_program::Programs) is a pool of
//! formulas over its columns. A [`Session`] evaluates many formulas together and returns one tally
//! per formula: the number of covered rows (or bags of rows) of each class, or the sum of their
//! weights ([`Labels`]). All counts are integers, so the result is the same on every instruction
//! set, device and number of threads.
//!
//! ```
//! use pellucid_cover::{Hypothesis, Labels, Session, Table};
//! use pellucid_data::Values;
//! use pellucid_device::Device;
//! use std::sync::Arc;
//!
//! // Five atoms in two molecules.
//! let charge = Values::Numeric(vec![0.2, -0.7, 0.9, -0.1, -0.4].into());
//! let element = Values::Nominal { codes: vec![0, 1, 0, 0, 1], categories: vec!["c".into(), "o".into()] };
//! let table = Table::with_bags(
//!     vec![("charge".into(), charge), ("element".into(), element)],
//!     &[0, 0, 0, 1, 1],
//! )?;
//! let labels = Labels::bags(&table, &[1, 0], 2)?;
//!
//! let devices = [Device::processor(None)?];
//! let mut session = Session::new(Arc::new(table), labels, Hypothesis::Presence, &devices)?;
//! let rule = session.programs_mut().parse("element = c and charge > 0.5")?;
//! assert_eq!(session.tally(&[rule])?.of(0), [0, 1]); // no molecule of class 0, one of class 1
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The contract
//!
//! A [`Resident`] is a table on a device that evaluates a [`Batch`]. [`spec`] defines the correct
//! result, one row and one node at a time; `PELLUCID_SIMD=scalar` runs it directly. [`plan`] turns
//! a batch into steps. `cpu` runs the steps tile by tile, and `gpu` runs them with the kernels in
//! `gpu/kernels`.
//!
//! # One suite for every backend
//!
//! `tests/conformance` generates random tables, bags, programs and flat formulas. Its oracle walks
//! the expressions over the raw values and shares no code with the engine. To add a backend (an
//! instruction set, a number of threads or a kind of device), add one line to `devices()`: a name
//! and a [`Device`](pellucid_device::Device). The backend is complete when the suite passes. The
//! suite also finds errors in the order of GPU operations, because the emulator delays queued
//! operations as long as a GPU might.

#![deny(unsafe_code)]

mod batch;
mod cpu;
pub mod elsewhere;
mod gpu;
pub mod plan;
mod probe;
mod session;
pub mod spec;
pub mod table;

pub use batch::Batch;
pub use plan::{BindError, FormulaPart, Formulas, Hypothesis, Literal, LiteralError, Tallies};
pub use probe::{Probe, probe, probed_schedule};
pub use session::{EvaluateError, Session};
pub use table::{BagLayout, Column, Labels, Layout, Space, Table, TableError, UNCOUNTED};

use pellucid_bits::BitRows;
use pellucid_device::{DeviceError, Hardware};
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

/// A table on a device.
pub trait Resident: Debug + Send {
    /// Counts, for each root of the batch, the covered examples in each mask of the labels, and
    /// adds the counts to `counts[root * width + mask]`.
    ///
    /// # Errors
    /// When the device fails. The content of `counts` is then undefined.
    fn tally(&mut self, batch: &Batch<'_>, counts: &mut [u64]) -> Result<(), DeviceError>;

    /// Returns the rows, in table order, that each root covers.
    ///
    /// # Errors
    /// When the device fails.
    fn cover(&mut self, batch: &Batch<'_>) -> Result<BitRows, DeviceError>;

    /// Returns the time the device itself has computed since the last call, without transfers and
    /// planning, if the device can measure it. Measuring continues after the call if `go_on` is
    /// set.
    fn take_time(&mut self, _go_on: bool) -> Option<Duration> {
        None
    }
}

/// Loads a table onto a device.
///
/// # Errors
/// When the table does not fit on the device, or the device is not available.
pub fn open(hardware: &Hardware, table: &Arc<Table>) -> Result<Box<dyn Resident>, DeviceError> {
    match hardware {
        Hardware::Processor(processor) => Ok(Box::new(cpu::CpuTable::new(processor, table))),
        Hardware::Gpu(gpu) => gpu.open(gpu::LoadTable(table)),
    }
}
