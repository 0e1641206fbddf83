//! What the kernels are given, laid out as `work.cuh` declares it.

use crate::plan::LayerPlan;
use crate::{Activation, Pairs, Top};
use pellucid_bits::as_u32;

/// Rows of one thread.
pub(super) const THREAD_ROWS: usize = 4;
/// Words of a result.
pub(super) const RESULT_WORDS: usize = 10;
/// Words of what is counted beside a network's bracket.
pub(super) const COUNT_WORDS: usize = 8;
/// Words of an item.
pub(super) const ITEM_WORDS: usize = 4;
/// In an item: every row counts.
pub(super) const EVERYONE: u32 = u32::MAX;

/// A hidden layer.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Layer {
    kind: u32,
    nodes: u32,
    fan_in: u32,
    stride: u32,
    links: u32,
    once: u32,
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

/// Addresses on the card and a few numbers: the one argument of every kernel.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    pub(super) tiles: u64,
    pub(super) sample: u64,
    pub(super) networks: u64,
    pub(super) scores: u64,
    pub(super) hidden: u64,
    pub(super) brackets: u64,
    pub(super) counts: u64,
    pub(super) band: u64,
    pub(super) members: u64,
    pub(super) items: u64,
    pub(super) results: u64,
    pub(super) rows: u32,
    pub(super) positives: u32,
    pub(super) features: u32,
    pub(super) padded: u32,
    pub(super) network_count: u32,
    pub(super) words: u32,
    pub(super) outputs: u32,
    pub(super) layer_count: u32,
    pub(super) layers: [Layer; 2],
    pub(super) group: u32,
    pub(super) groups: u32,
    pub(super) room: u32,
    pub(super) positive_room: u32,
    pub(super) sample_rows: u32,
    pub(super) upper_rank: u32,
    pub(super) lower_rank: u32,
    pub(super) wanted: u32,
    pub(super) stretches: u32,
    pub(super) chunks: u32,
    pub(super) chunk: u32,
    pub(super) first_network: u32,
}

/// How children are made on the card.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Children {
    pub(super) parents: u64,
    pub(super) judged: u64,
    pub(super) children: u64,
    pub(super) networks: u64,
    pub(super) key: [u64; 2],
    pub(super) generation: u64,
    pub(super) mutated: f64,
    pub(super) mean: f64,
    pub(super) rate: f64,
    pub(super) genes: u32,
    pub(super) unused: u32,
}

/// A generation: the argument of the kernels that make children.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BredWork {
    pub(super) work: Work,
    pub(super) children: Children,
}

/// What the kernels found out about an item, or that they did not.
pub(super) fn found(words: &[u32], wanted: usize) -> Option<(Top, Pairs)> {
    let long = |at: usize| u64::from(words[at]) | u64::from(words[at + 1]) << 32;
    let top = Top {
        wanted: as_u32(wanted),
        above: words[1],
        tied: words[2],
        positives_above: words[3],
        positives_tied: words[4],
    };
    (words[0] == 0).then(|| (top, Pairs { won: long(6), tied: long(8) }))
}
