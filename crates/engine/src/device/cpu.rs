use super::workers::{Worker, Workers};
use super::{Batch, Device, DeviceError, DeviceKind, Resident, Threads, in_row_order};
use crate::bits::{BitRows, Block};
use crate::cpu::{Level, Sweep, Wanted, most_slots, processor_name};
use crate::kernel::{Plan, SlotOrder, Wish};
use crate::table::{Layout, TILE_BLOCKS, Table};
use crate::world::relate::Processor;
use crate::world::{Inhabited, World};
use rayon::prelude::*;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;

/// The processor: all cores, or as many as are asked for.
#[derive(Clone, Debug)]
pub struct Cpu {
    level: Level,
    workers: Arc<Workers>,
}

impl Cpu {
    /// The processor with so many threads (all there are, if none is said) and the level that
    /// [`Level::chosen`] gives.
    ///
    /// # Errors
    /// When the level asked for is not there, or the system gives no threads.
    pub fn new(threads: Option<NonZeroUsize>) -> Result<Cpu, DeviceError> {
        Cpu::on(Arc::new(Threads::new(threads)?))
    }

    /// The processor on threads that others use too, with the level that [`Level::chosen`] gives.
    ///
    /// # Errors
    /// When the level asked for is not there.
    pub fn on(threads: Arc<Threads>) -> Result<Cpu, DeviceError> {
        let level = Level::chosen().map_err(|error| failed(error.to_string()))?;
        Cpu::at(level, threads)
    }

    /// The processor with a given level.
    ///
    /// # Errors
    /// When the processor lacks the level, or the system gives no threads.
    pub fn with_level(threads: Option<NonZeroUsize>, level: Level) -> Result<Cpu, DeviceError> {
        Cpu::at(level, Arc::new(Threads::new(threads)?))
    }

    fn at(level: Level, threads: Arc<Threads>) -> Result<Cpu, DeviceError> {
        if !level.is_available() {
            return Err(failed(format!(
                "asked for {level}, this processor has {} at most",
                Level::best()
            )));
        }
        Ok(Cpu { level, workers: Arc::new(Workers::new(threads)) })
    }

    /// The instructions in use.
    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }

    /// How many threads it uses.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.workers.threads.count()
    }
}

fn failed(reason: String) -> DeviceError {
    DeviceError { device: "cpu".to_owned(), reason }
}

impl Device for Cpu {
    fn id(&self) -> &'static str {
        "cpu"
    }

    fn kind(&self) -> DeviceKind {
        DeviceKind::Processor
    }

    fn name(&self) -> String {
        processor_name().to_owned()
    }

    fn description(&self) -> String {
        let threads = self.threads();
        let plural = if threads == 1 { "" } else { "s" };
        format!("{}, {threads} thread{plural}, {}", processor_name(), self.level)
    }

    fn inhabit(&self, world: &Arc<World>) -> Result<Box<dyn Inhabited>, DeviceError> {
        let threads = Arc::clone(&self.workers.threads);
        Ok(Box::new(Processor::new(self.level, threads, Arc::clone(world))))
    }

    fn load(&self, table: &Arc<Table>) -> Result<Box<dyn Resident>, DeviceError> {
        Ok(Box::new(CpuTable { cpu: self.clone(), table: Arc::clone(table) }))
    }
}

/// A table in main memory.
#[derive(Debug)]
struct CpuTable {
    cpu: Cpu,
    table: Arc<Table>,
}

/// How many stretches of rows each thread gets: many, so that none waits long for the last, and a thread that was held up
/// leaves work to the others.
const STRETCHES: usize = 16;

/// Blocks of rows from which on a conjunction that several formulas have is worth finding.
const MANY_BLOCKS: usize = 64;

impl Resident for CpuTable {
    fn tally(&mut self, batch: &Batch<'_>, counts: &mut [u64]) -> Result<(), DeviceError> {
        let classes = batch.classes();
        if self.cpu.level == Level::Scalar {
            self.by_roots(batch, counts, |part, counts| part.plain_tally(&self.table, counts));
        } else if self.cpu.threads() == 1 {
            self.cpu.workers.lend(|worker| self.plan_and_sweep(*batch, worker, counts));
        } else if self.is_small() {
            // Few rows: planning is most of the work, so the roots are split and each thread plans its own.
            self.by_roots(batch, counts, |part, counts| {
                self.cpu.workers.lend(|worker| self.plan_and_sweep(part, worker, counts));
            });
        } else {
            let plans = self.cpu.workers.lend(|worker| self.plan(batch, worker));
            let stretches = stretches(self.table.layout(), self.cpu.threads() * STRETCHES);
            let none = || vec![0; batch.len() * classes];
            let count = |mut counts: Vec<u64>, blocks| {
                self.cpu
                    .workers
                    .lend(|worker| self.sweep(*batch, &plans, blocks, worker, &mut counts));
                counts
            };
            let sum = self.cpu.workers.install(|| {
                stretches.into_par_iter().with_max_len(1).fold(none, count).reduce_with(added)
            });
            let sum = sum.into_iter().flatten();
            counts.iter_mut().zip(sum).for_each(|(count, sum)| *count += sum);
        }
        Ok(())
    }

