//! The choice of the kernel for a context, the launch configuration, and the sizes of all memory.

use super::argument::SearchWork;
use super::{ExtentWords, SearchKernel};
use crate::ordered::OrderedRelation;
use pellucid_bits::as_u32;
use pellucid_device::gpu::GpuLimits;

/// How long slices are, and how eagerly nodes are split.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slicing {
    /// The number of nodes that a warp processes before the slice ends.
    pub(super) slice: u32,
    /// The number of idle warps above which single nodes are split into parts.
    pub(super) crowd: usize,
    /// The number of times an idle warp polls for work before it ends its slice.
    pub(super) patience: u32,
}

impl Slicing {
    fn of(limits: &GpuLimits) -> Slicing {
        if limits.is_emulated {
            // Slices end and nodes are split as often as possible, because errors are most likely
            // there.
            return Slicing { slice: 7, crowd: 0, patience: 64 };
        }
        // A slice takes a few milliseconds, and the patience is about as long. The crowd is half of
        // all warps.
        Slicing { slice: 2048, crowd: 16 * limits.multiprocessors, patience: 20_000 }
    }
}

const LANES: usize = 32;
/// The maximum number of attributes of a tall context, and of a wide one.
const TALL: usize = 128;
const WIDE: usize = 1024;
/// The number of words of shared memory in which a warp keeps the witnesses of a node, in a wide
/// context.
const WITNESS_WORDS: usize = 512;
/// The number of places in the ring per warp: the nodes it may give away at a time, and one for its
/// own ticket.
const PLACES: usize = 32;

/// The reason why a working GPU cannot search a context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge(pub(crate) String);

/// The layout of a search on a GPU.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) kernel: SearchKernel,
    pub(super) blocks: usize,
    pub(super) threads: usize,
    pub(super) shared_bytes: usize,
    pub(super) places: usize,
    /// The number of frames of a stack. Every level has at least one more attribute and one fewer
    /// object.
    pub(super) depth: usize,
    pub(super) record_words: usize,
    slicing: Slicing,
    objects: usize,
    attributes: usize,
    extent: usize,
    tall: bool,
    symmetric: bool,
    shared_columns: usize,
    shared_rows: usize,
}

impl Layout {
    /// Returns the layout of a context on a GPU with `free` bytes of free memory.
    pub(super) fn of(
        ordered: &OrderedRelation,
        limits: &GpuLimits,
        free: usize,
    ) -> Result<Layout, TooLarge> {
        let (objects, attributes) = (ordered.relation().objects(), ordered.relation().attributes());
        let fits = |words: &ExtentWords| words.number() * LANES * 32 >= objects;
        let words = ExtentWords::ALL.into_iter().find(fits).filter(|_| attributes <= WIDE);
        let Some(words) = words else {
            let most = "contexts may have at most 32,768 objects and 1,024 attributes";
            return Err(TooLarge(format!("{most}; this one has {objects} and {attributes}")));
        };
        let too_little = |memory: &str| {
            TooLarge(format!(
                "not enough {memory} for a context of {objects} objects and {attributes} attributes"
            ))
        };
        let extent = words.number();
        let tall = attributes <= TALL;
        // Rows equal columns only if both have one word per lane.
        let symmetric = ordered.is_symmetric() && !tall && extent == 1;
        let kernel = if tall { SearchKernel::Tall(words) } else { SearchKernel::Wide(words) };
        let threads = match words {
            ExtentWords::One | ExtentWords::Two => 1024,
            ExtentWords::Eight => 512,
            ExtentWords::ThirtyTwo => 256,
        };
        let mut layout = Layout {
            kernel,
            blocks: limits.multiprocessors,
            threads: threads.min(limits.threads),
            shared_bytes: 0,
            places: 0,
            depth: objects.min(attributes) + 2,
            record_words: attributes.div_ceil(32) + 1,
            slicing: Slicing::of(limits),
            objects,
            attributes,
            extent,
            tall,
            symmetric,
            shared_columns: 0,
            shared_rows: 0,
        };
        layout.share(limits.shared_bytes).ok_or_else(|| too_little("shared memory"))?;
        // Stacks take at most half of the memory. Deep trees therefore run on fewer warps.
        let stack = layout.depth * layout.frame_words() * 4;
        while layout.warps() * stack > free / 2 {
            if layout.blocks > 1 {
                layout.blocks = layout.blocks.div_ceil(2);
            } else if layout.threads > LANES {
                layout.threads -= LANES;
            } else {
                return Err(too_little("memory"));
            }
        }
        layout.places = (PLACES * layout.warps()).next_power_of_two().max(256);
        Ok(layout)
    }

    /// Decides what is copied into shared memory, starting with the data that is read most often.
    fn share(&mut self, bytes: usize) -> Option<()> {
        let witnesses = |threads: usize| match self.tall {
            true => 0,
            false => threads / LANES * WITNESS_WORDS * 4,
        };
        while self.threads > LANES && witnesses(self.threads) > bytes / 2 {
            self.threads -= LANES;
        }
        let mut left = bytes.checked_sub(witnesses(self.threads))? / 4;
        let columns = self.attributes * self.extent_words();
        let rows = self.objects * self.row_words();
        if self.symmetric {
            self.shared_columns = if columns <= left { columns } else { 0 };
        } else {
            let first_rows = !self.tall;
            for is_rows in [first_rows, !first_rows] {
                let words = if is_rows { rows } else { columns };
                if words <= left {
                    left -= words;
                    *(if is_rows { &mut self.shared_rows } else { &mut self.shared_columns }) =
                        words;
                }
            }
        }
        self.shared_bytes = (self.shared_columns + self.shared_rows) * 4 + witnesses(self.threads);
        Some(())
    }

    pub(super) fn warps(&self) -> usize {
        self.blocks * self.threads / LANES
    }

    /// Returns the number of words of an extent.
    pub(super) fn extent_words(&self) -> usize {
        self.extent * LANES
    }

    fn row_words(&self) -> usize {
        if self.tall { TALL / 32 } else { LANES }
    }

    /// Returns the rows in the form the kernel reads; none if rows equal columns.
    pub(super) fn rows(&self, ordered: &OrderedRelation) -> Vec<u32> {
        if self.symmetric { Vec::new() } else { ordered.row_words(self.row_words()) }
    }

    /// Returns the number of words of a node in the ring.
    pub(super) fn node_words(&self) -> usize {
        (self.extent + if self.tall { 1 } else { 4 }) * LANES
    }

    /// Returns the number of words of a frame on a stack.
    pub(super) fn frame_words(&self) -> usize {
        (self.extent + if self.tall { 2 } else { 21 }) * LANES
    }

    /// Returns the node of all objects.
    pub(super) fn root(&self) -> Vec<u32> {
        let mut node = vec![0; self.node_words()];
        for object in 0..self.objects {
            node[object / 32] |= 1 << (object % 32);
        }
        node
    }

    /// Returns the kernel argument without pointers.
    pub(super) fn search(&self) -> SearchWork<'static> {
        SearchWork {
            objects: as_u32(self.objects),
            attributes: as_u32(self.attributes),
            shared_columns: as_u32(self.shared_columns),
            shared_rows: as_u32(self.shared_rows),
            symmetric: u32::from(self.symmetric),
            places: as_u32(self.places),
            depth: as_u32(self.depth),
            record_words: as_u32(self.record_words),
            slice: self.slicing.slice,
            crowd: as_u32(self.slicing.crowd),
            patience: self.slicing.patience,
            ..SearchWork::default()
        }
    }
}
