//! The kernels of `survey.cu` and the layout of their arguments.

use pellucid_device::gpu::{Reads, Writes};
use pellucid_device::{kernel_structs, kernels};

/// Marks a column whose tests are sets.
pub(super) const IS_SET: u32 = 1 << 31;

kernel_structs! {
    /// A column of codes.
    pub(super) struct CodeColumn {
        /// The first plane of the column.
        pub(super) first: u32,
        /// The number of bits of a code. The top bit is set if tests are sets.
        pub(super) bits: u32,
    }

    /// A test of a condition.
    pub(super) struct CodeTest {
        pub(super) column: u32,
        pub(super) low: u32,
        pub(super) high: u32,
    }

    /// The votes of a condition and the label that receives them.
    pub(super) struct ConditionVote {
        pub(super) label: u32,
        pub(super) votes: u32,
    }

    /// The argument of all kernels.
    pub(super) struct SurveyWork<'a> {
        /// [column][example]: codes.
        pub(super) codes: Reads<'a, u32>,
        /// The requested examples.
        pub(super) rows: Reads<'a, u32>,
        pub(super) columns: Reads<'a, CodeColumn>,
        pub(super) planes: Writes<'a, u32>,
        /// [condition + 1]: its first test; the last entry is the end.
        pub(super) starts: Reads<'a, u32>,
        pub(super) tests: Reads<'a, CodeTest>,
        pub(super) ballots: Reads<'a, ConditionVote>,
        /// [condition][words], or [row]: a label.
        pub(super) out: Writes<'a, u32>,
        pub(super) examples: u64,
        pub(super) row_count: u32,
        pub(super) words: u32,
        pub(super) column_count: u32,
        pub(super) condition_count: u32,
        pub(super) first_word: u32,
        pub(super) word_count: u32,
    }
}

kernels! {
    /// The kernels of `survey.cu`.
    pub(super) static SURVEY = "survey" in "generated/survey.ptx", emulated by pellucid_emulate_matching,
        shared on demand: false;
    kernel LAY_PLANES: SurveyWork<'static> = lay_planes;
    kernel MATCH_ROWS: SurveyWork<'static> = match_rows;
    kernel VOTE_ROWS: SurveyWork<'static> = vote_rows;
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_device::gpu::KernelHeader;
    use std::path::Path;

    #[test]
    fn headers_match_the_declarations() {
        let header = KernelHeader::new("gpu/argument.rs")
            .with::<CodeColumn>()
            .with::<CodeTest>()
            .with::<ConditionVote>()
            .with::<SurveyWork<'_>>()
            .with_kernels(&SURVEY);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/gpu/kernels");
        header.check(&folder.join("arguments.cuh")).unwrap();
    }
}
