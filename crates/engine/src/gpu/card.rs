//! What a GPU does for us, and nothing more: memory, copies, launches.
//!
//! The CUDA driver is one [`Card`]; the emulator, which runs the same kernels on the processor, is another. Everything
//! above this line is the same for both, and is tested with the second.

use std::fmt::Debug;
use std::ops::{DerefMut, Range};
use std::time::Duration;
use thiserror::Error;

/// The kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kernel {
    TallyRows,
    TallyBags,
    CoverRows,
    CloseTall(ExtentWords),
    CloseWide(ExtentWords),
    LayRows,
    CountPieces(CounterBits),
    Relate(CounterBits),
}

/// How far a counter of objects goes; without bits it only says whether there was any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CounterBits {
    None,
    Two,
    Four,
    ThirtyTwo,
}

impl CounterBits {
    /// Enough to compare with a number of so many bits.
    pub(super) fn of(bits: usize) -> CounterBits {
        match bits {
            0 | 1 => CounterBits::None,
            2 => CounterBits::Two,
            3 | 4 => CounterBits::Four,
            _ => CounterBits::ThirtyTwo,
        }
    }

    pub(super) fn number(self) -> usize {
        match self {
            CounterBits::None => 0,
            CounterBits::Two => 2,
            CounterBits::Four => 4,
            CounterBits::ThirtyTwo => 32,
        }
    }
}

/// How many words of an extent every lane holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExtentWords {
    One,
    Two,
    Eight,
    ThirtyTwo,
}

impl ExtentWords {
    pub(super) const ALL: [ExtentWords; 4] =
        [ExtentWords::One, ExtentWords::Two, ExtentWords::Eight, ExtentWords::ThirtyTwo];

    pub(super) fn number(self) -> usize {
        match self {
            ExtentWords::One => 1,
            ExtentWords::Two => 2,
            ExtentWords::Eight => 8,
            ExtentWords::ThirtyTwo => 32,
        }
    }
}

/// A kernel source; its kernels are loaded together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Cover,
    CloseTall,
    CloseWide,
    Relate,
}

impl Family {
    pub(super) const ALL: [Family; 4] =
        [Family::Cover, Family::CloseTall, Family::CloseWide, Family::Relate];

    pub(super) fn kernels(self) -> &'static [Kernel] {
        use CounterBits as Bits;
        use ExtentWords::{Eight, One, ThirtyTwo, Two};
        use Kernel::{CloseTall, CloseWide, CountPieces, LayRows, Relate};
        match self {
            Family::Cover => &[Kernel::TallyRows, Kernel::TallyBags, Kernel::CoverRows],
            Family::CloseTall => {
                &[CloseTall(One), CloseTall(Two), CloseTall(Eight), CloseTall(ThirtyTwo)]
            }
            Family::CloseWide => {
                &[CloseWide(One), CloseWide(Two), CloseWide(Eight), CloseWide(ThirtyTwo)]
            }
            Family::Relate => &[
                LayRows,
                CountPieces(Bits::None),
                CountPieces(Bits::Two),
                CountPieces(Bits::Four),
                CountPieces(Bits::ThirtyTwo),
                Relate(Bits::None),
                Relate(Bits::Two),
                Relate(Bits::Four),
                Relate(Bits::ThirtyTwo),
            ],
        }
    }
}

impl Kernel {
    pub(super) fn family(self) -> Family {
        match self {
            Kernel::TallyRows | Kernel::TallyBags | Kernel::CoverRows => Family::Cover,
            Kernel::CloseTall(_) => Family::CloseTall,
            Kernel::CloseWide(_) => Family::CloseWide,
            Kernel::LayRows | Kernel::CountPieces(_) | Kernel::Relate(_) => Family::Relate,
        }
    }

    /// Whether a launch says how much shared memory a block has.
    pub(super) fn shares_on_demand(self) -> bool {
        self.family() != Family::Relate
    }

