//! The kernels of `forward.cu` and the layout of their arguments.

use crate::plan::LayerPlan;
use crate::{Activation, Pairs, TopCounts};
use pellucid_bits::as_u32;
use pellucid_device::gpu::{Float2, Reads, Writes, read_record, record_words};
use pellucid_device::{kernel_structs, kernels};

/// The number of rows per thread.
pub(super) const THREAD_ROWS: usize = 4;
/// The size of a result in words.
pub(super) const RESULT_WORDS: usize = record_words::<NetworkResult>();
/// The size of the counts outside the bracket of a network, in words: negatives, then positives.
pub(super) const COUNT_WORDS: usize = 2 * record_words::<BracketCount>();
/// The maximum number of random words for a child.
pub(super) const MAX_DRAWS: usize = 256;
/// The size in words of how a child is made.
pub(super) const BIRTH_WORDS: usize = record_words::<Birth>();
/// The size of an item in words.
pub(super) const ITEM_WORDS: usize = record_words::<Item>();
/// The value of an item that includes every row.
pub(super) const EVERYONE: u32 = u32::MAX;

kernel_structs! {
    /// A hidden layer.
    pub(super) struct Layer {
        kind: u32,
        nodes: u32,
        fan_in: u32,
        /// The distance from the links of a node to those of the next.
        stride: u32,
        /// The offsets in a network of the links, and of the numbers that each node has once.
        links: u32,
        once: u32,
    }

    /// A question about some rows of a network.
    pub(super) struct Item {
        pub(super) network: u32,
        /// The index of the part among the members, or EVERYONE.
        pub(super) members: u32,
        /// The size of the top, or 0 if the top is not requested.
        pub(super) wanted: u32,
        pub(super) pairs: u32,
    }

    /// The result of an item or of a network.
    pub(super) struct NetworkResult {
        /// Not 0 if the bracket missed the threshold or had too many scores.
        missed: u32,
        above: u32,
        tied: u32,
        positives_above: u32,
        positives_tied: u32,
        unused: u32,
        won: u64,
        pairs_tied: u64,
    }

    /// The numbers of rows of one class above, at the ends of, and within the bracket of a network.
    pub(super) struct BracketCount {
        above: u32,
        within: u32,
        upper: u32,
        lower: u32,
    }

    /// The argument of the kernels that score and rank.
    pub(super) struct ForwardWork<'a> {
        /// [tile][feature][TILE].
        pub(super) tiles: Reads<'a, f32>,
        /// The same for the rows of the sample.
        pub(super) sample: Reads<'a, f32>,
        /// [network][words].
        pub(super) networks: Reads<'a, f32>,
        /// [network][padded]. Null if rows are counted around the brackets.
        pub(super) scores: Writes<'a, f32>,
        /// [block][tile][node of the first layer][TILE].
        pub(super) hidden: Writes<'a, f32>,
        /// [network]: the lower and the upper end.
        pub(super) brackets: Writes<'a, Float2>,
        /// [network][negative, positive].
        pub(super) counts: Writes<'a, BracketCount>,
        /// [network][room for negatives, then for positives]: the keys within the bracket.
        pub(super) band: Writes<'a, u32>,
        /// [part][padded / 32].
        pub(super) members: Reads<'a, u32>,
        pub(super) items: Reads<'a, Item>,
        /// The results of items, or of networks.
        pub(super) results: Writes<'a, NetworkResult>,
        pub(super) rows: u32,
        pub(super) positives: u32,
        pub(super) features: u32,
        pub(super) padded: u32,
        pub(super) network_count: u32,
        pub(super) words: u32,
        pub(super) outputs: u32,
        pub(super) layer_count: u32,
        pub(super) layers: [Layer; 2],
        /// The number of networks that a block processes in sequence, and the number of blocks that process
        /// the same rows in parallel.
        pub(super) group: u32,
        pub(super) groups: u32,
        pub(super) room: u32,
        pub(super) positive_room: u32,
        /// The number of rows of the sample, and the ranks of the ends of the bracket in it, from the
        /// highest. A rank past the last row means that there is no such end.
        pub(super) sample_rows: u32,
        pub(super) upper_rank: u32,
        pub(super) lower_rank: u32,
        pub(super) wanted: u32,
        /// The number of ranges into which the negatives of an item are divided, and the number and size of
        /// the chunks of its positives.
        pub(super) stretches: u32,
        pub(super) chunks: u32,
        pub(super) chunk: u32,
        /// The network whose scores come first.
        pub(super) first_network: u32,
    }

    /// How a child is made: the ranks of its parents. If both are equal, a node of the parent is mutated.
    pub(super) struct Birth {
        one: u32,
        other: u32,
        node: u32,
        unused: u32,
    }

    /// The parents and the parameters of breeding.
    pub(super) struct Children<'a> {
        /// [network][genes].
        pub(super) parents: Reads<'a, f32>,
        /// [network]: the results of the parents.
        pub(super) judged: Reads<'a, NetworkResult>,
        /// [network][genes].
        pub(super) children: Writes<'a, f32>,
        /// [network][words]: the children, prepared for scoring.
        pub(super) networks: Writes<'a, f32>,
        /// [network]: how the children are made, and the random words for it.
        pub(super) births: Writes<'a, Birth>,
        pub(super) drawn: Writes<'a, u64>,
        pub(super) key: [u64; 2],
        pub(super) generation: u64,
        /// The probability of a mutation, and the mean of its draws.
        pub(super) mutated: f64,
        pub(super) mean: f64,
        /// The rate at which the probability of selection falls with the rank.
        pub(super) rate: f64,
        pub(super) genes: u32,
        pub(super) unused: u32,
    }

    /// A generation: the argument of the kernels that make children.
    pub(super) struct BredWork<'a> {
        pub(super) work: ForwardWork<'a>,
        pub(super) children: Children<'a>,
    }
}

