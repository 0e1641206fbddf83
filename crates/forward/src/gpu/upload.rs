//! The layout of the upload for the batches of one call, and the method by which each batch is ranked.

use super::argument::{
    COUNT, COUNT_WORDS, COUNTED, EVERYONE, ForwardWork, ITEM_WORDS, Item, NEAR, RESULT_WORDS,
    SCORE, THREAD_ROWS,
};
use super::rows::{MANY_ROWS, sample_rows};
use crate::plan::Plan;
use crate::{Batch, Inputs, Shape};
use pellucid_bits::as_u32;
use pellucid_device::gpu::{GpuLimits, Kernel, write_record};

/// The width of a bracket to either side, in standard deviations of the rank of the threshold in the sample.
const BRACKET_DEVIATIONS: f64 = 4.0;
/// The number of bytes of networks in the shared memory of a block, so that four blocks fit on a
/// multiprocessor.
const NETWORK_BYTES: usize = 44 << 10;
/// The number of resident blocks per multiprocessor.
const RESIDENT_BLOCKS: usize = 4;
/// The number of threads per block that scores rows.
const FORWARD_THREADS: usize = 128;
/// The cost of loading the rows of a block, in networks that could be scored in the same time.
const LOAD_COST: usize = 1;

/// The method by which a batch is ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RankMethod {
    /// Only the top of all rows, by a bracket; scores are not stored.
    Bracket(Bracket),
    /// Scores are stored, and all requests are answered from them.
    Stored,
}

/// The ranks in the sample of the ends of a bracket, from the highest; a rank past the sample means no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bracket {
    pub(super) wanted: usize,
    pub(super) sample_rows: usize,
    pub(super) upper_rank: usize,
    pub(super) lower_rank: usize,
    /// The maximum number of keys of each class.
    pub(super) room: usize,
    pub(super) positive_room: usize,
}

impl Bracket {
    fn new(inputs: &Inputs, wanted: usize) -> Bracket {
        let (rows, sample) = (inputs.rows(), sample_rows(inputs.rows()));
        let share = wanted as f64 / rows as f64;
        let middle = share * sample as f64;
        let reach = BRACKET_DEVIATIONS * (middle * (1.0 - share)).sqrt() + 2.0;
        let room = rows as f64 * 3.0 * reach / sample as f64 + 1024.0;
        // All numbers are positive and at most a few times the number of rows.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let [upper, lower, room] =
            [middle - reach, middle + reach, room].map(|number| number.max(0.0) as usize);
        Bracket {
            wanted,
            sample_rows: sample,
            upper_rank: if middle > reach { upper } else { sample },
            lower_rank: lower,
            room: room.min(rows),
            positive_room: room.min(inputs.positives()).max(1),
        }
    }

    /// Returns the number of words of the band of one network.
    pub(super) fn band_words(&self) -> usize {
        self.room + self.positive_room
    }
}

/// The layout of a batch in an upload.
#[derive(Debug)]
pub(super) struct BatchLayout<'a> {
    pub(super) batch: Batch<'a>,
    pub(super) rank_method: RankMethod,
    pub(super) plan: Plan,
    /// The index in [`NEAR`] of the kernels that score rows, or its length for the kernels with any number of
    /// features.
    pub(super) near: usize,
    /// The index in [`COUNTED`] of the kernel that counts rows around brackets, if there is one.
    counted: Option<usize>,
    /// The offset in the upload of the results of items, or of networks if there is a bracket.
    pub(super) results: usize,
    pub(super) counts: usize,
    pub(super) items: usize,
    pub(super) networks: usize,
}

/// The layout of the upload of one call.
#[derive(Debug)]
pub(super) struct Upload<'a> {
    pub(super) batch_layouts: Vec<BatchLayout<'a>>,
    /// The number of words to download: all results, which come first.
    pub(super) result_words: usize,
    /// The number of zero words at the start: results and counts.
    pub(super) zeros: usize,
    pub(super) words: usize,
}

impl<'a> Upload<'a> {
    /// Lays out batches. After a bracket has missed, `brackets` is false.
    pub(super) fn new(
        batches: impl Iterator<Item = (Batch<'a>, &'a Inputs)>,
        brackets: bool,
        limits: &GpuLimits,
    ) -> Upload<'a> {
        let mut batch_layouts: Vec<BatchLayout<'a>> = batches
            .map(|(batch, inputs)| {
                let shape = batch.networks.shape();
                let (near, plan) = kernels(shape, limits);
                let rank_method =
                    if brackets { rank_method(&batch, inputs) } else { RankMethod::Stored };
                BatchLayout {
                    batch,
                    rank_method,
                    plan,
                    near,
                    counted: match rank_method {
                        RankMethod::Bracket(_) => counted(shape, limits),
                        RankMethod::Stored => None,
                    },
                    results: 0,
                    counts: 0,
                    items: 0,
                    networks: 0,
                }
            })
            .collect();
        let mut words = 0;
        let mut section = |count: usize| {
            let start = words;
            words += count.next_multiple_of(4);
            start
        };
        for batch_layout in &mut batch_layouts {
            batch_layout.results = section(batch_layout.result_count() * RESULT_WORDS);
        }
        let result_words = section(0);
        for batch_layout in &mut batch_layouts {
            let counted = matches!(batch_layout.rank_method, RankMethod::Bracket(_));
            batch_layout.counts =
                section(if counted { batch_layout.batch.networks.len() * COUNT_WORDS } else { 0 });
        }
        let zeros = section(0);
        for batch_layout in &mut batch_layouts {
            batch_layout.items = section(batch_layout.item_count() * ITEM_WORDS);
            batch_layout.networks =
                section(batch_layout.batch.networks.len() * batch_layout.plan.words);
        }
        Upload { batch_layouts, result_words, zeros, words }
    }

    /// Writes the upload.
    pub(super) fn write(&self, out: &mut [u32], prepared: &mut Vec<f32>) {
        out[..self.zeros].fill(0);
        for batch_layout in &self.batch_layouts {
            let networks = batch_layout.batch.networks;
            let items = out[batch_layout.items..].chunks_exact_mut(ITEM_WORDS);
            for (number, item) in items.take(batch_layout.item_count()).enumerate() {
                let ask = batch_layout.batch.asks[number % batch_layout.batch.asks.len()];
                let members = if ask.part == 0 { EVERYONE } else { as_u32(ask.part - 1) };
                let network = as_u32(number / batch_layout.batch.asks.len());
                let wanted = as_u32(ask.top.unwrap_or(0));
                write_record(&Item { network, members, wanted, pairs: ask.pairs.into() }, item);
            }
            prepared.resize(batch_layout.plan.words, 0.0);
            let out = out[batch_layout.networks..].chunks_exact_mut(batch_layout.plan.words);
            for (number, out) in out.take(networks.len()).enumerate() {
                batch_layout.plan.prepare(networks.shape(), networks.genes(number), prepared);
                out.iter_mut().zip(&*prepared).for_each(|(word, number)| *word = number.to_bits());
            }
        }
    }
}

