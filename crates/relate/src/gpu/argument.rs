//! The kernels of `relate.cu` and their argument.

use pellucid_device::gpu::{Reads, Uint2, Uint4, Writes};
use pellucid_device::{kernel_structs, kernels};

kernel_structs! {
    /// The argument of all kernels.
    pub(super) struct Relate<'a> {
        /// [subject + 1]: its first edge; the last entry is the end.
        pub(super) offsets: Reads<'a, u32>,
        /// [edge].
        pub(super) objects: Reads<'a, u32>,
        /// [object][QUADS].
        pub(super) rows: Writes<'a, Uint4>,
        /// [lane]: the address of its words.
        pub(super) sets: Reads<'a, u64>,
        /// [1 + planes][QUADS]: the lanes that count objects outside their sets; the bits of the minimums.
        pub(super) asked: Reads<'a, Uint4>,
        /// The requested subjects. Null for all, in order.
        pub(super) list: Reads<'a, u32>,
        /// [class][words].
        pub(super) masks: Reads<'a, u32>,
        /// [lane][classes].
        pub(super) counts: Writes<'a, u32>,
        /// [lane][words].
        pub(super) bits: Writes<'a, u32>,
        /// [piece]: its first edge and the end.
        pub(super) pieces: Reads<'a, Uint4>,
        /// [hub + 1]: its subject and its first piece; the last entry is the end.
        pub(super) hubs: Reads<'a, Uint2>,
        /// [piece][planes + 1, or 1][QUADS]. For a few sets: [piece][lane], numbers of one word.
        pub(super) partials: Writes<'a, Uint4>,
        pub(super) subjects: u32,
        pub(super) lanes: u32,
        pub(super) planes: u32,
        pub(super) words: u32,
        pub(super) object_tiles: u32,
        pub(super) classes: u32,
        pub(super) hub_count: u32,
        pub(super) piece_count: u32,
        pub(super) hub_edges: u32,
        pub(super) unused: u32,
    }
}

kernels! {
    /// The kernels of `relate.cu`.
    pub(super) static RELATE = "relate" in "generated/relate.ptx", emulated by pellucid_emulate_relate,
        shared on demand: false;
    kernel LAY_ROWS: Relate<'static> = lay_rows;
    kernel COUNT_PIECES_FEW: Relate<'static> = count_pieces_few;
    kernel RELATE_FEW: Relate<'static> = relate_few;
    family COUNT_PIECES: Relate<'static> =
        [count_pieces_0, count_pieces_2, count_pieces_4, count_pieces_32];
    family RELATE_BY_BITS: Relate<'static> = [relate_0, relate_2, relate_4, relate_32];
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_device::gpu::KernelHeader;
    use std::path::Path;

    #[test]
    fn headers_are_those_of_the_declarations() {
        let header =
            KernelHeader::new("gpu/argument.rs").with::<Relate<'_>>().with_kernels(&RELATE);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/gpu/kernels");
        header.check(&folder.join("arguments.cuh")).unwrap();
    }
}
