//! The kernels of `forward.cu` and the layout of their arguments.

use crate::plan::LayerPlan;
use crate::{Activation, Pairs, Top};
use pellucid_bits::as_u32;
use pellucid_device::gpu::{Float2, Reads, Writes, read_record, record_words};
use pellucid_device::{kernel_structs, kernels};

/// The number of rows per thread.
pub(super) const THREAD_ROWS: usize = 4;
/// The size of a result in words.
pub(super) const RESULT_WORDS: usize = record_words::<NetworkResult>();
/// The size of the counts outside the bracket of a network, in words: negatives, then positives.
pub(super) const COUNT_WORDS: usize = 2 * record_words::<BracketCount>();
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
        /// Numbers from one node's links to the next, in links.
        stride: u32,
        /// Where the links begin in a network, and what each node has once.
        links: u32,
        once: u32,
    }

    /// Who is asked about, and what.
    pub(super) struct Item {
        pub(super) network: u32,
        /// The part's place among the members, or EVERYONE.
        pub(super) members: u32,
        /// How many of the best; none: nobody asks.
        pub(super) wanted: u32,
        pub(super) pairs: u32,
    }

    /// What comes back of an item, or of a network.
    pub(super) struct NetworkResult {
        /// Not zero: the bracket was wrong, or too much was in it.
        missed: u32,
        above: u32,
        tied: u32,
        positives_above: u32,
        positives_tied: u32,
        unused: u32,
        won: u64,
        pairs_tied: u64,
    }

    /// Rows of one class beside a network's bracket.
    pub(super) struct BracketCount {
        above: u32,
        upper: u32,
        lower: u32,
        within: u32,
    }

    /// The argument of the kernels that score and rank.
    pub(super) struct ForwardWork<'a> {
        /// [tile][feature][TILE].
        pub(super) tiles: Reads<'a, f32>,
        /// The same of some rows.
        pub(super) sample: Reads<'a, f32>,
        /// [network][words].
        pub(super) networks: Reads<'a, f32>,
        /// [network][padded]; none: rows are counted beside the brackets.
        pub(super) scores: Writes<'a, f32>,
        /// [block][tile][node of the first layer][TILE].
        pub(super) hidden: Writes<'a, f32>,
        /// [network]: lower end, upper end.
        pub(super) brackets: Writes<'a, Float2>,
        /// [network][negative, positive].
        pub(super) counts: Writes<'a, BracketCount>,
        /// [network][room of negatives, then of positives]: keys within the bracket.
        pub(super) band: Writes<'a, u32>,
        /// [part][padded / 32].
        pub(super) members: Reads<'a, u32>,
        pub(super) items: Reads<'a, Item>,
        /// Of items, or of networks.
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
        /// Networks that a block takes one after the other, and blocks that do so beside each other for the same rows.
        pub(super) group: u32,
        pub(super) groups: u32,
        pub(super) room: u32,
        pub(super) positive_room: u32,
        /// Rows of the sample, and the ranks there of the bracket's ends, from the highest; past the last row: no end.
        pub(super) sample_rows: u32,
        pub(super) upper_rank: u32,
        pub(super) lower_rank: u32,
        pub(super) wanted: u32,
        /// Into how many stretches an item's negatives are cut, and into how many chunks, of so many, its positives.
        pub(super) stretches: u32,
        pub(super) chunks: u32,
        pub(super) chunk: u32,
        /// The network of the items whose scores come first.
        pub(super) first_network: u32,
    }

    /// How children are made.
    pub(super) struct Children<'a> {
        /// [network][genes].
        pub(super) parents: Reads<'a, f32>,
        /// [network]: how the parents did.
        pub(super) judged: Reads<'a, NetworkResult>,
        /// [network][genes].
        pub(super) children: Writes<'a, f32>,
        /// [network][words]: the same, prepared.
        pub(super) networks: Writes<'a, f32>,
        pub(super) key: [u64; 2],
        pub(super) generation: u64,
        /// How likely a child is mutated, and by draws of which mean.
        pub(super) mutated: f64,
        pub(super) mean: f64,
        /// By which chances fall from rank to rank.
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

kernels! {
    /// The kernels of `forward.cu`. Kernels that score rows exist for each number of features in [`NEAR`],
    /// and for any number.
    pub(super) static FORWARD = "forward" in "generated/forward.ptx", emulated by pellucid_emulate_forward,
        shared on demand: true;
    kernel SETTLE: ForwardWork<'static> = settle;
    kernel RANK: ForwardWork<'static> = rank;
    kernel PAIRS: ForwardWork<'static> = pairs;
    family SCORE: ForwardWork<'static> =
        [forward_8, forward_12, forward_16, forward_20, forward_24, forward_any];
    family BRACKET: ForwardWork<'static> =
        [bracket_8, bracket_12, bracket_16, bracket_20, bracket_24, bracket_any];
    family BREED: BredWork<'static> = [bred_8, bred_12, bred_16, bred_20, bred_24];
}

/// Reads the result of an item, or `None` if its bracket missed the threshold.
pub(super) fn found(words: &[u32], wanted: usize) -> Option<(Top, Pairs)> {
    let result: NetworkResult = read_record(words);
    let top = Top {
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
    use pellucid_device::gpu::Header;
    use std::path::Path;

    #[test]
    fn headers_match_the_declarations() {
        let header = Header::new("gpu/argument.rs")
            .with::<Layer>()
            .with::<Item>()
            .with::<NetworkResult>()
            .with::<BracketCount>()
            .with::<ForwardWork<'_>>()
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
        let any = [SCORE[NEAR.len()], BRACKET[NEAR.len()]].map(|kernel| kernel.id().name());
        assert_eq!(any, ["forward_any", "bracket_any"]);
    }
}
