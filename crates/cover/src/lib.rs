//! The first shape of work, **cover**: very many formulas against very many rows, exactly, at the speed of
//! the machine.
//!
//! A [`Table`] holds columns as bit planes. [`Programs`](pellucid_program::Programs) is a pool of formulas
//! over its columns. A [`Session`] evaluates many of them together and gives back a tally per formula: how
//! many rows, or bags of rows, of each class it holds for, or what they weigh together ([`Labels`]).
//! Everything is counted in integers, so the answer is the same on every instruction set, device and number
//! of threads.
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
//! let table = Table::with_bags(vec![("charge".into(), charge), ("element".into(), element)], &[0, 0, 0, 1, 1])?;
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
//! A [`Resident`] is a table on a device; it answers a [`Batch`]. [`spec`] says what is right, one row and
//! one node at a time, and is what `PELLUCID_SIMD=scalar` runs. [`plan`] turns a batch into what is to be
//! computed; `cpu` computes it tile by tile, `gpu` with the kernels in `gpu/kernels`.
//!
//! # One suite for every backend
//!
//! `tests/conformance` makes tables, bags, programs and flat formulas by chance, and has an oracle that walks
//! the expressions over the raw values and knows nothing of the engine. A backend, be it an instruction set,
//! another number of threads or another kind of device, joins by one line in its `devices()`: a name and a
//! [`Device`](pellucid_device::Device). It is finished when the suite is green. What a GPU does in wrong
//! order shows there too: the emulator does what is queued as late as a GPU might.

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
pub use plan::{BindError, Formulas, Hypothesis, Literal, LiteralError, Part, Tallies};
pub use probe::{Probe, probe, probed_schedule};
pub use session::{EvaluateError, Session};
pub use table::{Bags, Column, Labels, Layout, Space, Table, TableError, UNCOUNTED};

use pellucid_bits::BitRows;
use pellucid_device::{DeviceError, Hardware};
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

/// A table on a device.
pub trait Resident: Debug + Send {
    /// Counts, for each root of the batch, the examples of each mask of the labels for which it holds, and
    /// adds them to `counts[root * width + mask]`.
    ///
    /// # Errors
    /// When the device fails; what is in `counts` is then worthless.
    fn tally(&mut self, batch: &Batch<'_>, counts: &mut [u64]) -> Result<(), DeviceError>;

    /// The rows, in the order of the table, that each root covers.
    ///
    /// # Errors
    /// When the device fails.
    fn cover(&mut self, batch: &Batch<'_>) -> Result<BitRows, DeviceError>;

    /// How long the device itself computed since this was last asked, transfers and planning not among it,
    /// where it can tell.
    fn take_time(&mut self, _go_on: bool) -> Option<Duration> {
        None
    }
}

/// Puts a table where a device computes.
///
/// # Errors
/// When the device cannot hold or reach it.
pub fn open(hardware: &Hardware, table: &Arc<Table>) -> Result<Box<dyn Resident>, DeviceError> {
    match hardware {
        Hardware::Processor(processor) => Ok(Box::new(cpu::CpuTable::new(processor, table))),
        Hardware::Gpu(gpu) => gpu.open(gpu::LoadTable(table)),
    }
}
