//! Ranking with remote rows, such as on the machines of a cluster: networks are sent there, and
//! counts come back.
//!
//! The threshold of the top is found by a distributed search. The coordinator estimates from a
//! sample of rows where the threshold lies, and asks every part how many of its scores are above
//! that bracket and how many are inside it, by bucket. The counts are summed, and the search
//! continues in the bucket that contains the threshold until it is a single score. A wrong estimate
//! costs one more round and does not change the result.
//!
//! [`Session::elsewhere`] creates the coordinator, a [`PartRanker`] answers for one part, and [`Around`]
//! is the query.

use crate::near::{halves, ranks_around};
use crate::{
    Batch, Bracket, BracketQuery, ForwardError, Inputs, Near, Networks, Ranks, Resident, Session,
    Shape, TopCounts, ascending, spec,
};
use pellucid_bits::as_u32;
use pellucid_device::{Device, DeviceError, Executor};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

/// The approximate number of words in an answer, from which the number of buckets per cell follows,
/// within limits.
const WORDS: usize = 1 << 14;
const BUCKETS: (usize, usize) = (64, 4096);
/// The maximum number of queries for one threshold. Each query determines at least six of its 32
/// bits, and one query may fail because of a wrong estimate.
const MAX_QUERIES: usize = 8;
/// The number of networks that a part scores at once.
const BATCH: usize = 16;
/// A part keeps the scores near a threshold if they are at most this fraction (one in eight) of its
/// rows; otherwise it computes them again.
const KEPT_FRACTION: usize = 8;

/// A query to every part: for each cell, the number of rows above its bracket and the numbers
/// inside it, by bucket.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Around {
    /// The number of the inputs.
    pub inputs: usize,
    /// The shape of the networks.
    pub shape: Shape,
    /// The genes of the networks, concatenated.
    pub genes: Vec<f32>,
    /// The cells; those of a network are adjacent.
    pub cells: Vec<BracketQuery>,
    /// The number of buckets of a bracket.
    pub buckets: usize,
}

/// Sends queries to all parts.
pub trait Asks: Send {
    /// Returns the sum of the [answers](PartRanker::answer) of all parts.
    ///
    /// # Errors
    /// When a part fails.
    fn around(&mut self, around: &Around) -> Result<Vec<u64>, DeviceError>;

    /// Returns the scores of a network on the rows of all parts, concatenated.
    ///
    /// # Errors
    /// When a part fails.
    fn scores(
        &mut self,
        inputs: usize,
        shape: &Shape,
        genes: &[f32],
    ) -> Result<Vec<f32>, DeviceError>;
}

/// Returns the bits per bucket, so that a bracket fits into the given number of buckets.
fn shift(bracket: &Bracket, buckets: usize) -> u32 {
    let width = bracket.high.saturating_sub(bracket.low);
    (0..32).find(|&shift| ((width >> shift) as usize) < buckets).unwrap_or(31)
}

/// Remote rows.
struct RemoteRows {
    asks: Box<dyn Asks>,
    inputs: Vec<Arc<Inputs>>,
    /// A sample of rows from which thresholds are estimated.
    sample: Option<Box<dyn Resident>>,
}

impl fmt::Debug for RemoteRows {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("RemoteRows")
    }
}

/// A threshold that is still being searched.
struct Open {
    cell: BracketQuery,
    wanted: usize,
    /// The index of the result.
    place: usize,
}

impl RemoteRows {
    /// Returns all thresholds of a batch, each with an estimate.
    fn open(
        &mut self,
        batch: &Batch<'_>,
        width: usize,
        out: &mut [Ranks],
    ) -> Result<Vec<Open>, DeviceError> {
        let inputs = Arc::clone(&self.inputs[batch.inputs]);
        let mut open = Vec::new();
        for network in 0..batch.networks.len() {
            let scores = match &mut self.sample {
                Some(sample) => {
                    sample.scores(0, batch.networks.shape(), batch.networks.genes(network))?
                }
                None => Vec::new(),
            };
            let mut scores: Vec<u32> = scores.into_iter().map(ascending).collect();
            scores.sort_unstable();
            for (number, ask) in batch.asks.iter().enumerate() {
                let (part, place) = (inputs.part(ask.part), network * width + number);
                out[place] = spec::nothing_known(part);
                if ask.pairs && part.positives() > 0 && part.positives() < part.rows() {
                    return Err(only("statistics of the top"));
                }
                if let Some(wanted) = ask.top {
                    let bracket = guess(&scores, wanted, part.rows());
                    let cell = BracketQuery { network, part: ask.part, bracket };
                    open.push(Open { cell, wanted, place });
                }
            }
        }
        Ok(open)
    }

