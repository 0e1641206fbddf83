//! Examples on a card, and conditions held against them by the kernels of `kernels/survey.cu`.

use super::{Kernel, SURVEY};
use crate::Examples;
use crate::survey::{Ballot, Conditions, Residency, Rows};
use pellucid_bits::as_u32;
use pellucid_device::DeviceError;
use pellucid_device::gpu::{
    Buffer, Card, CardError, Launch, OnCard, OpenGpu, Queue, Stage, Used, sent,
};
use std::ops::Range;
use std::sync::Arc;

/// Threads of a block, by kernel: as many as a warp's work can be spread over.
const LAYING: usize = 256;
const COVERING: usize = 256;
const VOTING: usize = 1024;
/// Blocks on a multiprocessor.
const BESIDE: usize = 8;
/// Marks a column whose tests are sets.
const IS_SET: u32 = 1 << 31;

/// What the kernels are given, laid out as `survey.cu` declares it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    codes: u64,
    rows: u64,
    columns: u64,
    planes: u64,
    starts: u64,
    tests: u64,
    ballots: u64,
    out: u64,
    examples: u64,
    row_count: u32,
    words: u32,
    column_count: u32,
    condition_count: u32,
    first_word: u32,
    word_count: u32,
}

/// Takes examples to a card.
pub(crate) struct Send<'a>(pub(crate) &'a Arc<Examples>);

impl OnCard for Send<'_> {
    type Output = Box<dyn Residency>;

    fn on<C: Card>(self, gpu: OpenGpu<C>) -> Result<Box<dyn Residency>, CardError> {
        gpu.card.load(&SURVEY)?;
        Ok(Box::new(OnGpu::new(gpu, self.0)?))
    }
}

/// Examples on a card.
#[derive(Debug)]
struct OnGpu<C: Card> {
    gpu: OpenGpu<C>,
    examples: usize,
    columns: usize,
    /// All planes, those that say what is known among them.
    planes_wanted: usize,
    codes: C::Memory,
    /// First plane and bits of each column.
    table: C::Memory,
    /// The rows that are laid out, by their number.
    laid: Option<u64>,
    rows: Buffer<C>,
    planes: Buffer<C>,
    arrived: Buffer<C>,
    results: Buffer<C>,
    outgoing: Stage<C>,
    returning: Stage<C>,
}

impl<C: Card> OnGpu<C> {
    fn new(gpu: OpenGpu<C>, examples: &Examples) -> Result<OnGpu<C>, CardError> {
        let (rows, columns) = (examples.rows(), examples.domains().len());
        let bytes = 4 * rows * columns;
        gpu.check_room(|| format!("a table of {rows} examples and {columns} columns"), bytes)?;
        let mut codes = vec![0; rows * columns];
        for row in 0..rows {
            for (column, &code) in examples.row(row).iter().enumerate() {
                codes[column * rows + row] = code;
            }
        }
        let mut planes_wanted = 0;
        let mut table = Vec::with_capacity(2 * columns);
        for domain in examples.domains() {
            let (bits, is_set) = (domain.bits(), if domain.is_set { IS_SET } else { 0 });
            table.extend([as_u32(planes_wanted), as_u32(bits) | is_set]);
            planes_wanted += bits + 1;
        }
        Ok(OnGpu {
            codes: sent(&gpu.card, &codes)?,
            table: sent(&gpu.card, &table)?,
            gpu,
            examples: rows,
            columns,
            planes_wanted,
            laid: None,
            rows: Buffer::default(),
            planes: Buffer::default(),
            arrived: Buffer::default(),
            results: Buffer::default(),
            outgoing: Stage::default(),
            returning: Stage::default(),
        })
    }

