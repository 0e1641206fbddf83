//! What the batches of one call need: which way each is ranked, and where everything is in the one upload.

use super::argument::{COUNT_WORDS, EVERYONE, ITEM_WORDS, Item, NEAR, RESULT_WORDS, THREAD_ROWS};
use super::rows::{MANY_ROWS, sample_rows};
use crate::plan::Plan;
use crate::{Batch, Inputs, Shape};
use pellucid_bits::as_u32;
use pellucid_device::gpu::{Limits, write_record};

/// Standard deviations of the threshold's place in the sample that a bracket reaches to either side.
const REACH: f64 = 4.0;
/// Bytes of networks in shared memory for a block, so that four blocks find room beside each other.
const NETWORK_BYTES: usize = 44 << 10;
/// Blocks that a multiprocessor has beside each other.
const BESIDE: usize = 4;
/// Threads of a block that scores rows.
const FORWARD_THREADS: usize = 128;
/// What it costs a block to load its rows, in networks that it could score meanwhile.
const LOADING: usize = 1;

/// How a batch is ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// The top of all rows, by a bracket; scores are not written.
    Bracket(Bracket),
    /// Scores are written, and everything is answered from them.
    Stored,
}

/// Ranks in the sample, from the highest, of the bracket's ends; past its end: none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bracket {
    pub(super) wanted: usize,
    pub(super) sample_rows: usize,
    pub(super) upper_rank: usize,
    pub(super) lower_rank: usize,
    /// Keys of each class for which there is room.
    pub(super) room: usize,
    pub(super) positive_room: usize,
}

impl Bracket {
    fn new(inputs: &Inputs, wanted: usize) -> Bracket {
        let (rows, sample) = (inputs.rows(), sample_rows(inputs.rows()));
        let share = wanted as f64 / rows as f64;
        let middle = share * sample as f64;
        let reach = REACH * (middle * (1.0 - share)).sqrt() + 2.0;
        let room = rows as f64 * 3.0 * reach / sample as f64 + 1024.0;
        // All are positive and not larger than a few times the number of rows.
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

    /// Words of the band of one network.
    pub(super) fn band_words(&self) -> usize {
        self.room + self.positive_room
    }
}

/// A batch in a trip.
#[derive(Debug)]
pub(super) struct Leg<'a> {
    pub(super) batch: Batch<'a>,
    pub(super) way: Way,
    pub(super) plan: Plan,
    /// Which kernels score rows: by place in [`NEAR`], or behind them.
    pub(super) near: usize,
    /// Words from the start of the upload. Results of items, or of networks where there is a bracket.
    pub(super) results: usize,
    pub(super) counts: usize,
    pub(super) items: usize,
    pub(super) networks: usize,
}

/// Everything that one call sends.
#[derive(Debug)]
pub(super) struct Trip<'a> {
    pub(super) legs: Vec<Leg<'a>>,
    /// Words that come back: all results, from the start on.
    pub(super) result_words: usize,
    /// Words of zeros at the start: results, and counts.
    pub(super) zeros: usize,
    pub(super) words: usize,
}

