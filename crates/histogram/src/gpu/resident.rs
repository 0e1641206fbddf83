//! A table on a GPU, summed by the kernels of `kernels/histogram.cu`.

use super::argument::{
    ADD_STEPS, ADD_TOTALS, CHUNK, COLUMNS, Counted, HISTOGRAM, Item, StepBits, SumsWork,
};
use crate::{Conjunction, Group, ResidentSteps, StepSums, StepTable, StepTest, Total};
use pellucid_bits::as_u32;
use pellucid_device::DeviceError;
use pellucid_device::gpu::{
    Buffer, Card, CardError, GpuTask, Grid, Kernel, OpenGpu, Pass, Reads, Stage, record_words,
    sent, write_record,
};

/// The number of threads in a block.
const THREADS: usize = 512;
/// The number of blocks per multiprocessor.
const BLOCKS_PER_MULTIPROCESSOR: usize = 4;
/// The sizes of a condition, an item and a column in words.
const TEST_WORDS: usize = record_words::<StepBits>();
const ITEM_WORDS: usize = record_words::<Item>();
const COUNTED_WORDS: usize = record_words::<Counted>();
/// The number of sums of a conjunction, and of a step.
const TOTALS: usize = 4;
const SUMS: usize = 3;

/// Copies a table to a GPU.
pub(crate) struct SendTable<'a>(pub(crate) &'a StepTable<'a>);

impl GpuTask for SendTable<'_> {
    type Output = Box<dyn ResidentSteps>;

    fn run<C: Card>(self, gpu: OpenGpu<C>) -> Result<Box<dyn ResidentSteps>, CardError> {
        gpu.card.load(&HISTOGRAM)?;
        Ok(Box::new(TableOnGpu::new(gpu, self.0)?))
    }
}

/// The groups of a search.
#[derive(Debug)]
struct SearchGroups<C: Card> {
    group_of: Buffer<C>,
    groups: Buffer<C>,
}

impl<C: Card> Default for SearchGroups<C> {
    fn default() -> Self {
        SearchGroups { group_of: Buffer::default(), groups: Buffer::default() }
    }
}

/// A table on a GPU.
#[derive(Debug)]
struct TableOnGpu<C: Card> {
    gpu: OpenGpu<C>,
    examples: usize,
    sampled: usize,
    /// The number of steps of each column.
    counts: Vec<usize>,
    /// The distance between columns in bytes.
    stride: usize,
    steps: C::Memory,
    digests: C::Memory,
    sample: C::Memory,
    searches: Vec<SearchGroups<C>>,
    arrived: Buffer<C>,
    results: Buffer<C>,
    outgoing: Stage<C>,
    returning: Stage<C>,
}

/// The input of a kernel: items, their conditions and their columns.
#[derive(Debug, Default)]
struct Task {
    items: Vec<Item>,
    tests: Vec<StepTest>,
    counted: Vec<Counted>,
    /// The number of results, in words of 64 bits.
    results: usize,
}

impl Task {
    /// Adds conditions; returns the first and their number.
    fn add_tests(&mut self, conjunction: &Conjunction) -> (u32, u32) {
        let first = self.tests.len();
        self.tests.extend(conjunction);
        (as_u32(first), as_u32(conjunction.len()))
    }

    /// Returns the size of the input in words, and the ends of the items and the conditions.
    fn sizes(&self) -> [usize; 3] {
        let items = ITEM_WORDS * self.items.len();
        let tests = items + TEST_WORDS * self.tests.len();
        [tests + COUNTED_WORDS * self.counted.len(), items, tests]
    }

    /// Writes the input.
    fn write(&self, stage: &mut [u32]) {
        let [all, items, tests] = self.sizes();
        let to = stage[..items].chunks_exact_mut(ITEM_WORDS);
        to.zip(&self.items).for_each(|(to, item)| write_record(item, to));
        let to = stage[items..tests].chunks_exact_mut(TEST_WORDS);
        for (to, &StepTest { column, steps }) in to.zip(&self.tests) {
            write_record(&StepBits { column, steps }, to);
        }
        let to = stage[tests..all].chunks_exact_mut(COUNTED_WORDS);
        to.zip(&self.counted).for_each(|(to, counted)| write_record(counted, to));
    }
}

