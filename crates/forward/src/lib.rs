//! The fifth shape of work, **forward**: small networks against very many rows, and what the ranks of their
//! scores say.
//!
//! Picture a judge who gives every row a number, and nobody cares for the numbers, only for who stands in
//! front: how many of the best fifth are positive, how often a positive stands before a negative. A
//! generation is fifty such judges, or five thousand. [`Inputs`] holds the rows, a [`Shape`] says what judges
//! are made of, and *genes* are the numbers in one. A [`Session`] takes [`Networks`] and answers with
//! [`Ranks`]: whole numbers, from which lift, precision and the area under the ROC curve follow.
//!
//! ```
//! use pellucid_device::Device;
//! use pellucid_forward::{Activation, Ask, Batch, Inputs, Layer, Networks, Session, Shape, Ties, Width};
//! use std::sync::Arc;
//!
//! // One number a row; the positives are those around 3.
//! let column: Vec<f32> = (0..100u8).map(|row| f32::from(row) / 10.0).collect();
//! let positive: Vec<bool> = column.iter().map(|number| (2.5..3.5).contains(number)).collect();
//! let inputs = Arc::new(Inputs::new(&[column], &positive)?);
//! let shape = Shape::new(1, &[Layer { nodes: 1, activation: Activation::Rbf(Width::Raw) }])?;
//!
//! // Two networks, which look for rows near 3 and near 9: weight, centre, width, output.
//! let genes = [1.0, 3.0, 0.5, 1.0, /**/ 1.0, 9.0, 0.5, 1.0];
//! let top = inputs.part(0).share(0.2);
//! let mut session = Session::new(vec![inputs], &[Device::processor(None)?])?;
//! let batch = Batch { inputs: 0, networks: Networks::all(&shape, &genes)?, asks: &[Ask::top(0, top).and_pairs()] };
//! let answers = session.rank(&[batch])?;
//! assert_eq!(answers.of(0, 0)[0].lift(Ties::Shared), 5.0);
//! assert_eq!(answers.of(0, 1)[0].lift(Ties::Shared), 0.0);
//! assert!(answers.of(0, 0)[0].auc() > 0.99);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The contract
//!
//! A [`Resident`] is the rows on a device; it answers [`Batch`]es. [`spec`] says what is right, one row and
//! one node at a time, and is what `PELLUCID_SIMD=scalar` runs. Networks compute in floats, and yet every
//! device gives **the same bits**: the specification fixes every operation and its order, all of them are
//! correctly rounded everywhere, and the one function that is not, the exponential, is spelled out in those
//! that are. What is counted are whole numbers. So a population may be split over devices of any kind, and a
//! device may take over for another.
//!
//! # One suite for every backend
//!
//! `tests/conformance` makes shapes, rows and genes by chance, ties, infinities and networks without any
//! opinion among them. A backend joins by one line in its `devices()`, and is finished when the suite is
//! green.

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

pub use batch::{Ask, Batch, Networks, RankError};
pub use breeding::{Bred, Breeding, Generation};
pub use cpu::activate;
pub use inputs::{Inputs, InputsError, Part};
pub use near::{Bracket, Cell, Near, ascending};
pub use ranks::{Pairs, Ranks, Ties, Top};
pub use session::{Answers, Session};
pub use shape::{Activation, Gene, Layer, Shape, ShapeError, Width};
pub use spec::{LARGEST_EXPONENT, SMALLEST_EXPONENT};

use pellucid_device::{DeviceError, Hardware};
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

/// Rows on a device.
pub trait Resident: Debug + Send {
    /// Says, for each network of the batches, one after the other, and each ask of its batch, what the scores
    /// say: `out[network * width + ask]`. A batch that asks less leaves the rest as it is.
    ///
    /// # Errors
    /// When the device fails; what is in `out` is then worthless.
    fn rank(
        &mut self,
        batches: &[Batch<'_>],
        width: usize,
        out: &mut [Ranks],
    ) -> Result<(), DeviceError>;

    /// The scores of one network, by place.
    ///
    /// # Errors
    /// When the device fails.
    fn scores(
        &mut self,
        inputs: usize,
        shape: &Shape,
        genes: &[f32],
    ) -> Result<Vec<f32>, DeviceError>;

    /// Who is above brackets and which scores are within, for networks and parts of some inputs; `rows` are
    /// those inputs. The cells of a network are next to each other.
    ///
    /// # Errors
    /// When the device fails.
    fn near(
        &mut self,
        inputs: usize,
        rows: &Inputs,
        networks: &Networks<'_>,
        cells: &[Cell],
    ) -> Result<Vec<Near>, DeviceError> {
        near_by_scores(self, inputs, rows, networks, cells)
    }

    /// Breeds a population for some generations, if the device makes them by itself: see [`Breeding`].
    /// Nothing otherwise.
    ///
    /// # Errors
    /// When the device fails.
    fn breed(&mut self, _breeding: &Breeding<'_>) -> Result<Option<Vec<Bred>>, DeviceError> {
        Ok(None)
    }

    /// How long the device itself computed since this was last asked, transfers not among it, where it can
    /// tell, and whether it is to be measured on.
    fn take_time(&mut self, _go_on: bool) -> Option<Duration> {
        None
    }
}

/// What [`Resident::near`] finds, from the scores of one network after the other.
fn near_by_scores<R: Resident + ?Sized>(
    resident: &mut R,
    inputs: usize,
    rows: &Inputs,
    networks: &Networks<'_>,
    cells: &[Cell],
) -> Result<Vec<Near>, DeviceError> {
    let mut found = Vec::with_capacity(cells.len());
    for cells in cells.chunk_by(|one, other| one.network == other.network) {
        let genes = networks.genes(cells[0].network);
        let scores = resident.scores(inputs, networks.shape(), genes)?;
        let near = |cell: &Cell| Near::plain(rows, rows.part(cell.part), &scores, &cell.bracket);
        found.extend(cells.iter().map(near));
    }
    Ok(found)
}

/// Puts rows where a device computes.
///
/// # Errors
/// When the device cannot hold or reach them.
pub fn open(hardware: &Hardware, inputs: &[Arc<Inputs>]) -> Result<Box<dyn Resident>, DeviceError> {
    match hardware {
        Hardware::Processor(processor) => Ok(Box::new(cpu::CpuRows::new(processor, inputs))),
        Hardware::Gpu(gpu) => gpu.open(gpu::LoadRows(inputs)),
    }
}