    /// Sends a query about all open thresholds.
    fn ask(&mut self, batch: &Batch<'_>, open: &[Open]) -> Result<(Vec<u64>, usize), DeviceError> {
        let buckets = WORDS / open.len().max(1);
        let buckets = buckets.clamp(BUCKETS.0, BUCKETS.1).next_power_of_two();
        let (mut genes, mut cells, mut numbers) = (Vec::new(), Vec::new(), HashMap::new());
        for Open { cell, .. } in open {
            let next = numbers.len();
            let network = *numbers.entry(cell.network).or_insert(next);
            if network == next {
                genes.extend_from_slice(batch.networks.genes(cell.network));
            }
            cells.push(BracketQuery { network, ..*cell });
        }
        let shape = batch.networks.shape().clone();
        let around = Around { inputs: batch.inputs, shape, genes, cells, buckets };
        let words = self.asks.around(&around)?;
        if words.len() != open.len() * (1 + buckets) {
            let (found, expected) = (words.len(), open.len() * (1 + buckets));
            let reason = format!("received {found} counts; expected {expected}");
            return Err(DeviceError::new("elsewhere", reason));
        }
        Ok((words, buckets))
    }
}

impl Resident for RemoteRows {
    fn rank(
        &mut self,
        batches: &[Batch<'_>],
        width: usize,
        mut out: &mut [Ranks],
    ) -> Result<(), DeviceError> {
        for batch in batches {
            let (own, rest) = out.split_at_mut(batch.networks.len() * width);
            out = rest;
            let mut open = self.open(batch, width, own)?;
            for _ in 0..MAX_QUERIES {
                if open.is_empty() {
                    break;
                }
                let (words, buckets) = self.ask(batch, &open)?;
                let mut still = Vec::new();
                for (mut open, words) in open.into_iter().zip(words.chunks_exact(1 + buckets)) {
                    match found(words, open.wanted, open.cell.bracket, buckets) {
                        ThresholdAnswer::Top(top) => own[open.place].top = top,
                        ThresholdAnswer::Within(bracket) => {
                            open.cell.bracket = bracket;
                            still.push(open);
                        }
                    }
                }
                open = still;
            }
            if !open.is_empty() {
                return Err(DeviceError::new(
                    "elsewhere",
                    "the answers of the parts are inconsistent",
                ));
            }
        }
        Ok(())
    }

    fn scores(
        &mut self,
        inputs: usize,
        shape: &Shape,
        genes: &[f32],
    ) -> Result<Vec<f32>, DeviceError> {
        let scores = self.asks.scores(inputs, shape, genes)?;
        let rows = self.inputs[inputs].rows();
        if scores.len() != rows {
            let reason = format!("received {} scores; expected {rows}", scores.len());
            return Err(DeviceError::new("elsewhere", reason));
        }
        Ok(scores)
    }
}

fn only(what: &str) -> DeviceError {
    DeviceError::new("elsewhere", format!("remote rows only support {what}"))
}

/// Estimates the bracket of a threshold from the ascending scores of a sample.
fn guess(scores: &[u32], wanted: usize, rows: usize) -> Bracket {
    let (first, last) = ranks_around(wanted, rows, scores.len());
    let of_rank = |rank: usize| {
        let place = scores.len().checked_sub(rank)?;
        scores.get(place).copied()
    };
    let Bracket { low, high } = Bracket::ALL;
    Bracket { low: of_rank(last + 1).unwrap_or(low), high: of_rank(first).unwrap_or(high) }
}

/// The result of a query about a threshold.
enum ThresholdAnswer {
    Top(TopCounts),
    Within(Bracket),
}

/// Searches a threshold in the summed answers: the rows above a bracket, and those inside it by
/// bucket.
fn found(words: &[u64], wanted: usize, bracket: Bracket, buckets: usize) -> ThresholdAnswer {
    let all = Bracket::ALL;
    let [mut above, mut positives_above] = halves(words[0]);
    if above as usize >= wanted {
        return ThresholdAnswer::Within(Bracket {
            low: bracket.high.saturating_add(1),
            high: all.high,
        });
    }
    let shift = shift(&bracket, buckets);
    for bucket in (0..buckets).rev() {
        let [tied, positives_tied] = halves(words[1 + bucket]);
        if (above.saturating_add(tied)) as usize >= wanted {
            let low = bracket.low.saturating_add(as_u32(bucket) << shift);
            if shift == 0 {
                let wanted = as_u32(wanted);
                return ThresholdAnswer::Top(TopCounts {
                    wanted,
                    above,
                    tied,
                    positives_above,
                    positives_tied,
                });
            }
            let high = low.saturating_add((1 << shift) - 1).min(bracket.high);
            return ThresholdAnswer::Within(Bracket { low, high });
        }
        above = above.saturating_add(tied);
        positives_above = positives_above.saturating_add(positives_tied);
    }
    ThresholdAnswer::Within(Bracket { low: all.low, high: bracket.low.saturating_sub(1) })
}

impl Session {
    /// Creates a session for remote rows; `inputs` come from [`Inputs::elsewhere`]. Thresholds are
    /// estimated from the sample. A random sample keeps the number of queries low; it does not
    /// affect the result.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn elsewhere(
        inputs: Vec<Arc<Inputs>>,
        asks: Box<dyn Asks>,
        sample: Option<Inputs>,
    ) -> Result<Session, ForwardError> {
        let device = Device::processor(NonZeroUsize::new(1))?;
        let asks = Mutex::new(Some(asks));
        let sample = sample.filter(|sample| sample.rows() > 0).map(Arc::new);
        let executor = Executor::on(&[device], |hardware| {
            let asks = asks.lock().unwrap_or_else(PoisonError::into_inner).take();
            let asks = asks.ok_or_else(|| only("one session"))?;
            let open = |sample: &Arc<Inputs>| crate::open(hardware, &[Arc::clone(sample)]);
            let sample = sample.as_ref().map(open).transpose()?;
            Ok(Box::new(RemoteRows { asks, inputs: inputs.clone(), sample }) as Box<dyn Resident>)
        })?;
        Ok(Session::with(executor, inputs))
    }
}