impl<C: Card> TableOnGpu<C> {
    fn new(gpu: OpenGpu<C>, table: &StepTable<'_>) -> Result<TableOnGpu<C>, CardError> {
        let (examples, columns) = (table.examples(), table.columns.len());
        let stride = examples.next_multiple_of(4);
        let bytes = columns * stride + 8 * examples + 4 * table.sample.len();
        gpu.check_room(|| format!("a table of {examples} examples and {columns} columns"), bytes)?;
        let mut steps = Vec::with_capacity(columns * stride / 4);
        for column in &table.columns {
            let (words, rest) = column.steps.as_chunks::<4>();
            steps.extend(words.iter().map(|&word| u32::from_le_bytes(word)));
            if !rest.is_empty() {
                let mut word = [0; 4];
                word[..rest.len()].copy_from_slice(rest);
                steps.push(u32::from_le_bytes(word));
            }
        }
        #[expect(clippy::cast_possible_truncation, reason = "halves")]
        let halves = |&digest: &u64| [digest as u32, (digest >> 32) as u32];
        let digests: Vec<u32> = table.digests.iter().flat_map(halves).collect();
        Ok(TableOnGpu {
            steps: sent(&gpu.card, &steps)?,
            digests: sent(&gpu.card, &digests)?,
            sample: sent(&gpu.card, table.sample)?,
            gpu,
            examples,
            sampled: table.sample.len(),
            counts: table.columns.iter().map(|column| column.count).collect(),
            stride,
            searches: Vec::new(),
            arrived: Buffer::default(),
            results: Buffer::default(),
            outgoing: Stage::default(),
            returning: Stage::default(),
        })
    }

    /// Copies the groups of a search to the GPU.
    fn send(&mut self, search: usize, group_of: &[u32], groups: &[Group]) -> Result<(), CardError> {
        while self.searches.len() <= search {
            self.searches.push(SearchGroups::default());
        }
        let card = &self.gpu.card;
        let (rows, words) = (group_of.len(), 2 * groups.len());
        let stage = self.outgoing.at_least(card, rows + words)?;
        stage[..rows].copy_from_slice(group_of);
        for (to, group) in stage[rows..rows + words].chunks_exact_mut(2).zip(groups) {
            let numbers = [group.gradient, group.curvature];
            to.copy_from_slice(&numbers.map(i32::cast_unsigned));
        }
        let stage = &*stage;
        let of = &mut self.searches[search];
        let to = of.group_of.at_least(card, rows)?;
        let table = of.groups.at_least(card, words)?;
        Pass::record(card, |pass| {
            pass.upload(stage, 0..rows, to, 0)?;
            pass.upload(stage, rows..rows + words, table, 0)
        })
    }

