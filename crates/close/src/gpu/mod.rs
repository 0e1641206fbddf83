//! GPUs: the search by the kernels of `kernels/close_tall.cu` and `kernels/close_wide.cu`.
//!
//! Every warp walks its own part of the tree with a stack in the card's memory.
//!
//! - `frontier`: what a GPU is asked to do in a search. `on_card` does it: it launches slice after slice and carries records and
//!   subtrees; `layout` says what lies where on the card.
//! - `slices`: several GPUs together. `records`: what they found, back in the relation's own numbers.
//! - `argument`: the kernels, and what they take.

#![forbid(unsafe_code)]

mod argument;
mod frontier;
mod layout;
mod on_card;
mod records;
mod slices;

pub(crate) use layout::TooLarge;
pub(crate) use records::Reader;
pub(crate) use slices::{Lost, Member, search};

use crate::ordered::Ordered;
use argument::wide::CLOSE_WIDE;
use argument::{CLOSE_TALL, SearchWork};
use frontier::Frontier;
use on_card::GpuFrontier;
use pellucid_device::gpu::{Card, CardError, GpuTask, Kernel, OpenGpu};

/// How many words of an extent every lane holds, in the order of the modules' kernels.
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

/// The kernels.
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

/// Opens a search on a card. It begins with the whole tree, or with nothing; records of concepts are kept where somebody looks
/// at them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenFrontier<'a> {
    pub(crate) ordered: &'a Ordered,
    pub(crate) min_support: u64,
    pub(crate) looks: bool,
    pub(crate) whole: bool,
}

impl GpuTask for OpenFrontier<'_> {
    type Output = Result<Box<dyn Frontier>, TooLarge>;

    fn run<C: Card>(self, gpu: OpenGpu<C>) -> Result<Self::Output, CardError> {
        let frontier = GpuFrontier::new(gpu, &self)?;
        Ok(frontier.map(|frontier| Box::new(frontier) as Box<dyn Frontier>))
    }
}