/// Answers queries for one part of the rows.
#[derive(Debug)]
pub struct PartRanker {
    session: Session,
    /// Scores near thresholds that are still being searched, by inputs, part and genes.
    kept: HashMap<(usize, usize, Vec<u32>), (Bracket, Near)>,
}

impl PartRanker {
    /// Creates a ranker for the rows of a session.
    #[must_use]
    pub fn new(session: Session) -> PartRanker {
        PartRanker { session, kept: HashMap::new() }
    }

    /// Returns the rows.
    #[must_use]
    pub fn inputs(&self) -> &[Arc<Inputs>] {
        self.session.inputs()
    }

    /// Returns scores, as [`Session::scores`] does.
    ///
    /// # Errors
    /// As [`Session::scores`].
    pub fn scores(
        &mut self,
        inputs: usize,
        shape: &Shape,
        genes: &[f32],
    ) -> Result<Vec<f32>, ForwardError> {
        self.session.scores(inputs, shape, genes)
    }

    /// Returns, for each cell, one word for the rows above it and one for each of its buckets; see
    /// [`Near::counted`]. The answers of several parts sum to the answer for all rows.
    ///
    /// # Errors
    /// When the query does not match these rows, or no device is left.
    pub fn answer(&mut self, around: &Around) -> Result<Vec<u64>, ForwardError> {
        let Around { inputs, shape, genes, cells, buckets } = around;
        let networks = Networks::all(shape, genes)?;
        if let Some(cell) = cells.iter().find(|cell| cell.network >= networks.len()) {
            let (network, networks) = (cell.network, networks.len());
            return Err(ForwardError::Network { network, networks });
        }
        let key = |cell: &BracketQuery| {
            let genes = networks.genes(cell.network).iter().map(|gene| gene.to_bits());
            (*inputs, cell.part, genes.collect::<Vec<u32>>())
        };
        let buckets = (*buckets).clamp(1, BUCKETS.1);
        let counted = |near: &Near, cell: &BracketQuery| {
            near.counted(&cell.bracket, shift(&cell.bracket, buckets), buckets)
        };
        let known = |cell: &BracketQuery| {
            let kept = self.kept.get(&key(cell));
            let near = kept.filter(|(bracket, _)| bracket.holds(&cell.bracket));
            near.map(|(_, near)| counted(near, cell))
        };
        let mut answers: Vec<Option<Vec<u64>>> = cells.iter().map(known).collect();
        if answers.iter().all(Option::is_none) {
            self.kept.clear();
        }
        let rows = self.session.inputs().get(*inputs).map_or(0, |inputs| inputs.rows());
        let new: Vec<usize> = (0..cells.len()).filter(|&place| answers[place].is_none()).collect();
        let by_network: Vec<&[usize]> =
            new.chunk_by(|&one, &other| cells[one].network == cells[other].network).collect();
        for some in by_network.chunks(BATCH) {
            let places = some.concat();
            let some: Vec<BracketQuery> = places.iter().map(|&place| cells[place]).collect();
            let found = self.session.near(*inputs, networks, &some)?;
            for ((near, cell), place) in found.into_iter().zip(&some).zip(places) {
                answers[place] = Some(counted(&near, cell));
                if near.within() <= rows / KEPT_FRACTION {
                    self.kept.insert(key(cell), (cell.bracket, near));
                }
            }
        }
        Ok(answers.into_iter().flatten().flatten().collect())
    }
}
