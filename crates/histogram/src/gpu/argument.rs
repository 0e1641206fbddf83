//! The kernels of `histogram.cu` and the layout of their arguments.

use pellucid_device::gpu::{Reads, Writes};
use pellucid_device::{kernel_structs, kernels};

/// The most columns that a block counts at once, limited by its shared memory.
pub(super) const COLUMNS: usize = 8;
/// The number of rows in a task. The counts of a task fit into 16 bits.
pub(super) const CHUNK: usize = 1 << 14;

kernel_structs! {
    /// A condition: the steps of a column that satisfy it, as bits.
    pub(super) struct StepBits {
        pub(super) column: u32,
        pub(super) steps: [u32; 8],
    }

    /// A conjunction, or some of its columns.
    pub(super) struct Item {
        /// The first condition and the number of conditions.
        pub(super) first_test: u32,
        pub(super) tests: u32,
        /// The first of the columns to count and their number, at most COLUMNS.
        pub(super) first_column: u32,
        pub(super) columns: u32,
        /// The first result, in words of 64 bits.
        pub(super) out: u32,
    }

    /// A column to count.
    pub(super) struct Counted {
        pub(super) column: u32,
        /// The number of steps.
        pub(super) steps: u32,
    }

    /// The argument of all kernels.
    pub(super) struct SumsWork<'a> {
        /// [column][stride]: the step of each example.
        pub(super) steps: Reads<'a, u8>,
        /// [example]: its pseudo-random number.
        pub(super) digests: Reads<'a, u64>,
        /// [example]: its group in the search.
        pub(super) group_of: Reads<'a, u32>,
        /// [group][2]: the gradient and the curvature.
        pub(super) groups: Reads<'a, u32>,
        /// [row]: its example; null if rows are all examples.
        pub(super) sample: Reads<'a, u32>,
        pub(super) items: Reads<'a, Item>,
        pub(super) tests: Reads<'a, StepBits>,
        pub(super) counted: Reads<'a, Counted>,
        /// Sums, cleared before.
        pub(super) out: Writes<'a, u64>,
        pub(super) stride: u64,
        pub(super) rows: u32,
        pub(super) item_count: u32,
    }
}

kernels! {
    /// The kernels of `histogram.cu`.
    pub(super) static HISTOGRAM = "histogram" in "generated/histogram.ptx",
        emulated by pellucid_emulate_histogram, shared on demand: false;
    kernel ADD_TOTALS: SumsWork<'static> = add_totals;
    kernel ADD_STEPS: SumsWork<'static> = add_steps;
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_device::gpu::KernelHeader;
    use std::path::Path;

    /// The number of slots of a column in shared memory, for up to 255 steps and missing values.
    const SLOTS: usize = 256;

    #[test]
    fn headers_match_the_declarations() {
        let header = KernelHeader::new("gpu/argument.rs")
            .with_constant("The most columns that a block counts at once.", "COLUMNS", COLUMNS)
            .with_constant("The number of slots of a column in shared memory.", "SLOTS", SLOTS)
            .with_constant("The number of rows in a task.", "CHUNK", CHUNK)
            .with::<StepBits>()
            .with::<Item>()
            .with::<Counted>()
            .with::<SumsWork<'_>>()
            .with_kernels(&HISTOGRAM);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/gpu/kernels");
        header.check(&folder.join("arguments.cuh")).unwrap();
    }
}
