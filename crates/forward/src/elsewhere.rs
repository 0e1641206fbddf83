//! Rows that lie with several others, such as machines of a cluster: networks go there, and whole numbers
//! come back.
//!
//! Picture an examination held in many towns at once, in which the best fifth of all candidates pass. Nobody
//! sends the papers. Whoever leads guesses from a few candidates where the threshold lies, and asks every
//! town how many of its own are above the guess and how many are near it, mark by mark; the answers are added
//! up. Then the leader knows between which marks the threshold is, and asks again about those alone, until it
//! is a single mark. A wrong guess costs one question more and changes nothing.
//!
//! [`Session::elsewhere`] is who leads, a [`Seat`] is a town, and [`Around`] what is asked.

use crate::near::{halves, ranks_around};
use crate::{
    Batch, Bracket, Cell, Inputs, Near, Networks, RankError, Ranks, Resident, Session, Shape, Top,
    ascending, spec,
};
use pellucid_bits::as_u32;
use pellucid_device::{Device, DeviceError, Executor};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

/// Words that an answer has, about: as many buckets as that leaves for each cell, within limits.
const WORDS: usize = 1 << 14;
const BUCKETS: (usize, usize) = (64, 4096);
/// Questions about one threshold at most: each tells at least six bits of thirty-two, and one may have been
/// in vain.
const MOST_QUESTIONS: usize = 8;
/// Networks whose scores a seat looks at together.
const TOGETHER: usize = 16;
/// A seat keeps scores near a threshold unless they are more than this share of its rows; then it computes
/// them again.
const KEPT: usize = 8;

/// What is asked of everybody who has rows: for each cell how many are above its bracket, and how many within
/// it, by bucket.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Around {
    /// The number of the inputs.
    pub inputs: usize,
    /// What the networks are made of.
    pub shape: Shape,
    /// Their genes, one network after the other.
    pub genes: Vec<f32>,
    /// What is looked at; the cells of a network are next to each other.
    pub cells: Vec<Cell>,
    /// How many buckets a bracket is cut into.
    pub buckets: usize,
}

/// Who asks everybody.
pub trait Asks: Send {
    /// The sum of what [all](Seat::answer) answer.
    ///
    /// # Errors
    /// When somebody fails.
    fn around(&mut self, around: &Around) -> Result<Vec<u64>, DeviceError>;

    /// The scores that a network gives the rows of everybody, one after the other.
    ///
    /// # Errors
    /// When somebody fails.
    fn scores(
        &mut self,
        inputs: usize,
        shape: &Shape,
        genes: &[f32],
    ) -> Result<Vec<f32>, DeviceError>;
}

/// By how many bits a bracket is shifted so that so many buckets are enough.
fn shift(bracket: &Bracket, buckets: usize) -> u32 {
    let width = bracket.high.saturating_sub(bracket.low);
    (0..32).find(|&shift| ((width >> shift) as usize) < buckets).unwrap_or(31)
}

/// Rows elsewhere.
struct Elsewhere {
    asks: Box<dyn Asks>,
    inputs: Vec<Arc<Inputs>>,
    /// A few rows, by which thresholds are guessed.
    sample: Option<Box<dyn Resident>>,
}

impl fmt::Debug for Elsewhere {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Elsewhere")
    }
}

/// A threshold that is not known yet.
struct Open {
    cell: Cell,
    wanted: usize,
    /// Where what is found goes.
    place: usize,
}

impl Elsewhere {
    /// Everything that is asked of a batch, with a guess of each threshold.
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
                    return Err(only("who is in the top"));
                }
                if let Some(wanted) = ask.top {
                    let bracket = guess(&scores, wanted, part.rows());
                    let cell = Cell { network, part: ask.part, bracket };
                    open.push(Open { cell, wanted, place });
                }
            }
        }
        Ok(open)
    }

    /// Asks about all thresholds that are open.
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
            cells.push(Cell { network, ..*cell });
        }
        let shape = batch.networks.shape().clone();
        let around = Around { inputs: batch.inputs, shape, genes, cells, buckets };
        let words = self.asks.around(&around)?;
        if words.len() != open.len() * (1 + buckets) {
            let (found, expected) = (words.len(), open.len() * (1 + buckets));
            let reason = format!("{found} counts came back, {expected} were expected");
            return Err(DeviceError::new("elsewhere", reason));
        }
        Ok((words, buckets))
    }
}

impl Resident for Elsewhere {
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
            for _ in 0..MOST_QUESTIONS {
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
                return Err(DeviceError::new("elsewhere", "the answers do not fit together"));
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
            let reason = format!("{} scores came back, {rows} were expected", scores.len());
            return Err(DeviceError::new("elsewhere", reason));
        }
        Ok(scores)
    }
}