impl BatchLayout<'_> {
    fn item_count(&self) -> usize {
        match self.rank_method {
            RankMethod::Bracket(_) => 0,
            RankMethod::Stored => self.batch.networks.len() * self.batch.asks.len(),
        }
    }

    fn result_count(&self) -> usize {
        match self.rank_method {
            RankMethod::Bracket(_) => self.batch.networks.len(),
            RankMethod::Stored => self.item_count(),
        }
    }

    /// Returns whether rows are scored from registers.
    pub(super) fn is_near(&self) -> bool {
        self.near < NEAR.len()
    }

    /// Returns the kernel that scores all rows, and the bytes of shared memory that it needs for each
    /// network.
    pub(super) fn scoring(&self) -> (Kernel<ForwardWork<'static>>, usize) {
        match self.counted {
            Some(place) => {
                (COUNT[place], packed_bytes(self.batch.networks.shape(), COUNTED[place]))
            }
            None if self.is_near() => (SCORE[self.near], self.plan.words * 4),
            None => (SCORE[self.near], 0),
        }
    }
}

/// Returns the kernel that counts rows around the brackets of networks, if there is one.
fn counted(shape: &Shape, limits: &GpuLimits) -> Option<usize> {
    let is_radial = matches!(shape.layers(), [layer] if layer.activation.is_radial());
    let place = COUNTED.iter().position(|&inputs| shape.inputs() <= inputs)?;
    let fits = is_radial && packed_bytes(shape, COUNTED[place]) <= network_bytes(limits);
    fits.then_some(place)
}

/// Returns the bytes of an RBF network in the shared memory of the kernel that counts: for each node its
/// links, its factor and its weight, and then the ends of its bracket.
fn packed_bytes(shape: &Shape, inputs: usize) -> usize {
    let floats = (2 * inputs + 2).next_multiple_of(4) * shape.layers()[0].nodes;
    (floats + 2) * 4
}

/// Returns the kernels that score rows and the layout of networks for them.
fn kernels(shape: &Shape, limits: &GpuLimits) -> (usize, Plan) {
    let near = NEAR.iter().position(|&near| shape.inputs() <= near);
    if let Some(place) = near.filter(|_| shape.layers().len() == 1) {
        let plan = Plan::padded(shape, NEAR[place]);
        if plan.words * 4 <= network_bytes(limits) {
            return (place, plan);
        }
    }
    (NEAR.len(), Plan::new(shape))
}

fn network_bytes(limits: &GpuLimits) -> usize {
    // The kernel that computes brackets also has its sample there.
    NETWORK_BYTES.min(limits.shared_bytes.saturating_sub(8 << 10))
}

fn rank_method(batch: &Batch<'_>, inputs: &Inputs) -> RankMethod {
    match batch.asks {
        &[ask] if ask.part == 0 && !ask.pairs && inputs.rows() >= MANY_ROWS => match ask.top {
            Some(wanted) if batch.networks.shape().layers().len() == 1 => {
                RankMethod::Bracket(Bracket::new(inputs, wanted))
            }
            _ => RankMethod::Stored,
        },
        _ => RankMethod::Stored,
    }
}

/// The distribution of the scoring of networks over blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spread {
    pub(super) threads: usize,
    /// The number of chunks of rows.
    pub(super) chunks: usize,
    /// The number of networks per block, and the number of blocks for the same rows.
    pub(super) group: usize,
    pub(super) groups: usize,
}

impl Spread {
    pub(super) fn new(
        limits: &GpuLimits,
        batch_layout: &BatchLayout<'_>,
        rows: usize,
        networks: usize,
    ) -> Spread {
        let threads = limits.threads.min(FORWARD_THREADS);
        let chunks = rows.div_ceil(threads * THREAD_ROWS).max(1);
        let slots = limits.multiprocessors * RESIDENT_BLOCKS;
        let most = network_bytes(limits).checked_div(batch_layout.scoring().1).unwrap_or(networks);
        let cost = |&group: &usize| {
            let blocks = chunks * networks.div_ceil(group);
            blocks.div_ceil(slots) * (group + LOAD_COST)
        };
        let group = (1..=most.min(networks).max(1)).min_by_key(cost).unwrap_or(1);
        Spread { threads, chunks, group, groups: networks.div_ceil(group) }
    }

    pub(super) fn blocks(&self) -> usize {
        self.chunks * self.groups
    }
}
