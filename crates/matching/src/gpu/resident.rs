//! Examples on a GPU, matched with conditions by the kernels of `kernels/survey.cu`.

use super::argument::{
    CodeColumn, CodeTest, ConditionVote, IS_SET, LAY_PLANES, MATCH_ROWS, SURVEY, SurveyWork,
    VOTE_ROWS,
};
use crate::survey::{Ballot, Conditions, Residency, Rows};
use crate::{CodedExamples, Test};
use pellucid_bits::as_u32;
use pellucid_device::DeviceError;
use pellucid_device::gpu::{
    Buffer, Card, CardError, GpuTask, Grid, OpenGpu, Pass, Stage, record_words, sent, write_record,
};
use std::ops::Range;
use std::sync::Arc;

/// The number of threads per block, by kernel.
const LAY_THREADS: usize = 256;
const COVER_THREADS: usize = 256;
const VOTE_THREADS: usize = 1024;
/// The number of blocks per multiprocessor.
const BLOCKS_PER_MULTIPROCESSOR: usize = 8;
/// The sizes of a column, a test and a vote in words.
const COLUMN_WORDS: usize = record_words::<CodeColumn>();
const TEST_WORDS: usize = record_words::<CodeTest>();
const VOTE_WORDS: usize = record_words::<ConditionVote>();

/// Copies examples to a GPU.
pub(crate) struct SendExamples<'a>(pub(crate) &'a Arc<CodedExamples>);

impl GpuTask for SendExamples<'_> {
    type Output = Box<dyn Residency>;

    fn run<C: Card>(self, gpu: OpenGpu<C>) -> Result<Box<dyn Residency>, CardError> {
        gpu.card.load(&SURVEY)?;
        Ok(Box::new(ExamplesOnGpu::new(gpu, self.0)?))
    }
}

/// Examples on a GPU.
#[derive(Debug)]
struct ExamplesOnGpu<C: Card> {
    gpu: OpenGpu<C>,
    examples: usize,
    columns: usize,
    /// The number of planes, including those that mark values that are not missing.
    planes_wanted: usize,
    codes: C::Memory,
    /// The first plane and the number of bits of each column.
    table: C::Memory,
    /// The number of the selection of rows that is laid out.
    laid: Option<u64>,
    rows: Buffer<C>,
    planes: Buffer<C>,
    arrived: Buffer<C>,
    results: Buffer<C>,
    outgoing: Stage<C>,
    returning: Stage<C>,
}