    /// Runs a kernel on a task. Returns the results.
    fn run(
        &mut self,
        kernel: Kernel<SumsWork<'static>>,
        search: usize,
        task: &Task,
        sampled: bool,
    ) -> Result<Vec<u64>, CardError> {
        let rows = if sampled { self.sampled } else { self.examples };
        if task.items.is_empty() || rows == 0 {
            return Ok(vec![0; task.results]);
        }
        let card = &self.gpu.card;
        let [all, items, tests] = task.sizes();
        let stage = self.outgoing.at_least(card, all)?;
        task.write(stage);
        let stage = &*stage;
        let arrived = self.arrived.at_least(card, all)?;
        let found = self.results.at_least(card, 2 * task.results)?;
        let returning = self.returning.at_least(card, 2 * task.results)?;
        let unset = || CardError::Refused("the groups of a search are not set".into());
        let of = self.searches.get_mut(search).ok_or_else(unset)?;
        let (group_of, groups) = (of.group_of.at_least(card, 1)?, of.groups.at_least(card, 1)?);
        let limits = card.limits();
        let tasks = task.items.len() * rows.div_ceil(CHUNK);
        let blocks = tasks.clamp(1, limits.multiprocessors * BLOCKS_PER_MULTIPROCESSOR);
        let grid = Grid { blocks, threads: limits.threads.clamp(32, THREADS), shared_bytes: 0 };
        Pass::record(card, |pass| {
            pass.upload(stage, 0..all, arrived, 0)?;
            pass.clear(found, 2 * task.results)?;
            let work = SumsWork {
                steps: pass.all(&self.steps),
                digests: pass.all(&self.digests),
                group_of: pass.all(group_of),
                groups: pass.all(groups),
                sample: if sampled { pass.all(&self.sample) } else { Reads::default() },
                items: pass.part(arrived, 0..items)?,
                tests: pass.part(arrived, items..tests)?,
                counted: pass.part(arrived, tests..all)?,
                out: pass.all(found),
                stride: self.stride as u64,
                rows: as_u32(rows),
                item_count: as_u32(task.items.len()),
            };
            pass.launch(kernel, grid, &work)?;
            pass.download(found, 0, returning, 2 * task.results)
        })?;
        let words = &self.returning.words().unwrap_or_default()[..2 * task.results];
        let number = |&[low, high]: &[u32; 2]| u64::from(low) | u64::from(high) << 32;
        Ok(words.as_chunks().0.iter().map(number).collect())
    }
}

/// Returns sums from the words of a kernel.
fn sums(gradient: u64, curvature: u64, counts: u64) -> StepSums {
    #[expect(clippy::cast_possible_truncation, reason = "halves")]
    let counts = [counts as u32, (counts >> 32) as u32];
    StepSums { gradient: gradient.cast_signed(), curvature: curvature.cast_signed(), counts }
}

impl<C: Card> ResidentSteps for TableOnGpu<C> {
    fn set_groups(
        &mut self,
        search: usize,
        group_of: &[u32],
        groups: &[Group],
    ) -> Result<(), DeviceError> {
        self.send(search, group_of, groups).map_err(|error| self.gpu.failed(error))
    }

    fn totals(
        &mut self,
        search: usize,
        conjunctions: &[Conjunction],
    ) -> Result<Vec<Total>, DeviceError> {
        let mut task = Task::default();
        for conjunction in conjunctions {
            let (first_test, tests) = task.add_tests(conjunction);
            let out = as_u32(task.results);
            task.items.push(Item { first_test, tests, out, ..Item::default() });
            task.results += TOTALS;
        }
        let found = self.run(ADD_TOTALS, search, &task, false);
        let found = found.map_err(|error| self.gpu.failed(error))?;
        let total = |&[gradient, curvature, counts, digest]: &[u64; TOTALS]| Total {
            sums: sums(gradient, curvature, counts),
            digest,
        };
        Ok(found.as_chunks().0.iter().map(total).collect())
    }

    fn step_sums(
        &mut self,
        search: usize,
        wanted: &[(Conjunction, Vec<u32>)],
        sampled: bool,
    ) -> Result<Vec<StepSums>, DeviceError> {
        let mut task = Task::default();
        for (conjunction, columns) in wanted {
            let (first_test, tests) = task.add_tests(conjunction);
            for columns in columns.chunks(COLUMNS) {
                let (first_column, out) = (as_u32(task.counted.len()), as_u32(task.results));
                for &column in columns {
                    let steps = self.counts[column as usize];
                    task.counted.push(Counted { column, steps: as_u32(steps) });
                    task.results += SUMS * (steps + 1);
                }
                let columns = as_u32(columns.len());
                task.items.push(Item { first_test, tests, first_column, columns, out });
            }
        }
        let found = self.run(ADD_STEPS, search, &task, sampled);
        let found = found.map_err(|error| self.gpu.failed(error))?;
        let of_step =
            |&[gradient, curvature, counts]: &[u64; SUMS]| sums(gradient, curvature, counts);
        Ok(found.as_chunks().0.iter().map(of_step).collect())
    }
}