    /// Holds some conditions against some rows. Either all rows and a word for every 32 of them, by condition; or a stretch of
    /// words of rows and a label for each, by what the conditions vote for. So many words have returned.
    fn ask(
        &mut self,
        rows: &Rows,
        conditions: &Conditions,
        part: Range<usize>,
        ballots: Option<(&[Ballot], Range<usize>)>,
    ) -> Result<usize, CardError> {
        let card = &self.gpu.card;
        let words = rows.list().len().div_ceil(32);
        let (starts, tests) = conditions.part(part.clone());
        let voting = ballots.as_ref().map_or(0, |(ballots, _)| 2 * ballots.len());
        let test_words = 3 * tests.len();
        let rows_words = if self.laid == Some(rows.number()) { 0 } else { rows.list().len() };
        let all = starts.len() + test_words + voting + rows_words;
        let results = match &ballots {
            None => part.len() * words,
            Some((_, stretch)) => 32 * stretch.len(),
        };
        let stage = self.outgoing.at_least(card, all)?;
        let (to_starts, rest) = stage[..all].split_at_mut(starts.len());
        let (to_tests, rest) = rest.split_at_mut(test_words);
        let (to_ballots, to_rows) = rest.split_at_mut(voting);
        let first = starts[0];
        for (to, start) in to_starts.iter_mut().zip(starts) {
            *to = start - first;
        }
        for (to, test) in to_tests.chunks_exact_mut(3).zip(tests) {
            to.copy_from_slice(&[test.attribute, test.low, test.high]);
        }
        if let Some((ballots, _)) = &ballots {
            for (to, ballot) in to_ballots.chunks_exact_mut(2).zip(*ballots) {
                to.copy_from_slice(&[ballot.label, ballot.votes]);
            }
        }
        to_rows.copy_from_slice(&rows.list()[..rows_words]);
        let sent_words = all - rows_words;
        let arrived = self.arrived.at_least(card, sent_words)?;
        let places = self.rows.at_least(card, rows.list().len())?;
        let planes = self.planes.at_least(card, self.planes_wanted * words)?;
        let found = self.results.at_least(card, results)?;
        let returning = self.returning.at_least(card, results)?;
        let at = |word: usize| C::address(arrived) + 4 * word as u64;
        let stretch = ballots.map_or(0..0, |(_, stretch)| stretch);
        let work = Work {
            codes: C::address(&self.codes),
            rows: C::address(places),
            columns: C::address(&self.table),
            planes: C::address(planes),
            starts: at(0),
            tests: at(starts.len()),
            ballots: at(starts.len() + test_words),
            out: C::address(found),
            examples: self.examples as u64,
            row_count: as_u32(rows.list().len()),
            words: as_u32(words),
            column_count: as_u32(self.columns),
            condition_count: as_u32(part.len()),
            first_word: as_u32(stretch.start),
            word_count: as_u32(stretch.len()),
        };
        let uses = [
            Used::new(&self.codes, self.examples * self.columns),
            Used::new(&self.table, 2 * self.columns),
            Used::new(places, rows.list().len()),
            Used::new(planes, self.planes_wanted * words),
            Used::new(arrived, sent_words),
            Used::new(found, results),
        ];
        let limits = card.limits();
        let launch = |kernel: Kernel, items: usize, wide: usize| {
            let threads = limits.threads.clamp(32, wide);
            let blocks = items.div_ceil(threads).clamp(1, limits.multiprocessors * BESIDE);
            // SAFETY: everything that `work` names is among what it uses and kept in `self`; the work is finished below
            // whatever happens.
            unsafe {
                let launch = Launch { kernel: kernel.into(), blocks, threads, shared_bytes: 0 };
                card.launch(launch, &work, &uses)
            }
        };
        // All memory was taken above: what grows now would be another than what was queued.
        self.laid = None;
        let queued = (|| {
            // SAFETY: both are kept in `self` and not touched before the work is finished.
            unsafe { card.copy_in(Queue::Work, stage, 0..sent_words, arrived, 0) }?;
            if rows_words > 0 {
                // SAFETY: as above.
                unsafe { card.copy_in(Queue::Work, stage, sent_words..all, places, 0) }?;
                launch(Kernel::LayPlanes, 32 * self.columns * words, LAYING)?;
            }
            if voting > 0 {
                launch(Kernel::VoteRows, results, VOTING)?;
            } else {
                launch(Kernel::MatchRows, results, COVERING)?;
            }
            // SAFETY: as for the copies above.
            unsafe { card.copy_out(Queue::Work, found, 0, returning, results) }
        })();
        queued.and(card.finish(Queue::Work))?;
        self.laid = Some(rows.number());
        Ok(results)
    }
}

impl<C: Card> Residency for OnGpu<C> {
    fn cover(
        &mut self,
        rows: &Rows,
        conditions: &Conditions,
        part: Range<usize>,
        out: &mut [u64],
    ) -> Result<(), DeviceError> {
        if rows.list().is_empty() || part.is_empty() {
            return Ok(());
        }
        let words =
            self.ask(rows, conditions, part, None).map_err(|error| self.gpu.failed(error))?;
        let found = &self.returning.words().unwrap_or_default()[..words];
        let by_condition = found.chunks_exact(rows.list().len().div_ceil(32));
        for (from, to) in by_condition.zip(out.chunks_exact_mut(rows.words())) {
            for (pair, to) in from.chunks(2).zip(to) {
                *to = u64::from(pair[0]) | pair.get(1).map_or(0, |&high| u64::from(high) << 32);
            }
        }
        Ok(())
    }

    fn vote(
        &mut self,
        rows: &Rows,
        conditions: &Conditions,
        ballots: &[Ballot],
        part: Range<usize>,
        out: &mut [u32],
    ) -> Result<(), DeviceError> {
        if part.is_empty() {
            return Ok(());
        }
        if ballots.is_empty() {
            out.fill(pellucid_data::MISSING);
            return Ok(());
        }
        let all = 0..conditions.len();
        let words = self
            .ask(rows, conditions, all, Some((ballots, part)))
            .map_err(|error| self.gpu.failed(error))?;
        out.copy_from_slice(&self.returning.words().unwrap_or_default()[..words]);
        Ok(())
    }
}