    fn cover(&mut self, batch: &Batch<'_>) -> Result<BitRows, DeviceError> {
        if self.cpu.level == Level::Scalar {
            return Ok(batch.plain_cover(&self.table));
        }
        let layout = self.table.layout();
        let mut bits = vec![Block::ZERO; batch.len() * layout.blocks()];
        self.cpu.workers.lend(|worker| {
            let plans = self.plan(batch, worker);
            let (blocks, scratch) = (0..layout.blocks(), &mut worker.scratch);
            let wanted = Wanted::Cover { bits: &mut bits };
            self.cpu.level.run(Sweep {
                table: &self.table,
                plans: &plans,
                blocks,
                wanted,
                scratch,
            });
        });
        Ok(in_row_order(layout, bits, batch.len()))
    }
}

impl CpuTable {
    /// Whether there are too few tiles, or panels of bags, to give every thread some.
    fn is_small(&self) -> bool {
        let threads = self.cpu.threads();
        self.table.tiles() < 2 * threads || stretches(self.table.layout(), threads).len() < threads
    }

    fn plan(&self, batch: &Batch<'_>, worker: &mut Worker) -> Vec<Plan> {
        let share = self.table.layout().blocks() >= MANY_BLOCKS;
        let wish = Wish { most: most_slots(), share, slots: SlotOrder::ByColumn };
        batch.plan(&mut worker.planners, &self.table, wish)
    }

    /// All rows on one thread.
    fn plan_and_sweep(&self, batch: Batch<'_>, worker: &mut Worker, counts: &mut [u64]) {
        let plans = self.plan(&batch, worker);
        self.sweep(batch, &plans, 0..self.table.layout().blocks(), worker, counts);
        worker.planners.take_back(plans);
    }

    fn by_roots(
        &self,
        batch: &Batch<'_>,
        counts: &mut [u64],
        work: impl Fn(Batch<'_>, &mut [u64]) + Sync,
    ) {
        if batch.is_empty() || batch.classes() == 0 {
            return;
        }
        if self.cpu.threads() == 1 {
            return work(*batch, counts);
        }
        let size = batch.len().div_ceil(self.cpu.threads());
        self.cpu.workers.install(|| {
            counts.par_chunks_mut(size * batch.classes()).enumerate().for_each(
                |(index, counts)| {
                    let first = index * size;
                    work(batch.part(first..(first + size).min(batch.len())), counts);
                },
            );
        });
    }

    fn sweep(
        &self,
        batch: Batch<'_>,
        plans: &[Plan],
        blocks: Range<usize>,
        worker: &mut Worker,
        counts: &mut [u64],
    ) {
        let wanted = Wanted::Tally { labels: batch.labels, hypothesis: batch.hypothesis, counts };
        let (table, scratch) = (&*self.table, &mut worker.scratch);
        self.cpu.level.run(Sweep { table, plans, blocks, wanted, scratch });
    }
}

fn added(mut sum: Vec<u64>, part: Vec<u64>) -> Vec<u64> {
    sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
    sum
}

/// Cuts the blocks of a table into about `parts` stretches: at tiles, or at panels where there are bags.
fn stretches(layout: &Layout, parts: usize) -> Vec<Range<usize>> {
    let step = layout.blocks().div_ceil(parts.max(1)).next_multiple_of(TILE_BLOCKS).max(1);
    let ends: Vec<usize> = match layout {
        Layout::Plain { .. } => {
            (step..layout.blocks()).step_by(step).chain([layout.blocks()]).collect()
        }
        Layout::Bags(bags) => {
            bags.panels().iter().map(|panel| panel.first_block + panel.height).collect()
        }
    };
    let mut stretches = Vec::new();
    let mut start = 0;
    for (index, &end) in ends.iter().enumerate() {
        if end - start >= step || index + 1 == ends.len() {
            stretches.push(start..end);
            start = end;
        }
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::BLOCK_BITS;
    use crate::kernel::Hypothesis;
    use crate::session::Session;
    use crate::table::{Labels, Values};

    /// Parallel iterators outside a pool would quietly take every core.
    #[test]
    fn one_thread_is_the_callers_own() {
        let rows = 10 * TILE_BLOCKS * BLOCK_BITS;
        #[expect(clippy::cast_precision_loss)]
        let numbers = (0..rows).map(|row| (row % 97) as f64).collect();
        let table = Arc::new(Table::new(vec![("x".into(), Values::Numeric(numbers))]).unwrap());
        let labels = Labels::rows(&table, &vec![0; rows], 1).unwrap();
        for level in
            Level::ALL.into_iter().filter(|level| *level != Level::Scalar && level.is_available())
        {
            let cpu = Cpu::with_level(NonZeroUsize::new(1), level).unwrap();
            let mut session =
                Session::lent(&[&cpu], Arc::clone(&table), labels.clone(), Hypothesis::Rows)
                    .unwrap();
            let root = session.programs_mut().parse("x > 50").unwrap();
            assert!(session.tally(&[root]).unwrap().of(0)[0] > 0);
            let threads = cpu.workers.lent_to.lock().unwrap().clone();
            assert_eq!(threads, [std::thread::current().id()].into(), "{level}");
        }
    }
}
