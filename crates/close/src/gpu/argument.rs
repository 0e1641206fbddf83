//! The kernels of `close_tall.cu` and `close_wide.cu`, and their argument.

use pellucid_device::gpu::{Reads, Writes, record_words};
use pellucid_device::{kernel_structs, kernels};

/// Records of concepts that a warp reserves at a time.
pub(super) const CHUNK: usize = 32;
/// Words that a warp keeps between slices.
pub(super) const STATE_WORDS: usize = 4;
/// Words of `control`.
pub(super) const CONTROL_WORDS: usize = record_words::<Control>();

kernel_structs! {
    /// The one argument of all kernels.
    pub(super) struct SearchWork<'a> {
        /// [attribute][extent word].
        pub(super) columns: Reads<'a, u32>,
        /// [object][intent word]: 32 in a wide context, 4 in a tall one.
        pub(super) rows: Reads<'a, u32>,
        /// By attribute: what the digest adds up.
        pub(super) keys: Reads<'a, u64>,
        /// A Control, word by word.
        pub(super) control: Writes<'a, u32>,
        /// By place of the ring: whose turn it is, less the number of the place.
        pub(super) ready: Writes<'a, u32>,
        /// By place: a node.
        pub(super) ring: Writes<'a, u32>,
        /// By warp: frames.
        pub(super) stacks: Writes<'a, u32>,
        /// By warp: what it does, and how far it is.
        pub(super) states: Writes<'a, u32>,
        /// Concepts in chunks: intent words, support.
        pub(super) records: Writes<'a, u32>,
        /// By chunk: its records.
        pub(super) filled: Writes<'a, u32>,
        pub(super) objects: u32,
        pub(super) attributes: u32,
        /// Words of columns and rows that are copied into shared memory: all or none. If rows are columns (a symmetric
        /// context), there is one copy.
        pub(super) shared_columns: u32,
        pub(super) shared_rows: u32,
        pub(super) symmetric: u32,
        /// Of the ring, a power of two.
        pub(super) places: u32,
        /// Frames of a stack.
        pub(super) depth: u32,
        pub(super) min_support: u32,
        /// Nodes after which a warp ends the slice.
        pub(super) slice: u32,
        /// Idle warps from which on nodes are cut into parts.
        pub(super) crowd: u32,
        /// Looks after which an idle warp ends the slice: whoever has work may be in a block that waits for this one to end.
        pub(super) patience: u32,
        /// None where nobody looks.
        pub(super) chunks: u32,
        pub(super) record_words: u32,
        pub(super) unused: u32,
    }

    /// How a search stands. Each number has a cache line of its own: waiting warps must not disturb the working ones.
    pub(super) struct Control {
        /// Tickets taken.
        pub(super) head: u32,
        head_line: [u32; 31],
        /// Nodes put into the ring.
        pub(super) tail: u32,
        tail_line: [u32; 31],
        /// Whether the slice ends.
        pub(super) stop: u32,
        stop_line: [u32; 31],
        /// Nodes in the ring and warps at work.
        pub(super) pending: u32,
        pending_line: [u32; 31],
        /// Chunks taken.
        pub(super) used: u32,
        used_line: [u32; 31],
        /// Concepts found in the slice, and their digest.
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
    use pellucid_device::gpu::Header;
    use std::path::Path;

    #[test]
    fn headers_are_those_of_the_declarations() {
        let header = Header::new("gpu/argument.rs")
            .with_constant("Records of concepts that a warp reserves at a time.", "CHUNK", CHUNK)
            .with_constant("Words that a warp keeps between slices.", "STATE_WORDS", STATE_WORDS)
            .with::<SearchWork<'_>>()
            .with::<Control>()
            .with_kernels(&TALL)
            .with_kernels(&wide::WIDE);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/gpu/kernels");
        header.check(&folder.join("arguments.cuh")).unwrap();
    }
}
