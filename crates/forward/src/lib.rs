//! Scores small networks on many rows, and computes statistics of the ranks of the scores.
//!
//! [`Inputs`] contains the rows, a [`Shape`] describes the layers of networks, and *genes* are the
//! parameters of a network. A [`Session`] takes the [`Networks`] of a generation and returns
//! [`Ranks`]: counts from which lift, precision and the area under the ROC curve follow.
//!
//! ```
//! use pellucid_device::Device;
//! use pellucid_forward::{
//!     Activation, Batch, Inputs, Layer, Networks, RankRequest, Session, Shape, TieCounting, Width,
//! };
//! use std::sync::Arc;
//!
//! // One number per row; the positives are around 3.
//! let column: Vec<f32> = (0..100u8).map(|row| f32::from(row) / 10.0).collect();
//! let positive: Vec<bool> = column.iter().map(|number| (2.5..3.5).contains(number)).collect();
//! let inputs = Arc::new(Inputs::new(&[column], &positive)?);
//! let shape = Shape::new(1, &[Layer { nodes: 1, activation: Activation::Rbf(Width::Raw) }])?;
//!
//! // Two networks that prefer rows near 3 and near 9: weight, center, width, output.
//! let genes = [1.0, 3.0, 0.5, 1.0, /**/ 1.0, 9.0, 0.5, 1.0];
//! let top = inputs.part(0).share(0.2);
//! let mut session = Session::new(vec![inputs], &[Device::processor(None)?])?;
//! let asks = [RankRequest::top(0, top).and_pairs()];
//! let batch = Batch { inputs: 0, networks: Networks::all(&shape, &genes)?, asks: &asks };
//! let answers = session.rank(&[batch])?;
//! assert_eq!(answers.of(0, 0)[0].lift(TieCounting::Shared), 5.0);
//! assert_eq!(answers.of(0, 1)[0].lift(TieCounting::Shared), 0.0);
//! assert!(answers.of(0, 0)[0].auc() > 0.99);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The contract
//!
//! A [`Resident`] is a copy of the rows on a device; it answers [`Batch`]es. [`spec`] is the
//! specification, computed one row and one node at a time; `PELLUCID_SIMD=scalar` runs it. Networks
//! compute with floats, but every device returns **the same bits**. The specification fixes every
//! operation and its order, all operations are correctly rounded everywhere, and the exponential
//! function is composed of such operations. All statistics are integer counts. A population may
//! therefore be split over devices of any kind, and one device may replace another.
//!
//! # Tests for every backend
//!
//! `tests/conformance` generates random shapes, rows and genes, including ties, infinities and
//! constant networks. A backend is added with one line in its `devices()`.

#![deny(unsafe_code)]

mod batch;
mod breeding;
mod cpu;
pub mod elsewhere;
mod gpu;
mod inputs;
mod near;
mod plan;
mod ranks;
mod session;
mod shape;
pub mod spec;

pub use batch::{Batch, ForwardError, Networks, RankRequest};
pub use breeding::{Bred, BreedingPlan, GenerationSettings};
pub use cpu::activate;
pub use inputs::{Inputs, InputsError, RowPart};
pub use near::{Bracket, BracketQuery, Near, ascending};
pub use ranks::{Pairs, Ranks, TieCounting, TopCounts};
pub use session::{Answers, Session};
pub use shape::{Activation, GeneRole, Layer, Shape, ShapeError, Width};
pub use spec::{LARGEST_EXPONENT, SMALLEST_EXPONENT};

use pellucid_device::{DeviceError, Hardware};
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

/// Rows on a device.
pub trait Resident: Debug + Send {
    /// Computes the statistics of each network of the batches, in order, for each request of its
    /// batch: `out[network * width + ask]`. A batch with fewer requests leaves the rest unchanged.
    ///
    /// # Errors
    /// When the device fails; the content of `out` is then undefined.
    fn rank(
        &mut self,
        batches: &[Batch<'_>],
        width: usize,
        out: &mut [Ranks],
    ) -> Result<(), DeviceError>;

    /// Returns the scores of one network, by position.
    ///
    /// # Errors
    /// When the device fails.
    fn scores(
        &mut self,
        inputs: usize,
        shape: &Shape,
        genes: &[f32],
    ) -> Result<Vec<f32>, DeviceError>;

    /// Returns the rows above brackets and the scores inside, for networks and parts of some
    /// inputs; `rows` are those inputs. The cells of a network are adjacent.
    ///
    /// # Errors
    /// When the device fails.
    fn near(
        &mut self,
        inputs: usize,
        rows: &Inputs,
        networks: &Networks<'_>,
        cells: &[BracketQuery],
    ) -> Result<Vec<Near>, DeviceError> {
        near_by_scores(self, inputs, rows, networks, cells)
    }

    /// Breeds a population for some generations if the device supports it, see [`BreedingPlan`];
    /// returns `None` otherwise.
    ///
    /// # Errors
    /// When the device fails.
    fn breed(&mut self, _breeding: &BreedingPlan<'_>) -> Result<Option<Vec<Bred>>, DeviceError> {
        Ok(None)
    }

    /// Returns the time that the device computed since the last call, without transfers, if it can
    /// measure it. `go_on` says whether to continue measuring.
    fn take_time(&mut self, _go_on: bool) -> Option<Duration> {
        None
    }
}

/// Computes [`Resident::near`] from the scores of one network after the other.
fn near_by_scores<R: Resident + ?Sized>(
    resident: &mut R,
    inputs: usize,
    rows: &Inputs,
    networks: &Networks<'_>,
    cells: &[BracketQuery],
) -> Result<Vec<Near>, DeviceError> {
    let mut found = Vec::with_capacity(cells.len());
    for cells in cells.chunk_by(|one, other| one.network == other.network) {
        let genes = networks.genes(cells[0].network);
        let scores = resident.scores(inputs, networks.shape(), genes)?;
        let near =
            |cell: &BracketQuery| Near::plain(rows, rows.part(cell.part), &scores, &cell.bracket);
        found.extend(cells.iter().map(near));
    }
    Ok(found)
}

/// Loads rows onto a device.
///
/// # Errors
/// When the device cannot store or access them.
pub fn open(hardware: &Hardware, inputs: &[Arc<Inputs>]) -> Result<Box<dyn Resident>, DeviceError> {
    match hardware {
        Hardware::Processor(processor) => Ok(Box::new(cpu::CpuRows::new(processor, inputs))),
        Hardware::Gpu(gpu) => gpu.open(gpu::LoadRows(inputs)),
    }
}