fn only(what: &str) -> DeviceError {
    DeviceError::new("elsewhere", format!("rows that lie elsewhere are asked for {what} alone"))
}

/// Where a threshold most likely lies, by the scores of a few rows, the highest last.
fn guess(scores: &[u32], wanted: usize, rows: usize) -> Bracket {
    let (first, last) = ranks_around(wanted, rows, scores.len());
    let of_rank = |rank: usize| {
        let place = scores.len().checked_sub(rank)?;
        scores.get(place).copied()
    };
    let Bracket { low, high } = Bracket::ALL;
    Bracket { low: of_rank(last + 1).unwrap_or(low), high: of_rank(first).unwrap_or(high) }
}

/// What the answers say about a threshold.
enum ThresholdAnswer {
    Top(Top),
    Within(Bracket),
}

/// Looks for a threshold in the sum of all answers: who is above a bracket, and who within it, by bucket.
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
                return ThresholdAnswer::Top(Top {
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
    /// A session whose rows lie elsewhere; `inputs` are as [`Inputs::elsewhere`] gives them. By the rows of
    /// the sample thresholds are guessed: a random few of all rows make for few questions, and what is found
    /// does not depend on them.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn elsewhere(
        inputs: Vec<Arc<Inputs>>,
        asks: Box<dyn Asks>,
        sample: Option<Inputs>,
    ) -> Result<Session, RankError> {
        let device = Device::processor(NonZeroUsize::new(1))?;
        let asks = Mutex::new(Some(asks));
        let sample = sample.filter(|sample| sample.rows() > 0).map(Arc::new);
        let executor = Executor::on(&[device], |hardware| {
            let asks = asks.lock().unwrap_or_else(PoisonError::into_inner).take();
            let asks = asks.ok_or_else(|| only("one thing at a time"))?;
            let open = |sample: &Arc<Inputs>| crate::open(hardware, &[Arc::clone(sample)]);
            let sample = sample.as_ref().map(open).transpose()?;
            Ok(Box::new(Elsewhere { asks, inputs: inputs.clone(), sample }) as Box<dyn Resident>)
        })?;
        Ok(Session::with(executor, inputs))
    }
}

/// One who has some of the rows, and answers for them.
#[derive(Debug)]
pub struct Seat {
    session: Session,
    /// What was near thresholds that are still looked for, by inputs, part, and genes.
    kept: HashMap<(usize, usize, Vec<u32>), (Bracket, Near)>,
}

impl Seat {
    /// The seat of one who has the rows of a session.
    #[must_use]
    pub fn new(session: Session) -> Seat {
        Seat { session, kept: HashMap::new() }
    }

    /// The rows.
    #[must_use]
    pub fn inputs(&self) -> &[Arc<Inputs>] {
        self.session.inputs()
    }

    /// As [`Session::scores`].
    ///
    /// # Errors
    /// As there.
    pub fn scores(
        &mut self,
        inputs: usize,
        shape: &Shape,
        genes: &[f32],
    ) -> Result<Vec<f32>, RankError> {
        self.session.scores(inputs, shape, genes)
    }

    /// For each cell one word for the rows above it and one for each of its buckets, see [`Near::counted`].
    /// Answers of several add up to that of all.
    ///
    /// # Errors
    /// When the question makes no sense here, or no device is left.
    pub fn answer(&mut self, around: &Around) -> Result<Vec<u64>, RankError> {
        let Around { inputs, shape, genes, cells, buckets } = around;
        let networks = Networks::all(shape, genes)?;
        if let Some(cell) = cells.iter().find(|cell| cell.network >= networks.len()) {
            let (network, networks) = (cell.network, networks.len());
            return Err(RankError::Network { network, networks });
        }
        let key = |cell: &Cell| {
            let genes = networks.genes(cell.network).iter().map(|gene| gene.to_bits());
            (*inputs, cell.part, genes.collect::<Vec<u32>>())
        };
        let buckets = (*buckets).clamp(1, BUCKETS.1);
        let counted = |near: &Near, cell: &Cell| {
            near.counted(&cell.bracket, shift(&cell.bracket, buckets), buckets)
        };
        let known = |cell: &Cell| {
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
        for some in by_network.chunks(TOGETHER) {
            let places = some.concat();
            let some: Vec<Cell> = places.iter().map(|&place| cells[place]).collect();
            let found = self.session.near(*inputs, networks, &some)?;
            for ((near, cell), place) in found.into_iter().zip(&some).zip(places) {
                answers[place] = Some(counted(&near, cell));
                if near.within() <= rows / KEPT {
                    self.kept.insert(key(cell), (cell.bracket, near));
                }
            }
        }
        Ok(answers.into_iter().flatten().flatten().collect())
    }
}