impl<'a> Trip<'a> {
    /// Lays out some batches, on their inputs; the bracket is not used again where it has missed.
    pub(super) fn new(
        batches: impl Iterator<Item = (Batch<'a>, &'a Inputs)>,
        brackets: bool,
        limits: &Limits,
    ) -> Trip<'a> {
        let mut legs: Vec<Leg<'a>> = batches
            .map(|(batch, inputs)| {
                let shape = batch.networks.shape();
                let (near, plan) = kernels(shape, limits);
                let way = if brackets { way(&batch, inputs) } else { Way::Stored };
                Leg { batch, way, plan, near, results: 0, counts: 0, items: 0, networks: 0 }
            })
            .collect();
        let mut words = 0;
        let mut section = |count: usize| {
            let start = words;
            words += count.next_multiple_of(4);
            start
        };
        for leg in &mut legs {
            leg.results = section(leg.result_count() * RESULT_WORDS);
        }
        let result_words = section(0);
        for leg in &mut legs {
            let counted = matches!(leg.way, Way::Bracket(_));
            leg.counts = section(if counted { leg.batch.networks.len() * COUNT_WORDS } else { 0 });
        }
        let zeros = section(0);
        for leg in &mut legs {
            leg.items = section(leg.item_count() * ITEM_WORDS);
            leg.networks = section(leg.batch.networks.len() * leg.plan.words);
        }
        Trip { legs, result_words, zeros, words }
    }

    /// Writes all of it.
    pub(super) fn write(&self, out: &mut [u32], prepared: &mut Vec<f32>) {
        out[..self.zeros].fill(0);
        for leg in &self.legs {
            let networks = leg.batch.networks;
            let items = out[leg.items..].chunks_exact_mut(ITEM_WORDS);
            for (number, item) in items.take(leg.item_count()).enumerate() {
                let ask = leg.batch.asks[number % leg.batch.asks.len()];
                let members = if ask.part == 0 { EVERYONE } else { as_u32(ask.part - 1) };
                let network = as_u32(number / leg.batch.asks.len());
                let wanted = as_u32(ask.top.unwrap_or(0));
                write_record(&Item { network, members, wanted, pairs: ask.pairs.into() }, item);
            }
            prepared.resize(leg.plan.words, 0.0);
            let out = out[leg.networks..].chunks_exact_mut(leg.plan.words);
            for (number, out) in out.take(networks.len()).enumerate() {
                leg.plan.prepare(networks.shape(), networks.genes(number), prepared);
                out.iter_mut().zip(&*prepared).for_each(|(word, number)| *word = number.to_bits());
            }
        }
    }
}

impl Leg<'_> {
    fn item_count(&self) -> usize {
        match self.way {
            Way::Bracket(_) => 0,
            Way::Stored => self.batch.networks.len() * self.batch.asks.len(),
        }
    }

    fn result_count(&self) -> usize {
        match self.way {
            Way::Bracket(_) => self.batch.networks.len(),
            Way::Stored => self.item_count(),
        }
    }

    /// Whether rows are scored from registers.
    pub(super) fn is_near(&self) -> bool {
        self.near < NEAR.len()
    }
}

/// Which kernels score rows, and how networks are laid out for them.
fn kernels(shape: &Shape, limits: &Limits) -> (usize, Plan) {
    let near = NEAR.iter().position(|&near| shape.inputs() <= near);
    if let Some(place) = near.filter(|_| shape.layers().len() == 1) {
        let plan = Plan::padded(shape, NEAR[place]);
        if plan.words * 4 <= network_bytes(limits) {
            return (place, plan);
        }
    }
    (NEAR.len(), Plan::new(shape))
}

fn network_bytes(limits: &Limits) -> usize {
    // The kernel that brackets has its sample there, too.
    NETWORK_BYTES.min(limits.shared_bytes.saturating_sub(8 << 10))
}

fn way(batch: &Batch<'_>, inputs: &Inputs) -> Way {
    match batch.asks {
        &[ask] if ask.part == 0 && !ask.pairs && inputs.rows() >= MANY_ROWS => match ask.top {
            Some(wanted) if batch.networks.shape().layers().len() == 1 => {
                Way::Bracket(Bracket::new(inputs, wanted))
            }
            _ => Way::Stored,
        },
        _ => Way::Stored,
    }
}

/// How the scoring of some networks is spread over blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spread {
    pub(super) threads: usize,
    /// Chunks of rows.
    pub(super) chunks: usize,
    /// Networks that a block takes one after the other, and how many blocks do so for the same rows.
    pub(super) group: usize,
    pub(super) groups: usize,
}

impl Spread {
    pub(super) fn new(limits: &Limits, leg: &Leg<'_>, rows: usize, networks: usize) -> Spread {
        let threads = limits.threads.min(FORWARD_THREADS);
        let chunks = rows.div_ceil(threads * THREAD_ROWS).max(1);
        let slots = limits.multiprocessors * BESIDE;
        let most = match leg.is_near() {
            true => network_bytes(limits) / (leg.plan.words * 4),
            false => networks,
        };
        let cost = |&group: &usize| {
            let blocks = chunks * networks.div_ceil(group);
            blocks.div_ceil(slots) * (group + LOADING)
        };
        let group = (1..=most.min(networks).max(1)).min_by_key(cost).unwrap_or(1);
        Spread { threads, chunks, group, groups: networks.div_ceil(group) }
    }

    pub(super) fn blocks(&self) -> usize {
        self.chunks * self.groups
    }
}
