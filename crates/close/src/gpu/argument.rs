//! The kernels of `close_tall.cu` and `close_wide.cu`, and their argument.

use pellucid_device::gpu::{Reads, Writes, record_words};
use pellucid_device::{kernel_structs, kernels};

/// The number of concept records that a warp reserves at a time.
pub(super) const CHUNK: usize = 32;
/// The number of words that a warp keeps between slices.
pub(super) const STATE_WORDS: usize = 4;
/// The number of words of `control`.
pub(super) const CONTROL_WORDS: usize = record_words::<Control>();

kernel_structs! {
    /// The argument of all kernels.
    pub(super) struct SearchWork<'a> {
        /// [attribute][extent word].
        pub(super) columns: Reads<'a, u32>,
        /// [object][intent word]: 32 words in a wide context, 4 in a tall one.
        pub(super) rows: Reads<'a, u32>,
        /// [attribute]: the key that the digest adds.
        pub(super) keys: Reads<'a, u64>,
        /// The words of a Control.
        pub(super) control: Writes<'a, u32>,
        /// [slot of the ring]: the ticket whose turn it is, minus the number of the slot.
        pub(super) ready: Writes<'a, u32>,
        /// [slot of the ring]: a node.
        pub(super) ring: Writes<'a, u32>,
        /// [warp]: frames.
        pub(super) stacks: Writes<'a, u32>,
        /// [warp]: its state and its progress.
        pub(super) states: Writes<'a, u32>,
        /// Concepts in chunks: the words of the intent, then the support.
        pub(super) records: Writes<'a, u32>,
        /// [chunk]: the number of its records.
        pub(super) filled: Writes<'a, u32>,
        pub(super) objects: u32,
        pub(super) attributes: u32,
        /// The numbers of words of columns and of rows that are copied to shared memory: all or none. In a
        /// symmetric context rows are columns, and there is one copy.
        pub(super) shared_columns: u32,
        pub(super) shared_rows: u32,
        pub(super) symmetric: u32,
        /// The number of slots of the ring, a power of two.
        pub(super) places: u32,
        /// The number of frames of a stack.
        pub(super) depth: u32,
        pub(super) min_support: u32,
        /// The number of nodes after which a warp ends the slice.
        pub(super) slice: u32,
        /// The number of idle warps above which nodes are split.
        pub(super) crowd: u32,
        /// The number of polls after which an idle warp ends the slice: the warps with work may be in a block
        /// that waits for this one to end.
        pub(super) patience: u32,
        /// The number of chunks, or 0 if concepts are only counted.
        pub(super) chunks: u32,
        pub(super) record_words: u32,
        pub(super) unused: u32,
    }

    /// The state of a search. Each number has its own cache line, so that waiting warps do not slow down
    /// working ones.
    pub(super) struct Control {
        /// The number of tickets taken.
        pub(super) head: u32,
        head_line: [u32; 31],
        /// The number of nodes put into the ring.
        pub(super) tail: u32,
        tail_line: [u32; 31],
        /// Whether the slice ends.
        pub(super) stop: u32,
        stop_line: [u32; 31],
        /// The number of nodes in the ring plus the number of working warps.
        pub(super) pending: u32,
        pending_line: [u32; 31],
        /// The number of chunks taken.
        pub(super) used: u32,
        used_line: [u32; 31],
        /// The number of concepts found in the slice, and their digest.
        pub(super) concepts: u64,
        pub(super) digest: u64,
    }
}

kernels! {
    /// The kernels of `close_tall.cu`, for many objects and few attributes, by words of an extent.
    pub(super) static TALL = "close_tall" in "generated/close_tall.ptx", emulated by pellucid_emulate_close,
        shared on demand: true;
    family CLOSE_TALL: SearchWork<'static> =
        [close_tall_1, close_tall_2, close_tall_8, close_tall_32];
}

/// The second `extern` declaration of the same function must be in another module.
pub(super) mod wide {
    use super::SearchWork;
    use pellucid_device::kernels;

    kernels! {
        /// The kernels of `close_wide.cu`, for many attributes, by words of an extent.
        pub(in super::super) static WIDE = "close_wide" in "generated/close_wide.ptx",
            emulated by pellucid_emulate_close, shared on demand: true;
        family CLOSE_WIDE: SearchWork<'static> =
            [close_wide_1, close_wide_2, close_wide_8, close_wide_32];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_device::gpu::KernelHeader;
    use std::path::Path;

    #[test]
    fn headers_are_those_of_the_declarations() {
        let header = KernelHeader::new("gpu/argument.rs")
            .with_constant(
                "The number of concept records that a warp reserves at a time.",
                "CHUNK",
                CHUNK,
            )
            .with_constant(
                "The number of words that a warp keeps between slices.",
                "STATE_WORDS",
                STATE_WORDS,
            )
            .with::<SearchWork<'_>>()
            .with::<Control>()
            .with_kernels(&TALL)
            .with_kernels(&wide::WIDE);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/gpu/kernels");
        header.check(&folder.join("arguments.cuh")).unwrap();
    }
}