impl From<&LayerPlan> for Layer {
    fn from(plan: &LayerPlan) -> Layer {
        let kind = match plan.activation {
            Activation::Rbf(_) => 0,
            Activation::Sigmoid => 1,
            Activation::Tanh => 2,
            Activation::Relu => 3,
        };
        Layer {
            kind,
            nodes: as_u32(plan.nodes),
            fan_in: as_u32(plan.fan_in),
            stride: as_u32(plan.stride),
            links: as_u32(plan.links),
            once: as_u32(plan.once),
        }
    }
}

/// The numbers of features for which there are kernels that keep a row in registers. The kernels for any
/// number of features come after them.
pub(super) const NEAR: [usize; 5] = [8, 12, 16, 20, 24];
/// The numbers of features for which there are kernels that count rows around brackets of RBF networks. With
/// an odd number the links of a node, its factor and its weight fill whole loads of four numbers.
pub(super) const COUNTED: [usize; 6] = [7, 11, 15, 19, 23, 24];

kernels! {
    /// The kernels of `forward.cu`. Kernels that score rows exist for each number of features in [`NEAR`],
    /// and for any number.
    pub(super) static FORWARD = "forward" in "generated/forward.ptx", emulated by pellucid_emulate_forward,
        shared on demand: true;
    kernel SETTLE: ForwardWork<'static> = settle;
    kernel SETTLE_AND_DRAW: BredWork<'static> = settle_and_draw;
    kernel DRAW_FIRST: BredWork<'static> = draw_first;
    kernel RANK: ForwardWork<'static> = rank;
    kernel PAIRS: ForwardWork<'static> = pairs;
    family SCORE: ForwardWork<'static> =
        [forward_8, forward_12, forward_16, forward_20, forward_24, forward_any];
    family BRACKET: ForwardWork<'static> =
        [bracket_8, bracket_12, bracket_16, bracket_20, bracket_24, bracket_any];
    family COUNT: ForwardWork<'static> =
        [count_7, count_11, count_15, count_19, count_23, count_24];
    family BREED: BredWork<'static> = [bred_8, bred_12, bred_16, bred_20, bred_24];
}

/// Reads the result of an item, or `None` if its bracket missed the threshold.
pub(super) fn found(words: &[u32], wanted: usize) -> Option<(TopCounts, Pairs)> {
    let result: NetworkResult = read_record(words);
    let top = TopCounts {
        wanted: as_u32(wanted),
        above: result.above,
        tied: result.tied,
        positives_above: result.positives_above,
        positives_tied: result.positives_tied,
    };
    (result.missed == 0).then_some((top, Pairs { won: result.won, tied: result.pairs_tied }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_device::gpu::KernelHeader;
    use std::path::Path;

    #[test]
    fn headers_match_the_declarations() {
        let header = KernelHeader::new("gpu/argument.rs")
            .with::<Layer>()
            .with::<Item>()
            .with::<NetworkResult>()
            .with::<BracketCount>()
            .with::<ForwardWork<'_>>()
            .with::<Birth>()
            .with::<Children<'_>>()
            .with::<BredWork<'_>>()
            .with_kernels(&FORWARD);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/gpu/kernels");
        header.check(&folder.join("arguments.cuh")).unwrap();
    }

    #[test]
    fn kernel_names_match_their_positions() {
        for (place, near) in NEAR.iter().enumerate() {
            assert_eq!(SCORE[place].id().name(), format!("forward_{near}"));
            assert_eq!(BRACKET[place].id().name(), format!("bracket_{near}"));
            assert_eq!(BREED[place].id().name(), format!("bred_{near}"));
        }
        for (place, counted) in COUNTED.iter().enumerate() {
            assert_eq!(COUNT[place].id().name(), format!("count_{counted}"));
        }
        let any = [SCORE[NEAR.len()], BRACKET[NEAR.len()]].map(|kernel| kernel.id().name());
        assert_eq!(any, ["forward_any", "bracket_any"]);
    }
}