    /// The name in the source.
    pub(super) fn name(self) -> &'static str {
        use ExtentWords::{Eight, One, ThirtyTwo, Two};
        match self {
            Kernel::TallyRows => "tally_rows",
            Kernel::TallyBags => "tally_bags",
            Kernel::CoverRows => "cover_rows",
            Kernel::CloseTall(One) => "close_tall_1",
            Kernel::CloseTall(Two) => "close_tall_2",
            Kernel::CloseTall(Eight) => "close_tall_8",
            Kernel::CloseTall(ThirtyTwo) => "close_tall_32",
            Kernel::CloseWide(One) => "close_wide_1",
            Kernel::CloseWide(Two) => "close_wide_2",
            Kernel::CloseWide(Eight) => "close_wide_8",
            Kernel::CloseWide(ThirtyTwo) => "close_wide_32",
            Kernel::LayRows => "lay_rows",
            Kernel::CountPieces(CounterBits::None) => "count_pieces_0",
            Kernel::CountPieces(CounterBits::Two) => "count_pieces_2",
            Kernel::CountPieces(CounterBits::Four) => "count_pieces_4",
            Kernel::CountPieces(CounterBits::ThirtyTwo) => "count_pieces_32",
            Kernel::Relate(CounterBits::None) => "relate_0",
            Kernel::Relate(CounterBits::Two) => "relate_2",
            Kernel::Relate(CounterBits::Four) => "relate_4",
            Kernel::Relate(CounterBits::ThirtyTwo) => "relate_32",
        }
    }
}

/// What is queued runs in order, one queue beside the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Queue {
    /// Programs in, kernels, counts out.
    Work,
    /// Planes in, records of a search out.
    Copy,
}

/// What a card has.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    pub(super) name: String,
    pub(super) multiprocessors: usize,
    /// Shared memory that one block may have.
    pub(super) shared_bytes: usize,
    /// Threads in a block: as many as there are, or fewer where they are expensive.
    pub(super) threads: usize,
    pub(super) total_bytes: usize,
    /// Nodes of a search that a warp does before the search is interrupted.
    pub(super) slice: u32,
    /// Warps without work from which on a search cuts single nodes into parts.
    pub(super) crowd: usize,
    /// How often a warp without work looks for some before it ends its slice.
    pub(super) patience: u32,
}

/// How a kernel is spread over the card.
#[derive(Clone, Copy, Debug)]
pub(super) struct Launch {
    pub(super) kernel: Kernel,
    pub(super) blocks: usize,
    pub(super) threads: usize,
    pub(super) shared_bytes: usize,
}

/// Why a card did not do what it was told.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub(super) struct CardError(pub(super) String);

/// A card with queues of its own. All memory is counted in words of 32 bits.
pub(super) trait Card: Debug + Send + Sync + Sized + 'static {
    /// Memory on the card.
    type Memory: Debug + Send + Sync;
    /// Memory of the processor from which and into which the card copies by itself.
    type Staging: Debug + Send + DerefMut<Target = [u32]>;

    fn limits(&self) -> &Limits;

    /// The same card with other queues, so that two users do not wait for each other.
    fn with_own_queues(&self) -> Result<Self, CardError>;

    fn free_bytes(&self) -> Result<usize, CardError>;

    fn allocate(&self, words: usize) -> Result<Self::Memory, CardError>;

    fn stage(&self, words: usize) -> Result<Self::Staging, CardError>;

    /// The address that kernels use.
    fn address(memory: &Self::Memory) -> u64;

    /// Queues a copy of some words to the card.
    ///
    /// # Safety
    /// Neither side may be touched or dropped before the queue is [finished](Card::finish).
    unsafe fn copy_in(
        &self,
        queue: Queue,
        from: &Self::Staging,
        words: Range<usize>,
        to: &Self::Memory,
        at: usize,
    ) -> Result<(), CardError>;

    /// Queues a copy of some words from the card.
    ///
    /// # Safety
    /// Neither side may be touched or dropped before the queue is [finished](Card::finish).
    unsafe fn copy_out(
        &self,
        queue: Queue,
        from: &Self::Memory,
        at: usize,
        to: &mut Self::Staging,
        words: usize,
    ) -> Result<(), CardError>;

    /// Queues the clearing of the first words, behind the work.
    ///
    /// # Safety
    /// The memory may not be dropped before the work is [finished](Card::finish).
    unsafe fn clear(&self, memory: &Self::Memory, words: usize) -> Result<(), CardError>;

    /// Queues a kernel behind the work.
    ///
    /// # Safety
    /// `work` must be what the kernel takes, laid out as it declares it. All that it points to must be memory of this card, as large as the kernel expects, and must stay untouched
    /// until the work is [finished](Card::finish).
    unsafe fn launch<W: Copy>(&self, launch: Launch, work: &W) -> Result<(), CardError>;

    /// What comes into `then` from now on waits for what is in `first` by now.
    fn order(&self, first: Queue, then: Queue) -> Result<(), CardError>;

    /// Waits until a queue is empty. After an error of any call nothing is under way any more.
    fn finish(&self, queue: Queue) -> Result<(), CardError>;

    /// How long kernels ran since this was last asked, where the card can tell, and whether it is to be measured on.
    fn take_time(&self, go_on: bool) -> Option<Duration>;
}
