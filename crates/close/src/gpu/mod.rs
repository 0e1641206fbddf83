//! GPUs: the search by the kernels of `kernels/close_tall.cu` and `kernels/close_wide.cu`.
//!
//! Every warp walks its own part of the tree with a stack in the card's memory.
//!
//! - `frontier`: what a GPU is asked to do in a search. `on_card` does it: it launches slice after slice and carries records and
//!   subtrees; `layout` says what lies where on the card.
//! - `slices`: several GPUs together. `records`: what they found, back in the relation's own numbers.
//!
//! `unsafe` is found where work is queued whose memory must stay alive.

mod frontier;
mod layout;
#[expect(unsafe_code, reason = "copies and kernels are queued")]
mod on_card;
mod records;
mod slices;

pub(crate) use layout::TooLarge;
pub(crate) use records::Reader;
pub(crate) use slices::{Lost, Member, search};

use crate::ordered::Ordered;
use frontier::Frontier;
use on_card::GpuFrontier;
use pellucid_device::gpu::{Card, CardError, GpuKernel, Module, OnCard, OpenGpu};

/// The kernels of `close_tall.cu`, for many objects and few attributes.
static TALL: Module = Module {
    name: "close_tall",
    ptx: include_str!("generated/close_tall.ptx"),
    kernels: &["close_tall_1", "close_tall_2", "close_tall_8", "close_tall_32"],
    arguments: &[],
    shared_on_demand: true,
    #[cfg(feature = "emulator")]
    emulate: emulated::pellucid_emulate_close,
};

/// The kernels of `close_wide.cu`, for many attributes.
static WIDE: Module = Module {
    name: "close_wide",
    ptx: include_str!("generated/close_wide.ptx"),
    kernels: &["close_wide_1", "close_wide_2", "close_wide_8", "close_wide_32"],
    arguments: &[],
    shared_on_demand: true,
    #[cfg(feature = "emulator")]
    emulate: emulated::pellucid_emulate_close,
};

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
enum Kernel {
    Tall(ExtentWords),
    Wide(ExtentWords),
}

impl From<Kernel> for GpuKernel {
    fn from(kernel: Kernel) -> GpuKernel {
        let (module, words) = match kernel {
            Kernel::Tall(words) => (&TALL, words),
            Kernel::Wide(words) => (&WIDE, words),
        };
        GpuKernel { module, number: words as usize }
    }
}

#[cfg(feature = "emulator")]
#[expect(unsafe_code, reason = "the kernels as C++ functions")]
mod emulated {
    use std::ffi::{c_char, c_int, c_void};

    unsafe extern "C" {
        pub(super) fn pellucid_emulate_close(
            kernel: *const c_char,
            grid: u32,
            threads: u32,
            shared: usize,
            work: *const c_void,
        ) -> c_int;
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

impl OnCard for OpenFrontier<'_> {
    type Output = Result<Box<dyn Frontier>, TooLarge>;

    fn on<C: Card>(self, gpu: OpenGpu<C>) -> Result<Self::Output, CardError> {
        let frontier = GpuFrontier::new(gpu, &self)?;
        Ok(frontier.map(|frontier| Box::new(frontier) as Box<dyn Frontier>))
    }
}