impl<C: Card> ExamplesOnGpu<C> {
    fn new(gpu: OpenGpu<C>, examples: &CodedExamples) -> Result<ExamplesOnGpu<C>, CardError> {
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
        let mut table = vec![0; COLUMN_WORDS * columns];
        for (domain, to) in examples.domains().iter().zip(table.chunks_exact_mut(COLUMN_WORDS)) {
            let (bits, is_set) = (domain.bits(), if domain.is_set { IS_SET } else { 0 });
            let first = as_u32(planes_wanted);
            write_record(&CodeColumn { first, bits: as_u32(bits) | is_set }, to);
            planes_wanted += bits + 1;
        }
        Ok(ExamplesOnGpu {
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

    /// Matches conditions with rows. Without ballots, the result has one word per 32 rows for each condition.
    /// With ballots, it has the elected label of each row in a range of words. Returns the size of the result
    /// in words.
    fn ask(
        &mut self,
        rows: &Rows,
        conditions: &Conditions,
        part: Range<usize>,
        ballots: Option<(&[Ballot], Range<usize>)>,
    ) -> Result<usize, CardError> {
        let (starts, tests) = conditions.part(part.clone());
        let (ballots, range) = ballots.map_or((&[][..], None), |(of, to)| (of, Some(to)));
        let words = rows.list().len().div_ceil(32);
        let is_laid = self.laid == Some(rows.number());
        let test_end = starts.len() + TEST_WORDS * tests.len();
        let sizes = Sizes {
            conditions: part.len(),
            starts: starts.len(),
            test_end,
            sent: test_end + VOTE_WORDS * ballots.len(),
            rows: rows.list().len(),
            fresh_rows: if is_laid { 0 } else { rows.list().len() },
            words,
            results: match &range {
                None => part.len() * words,
                Some(range) => 32 * range.len(),
            },
        };
        self.write(&sizes, rows, starts, tests, ballots)?;
        self.laid = None;
        self.queue(&sizes, range)?;
        self.laid = Some(rows.number());
        Ok(sizes.results)
    }

    /// Writes the input of the kernels to the staging memory.
    fn write(
        &mut self,
        sizes: &Sizes,
        rows: &Rows,
        starts: &[u32],
        tests: &[Test],
        ballots: &[Ballot],
    ) -> Result<(), CardError> {
        let all = sizes.sent + sizes.fresh_rows;
        let stage = self.outgoing.at_least(&self.gpu.card, all)?;
        for (to, start) in stage.iter_mut().zip(starts) {
            *to = start - starts[0];
        }
        let to = stage[sizes.starts..sizes.test_end].chunks_exact_mut(TEST_WORDS);
        for (to, test) in to.zip(tests) {
            write_record(&CodeTest { column: test.attribute, low: test.low, high: test.high }, to);
        }
        let to = stage[sizes.test_end..sizes.sent].chunks_exact_mut(VOTE_WORDS);
        for (to, &Ballot { label, votes, .. }) in to.zip(ballots) {
            write_record(&ConditionVote { label, votes }, to);
        }
        stage[sizes.sent..all].copy_from_slice(&rows.list()[..sizes.fresh_rows]);
        Ok(())
    }

    /// Queues the kernels: votes on a range of words of rows, or matches.
    fn queue(&mut self, sizes: &Sizes, votes: Option<Range<usize>>) -> Result<(), CardError> {
        // All memory is allocated before anything is queued, because growing a buffer moves it.
        let card = &self.gpu.card;
        let all = sizes.sent + sizes.fresh_rows;
        let stage = &*self.outgoing.at_least(card, all)?;
        let arrived = self.arrived.at_least(card, sizes.sent)?;
        let places = self.rows.at_least(card, sizes.rows)?;
        let planes = self.planes.at_least(card, self.planes_wanted * sizes.words)?;
        let found = self.results.at_least(card, sizes.results)?;
        let returning = self.returning.at_least(card, sizes.results)?;
        let (codes, table, columns) = (&self.codes, &self.table, self.columns);
        let limits = card.limits();
        let grid = |items: usize, wide: usize| {
            let threads = limits.threads.clamp(32, wide);
            let blocks = items
                .div_ceil(threads)
                .clamp(1, limits.multiprocessors * BLOCKS_PER_MULTIPROCESSOR);
            Grid { blocks, threads, shared_bytes: 0 }
        };
        Pass::record(card, |pass| {
            pass.upload(stage, 0..sizes.sent, arrived, 0)?;
            let range = votes.clone().unwrap_or(0..0);
            let work = SurveyWork {
                codes: pass.all(codes),
                rows: pass.all(places),
                columns: pass.all(table),
                planes: pass.all(planes),
                starts: pass.part(arrived, 0..sizes.starts)?,
                tests: pass.part(arrived, sizes.starts..sizes.test_end)?,
                ballots: pass.part(arrived, sizes.test_end..sizes.sent)?,
                out: pass.all(found),
                examples: self.examples as u64,
                row_count: as_u32(sizes.rows),
                words: as_u32(sizes.words),
                column_count: as_u32(columns),
                condition_count: as_u32(sizes.conditions),
                first_word: as_u32(range.start),
                word_count: as_u32(range.len()),
            };
            if sizes.fresh_rows > 0 {
                pass.upload(stage, sizes.sent..all, places, 0)?;
                pass.launch(LAY_PLANES, grid(32 * columns * sizes.words, LAY_THREADS), &work)?;
            }
            match votes {
                Some(_) => pass.launch(VOTE_ROWS, grid(sizes.results, VOTE_THREADS), &work)?,
                None => pass.launch(MATCH_ROWS, grid(sizes.results, COVER_THREADS), &work)?,
            }
            pass.download(found, 0, returning, sizes.results)
        })
    }
}

/// The sizes of input and output, in words unless stated otherwise.
#[derive(Debug)]
struct Sizes {
    /// The number of conditions.
    conditions: usize,
    starts: usize,
    /// The end of the tests, which follow the starts.
    test_end: usize,
    /// The total size of starts, tests and votes.
    sent: usize,
    rows: usize,
    /// The number of rows to lay out, stored after the input.
    fresh_rows: usize,
    /// The number of words with one bit per row.
    words: usize,
    results: usize,
}

impl<C: Card> Residency for ExamplesOnGpu<C> {
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
