//! The GPU search, with the kernels of `kernels/close_tall.cu` and `kernels/close_wide.cu`.
//!
//! Every warp walks its own part of the tree with a stack in GPU memory.
//!
//! - `frontier`: the interface to a search on one GPU. `on_card` implements it: it launches slices
//!   and transfers records and subtrees. `layout` chooses the kernel and the memory layout.
//! - `slices`: a search on several GPUs. `records`: converts their concepts back to the numbering
//!   of the relation.
//! - `argument`: the kernels and their argument.

#![forbid(unsafe_code)]

mod argument;
mod frontier;
mod layout;
mod on_card;
mod records;
mod slices;

pub(crate) use layout::TooLarge;
pub(crate) use records::Reader;
pub(crate) use slices::{DeviceLoss, Member, search};

use crate::ordered::OrderedRelation;
use argument::wide::CLOSE_WIDE;
use argument::{CLOSE_TALL, SearchWork};
use frontier::Frontier;
use on_card::GpuFrontier;
use pellucid_device::gpu::{Card, CardError, GpuTask, Kernel, OpenGpu};
use pellucid_device::{DeviceError, Hardware};

/// Opens a search on a GPU; the context stays there until the search is dropped.
///
/// # Errors
/// If the GPU fails. `TooLarge` says that the context does not fit.
pub(crate) fn open(
    hardware: &Hardware,
    frontier: OpenFrontier<'_>,
) -> Result<Result<Box<dyn Frontier>, TooLarge>, DeviceError> {
    match hardware {
        Hardware::Gpu(gpu) => gpu.open(frontier),
        Hardware::Processor(_) => {
            Err(DeviceError::new("cpu", "the CPU searches on threads, not in slices"))
        }
    }
}

/// The number of words of an extent per lane, in the order of the kernels of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ExtentWords {
    One,
    Two,
    Eight,
    ThirtyTwo,
}

impl ExtentWords {
    const ALL: [ExtentWords; 4] =
        [ExtentWords::One, ExtentWords::Two, ExtentWords::Eight, ExtentWords::ThirtyTwo];

    fn number(self) -> usize {
        match self {
            ExtentWords::One => 1,
            ExtentWords::Two => 2,
            ExtentWords::Eight => 8,
            ExtentWords::ThirtyTwo => 32,
        }
    }
}

/// The kernel of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SearchKernel {
    Tall(ExtentWords),
    Wide(ExtentWords),
}

impl SearchKernel {
    fn kernel(self) -> Kernel<SearchWork<'static>> {
        match self {
            SearchKernel::Tall(words) => CLOSE_TALL[words as usize],
            SearchKernel::Wide(words) => CLOSE_WIDE[words as usize],
        }
    }
}

/// Opens a search on a GPU. It starts with the whole tree, or with nothing. Records of concepts are
/// kept only if `reads_concepts` is set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenFrontier<'a> {
    pub(crate) ordered: &'a OrderedRelation,
    pub(crate) min_support: u64,
    pub(crate) reads_concepts: bool,
    pub(crate) whole: bool,
}

impl GpuTask for OpenFrontier<'_> {
    type Output = Result<Box<dyn Frontier>, TooLarge>;

    fn run<C: Card>(self, gpu: OpenGpu<C>) -> Result<Self::Output, CardError> {
        let frontier = GpuFrontier::new(gpu, &self)?;
        Ok(frontier.map(|frontier| Box::new(frontier) as Box<dyn Frontier>))
    }
}
