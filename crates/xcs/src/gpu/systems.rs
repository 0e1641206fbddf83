//! Systems on a GPU: uploaded once, run in slices of steps, downloaded at the end.

use super::argument::{LIVE, LOCKSTEP, LearnerRecord};
use super::contract::AnswerCounts;
use super::layout::{LEARNER_WORDS, Layout, header, put};
use super::{Inputs, Lockstep, OpenSystems, State, SystemSetup, Table};
use pellucid_device::DeviceError;
use pellucid_device::gpu::{
    Buffer, Card, CardError, Grid, OpenGpu, Pass, Stage, Stored, read_record, sent, write_record,
};
use std::time::Duration;

/// The number of threads per block: the leading warp, and three warps that help to match. With more threads,
/// registers would limit the number of blocks: 396 learners took 0.33 s with 128 threads and 0.59 s with 256.
const THREADS: usize = 128;

/// The number of systems that are uploaded or downloaded at a time.
const BATCH: usize = 32;

/// Systems on a GPU.
#[derive(Debug)]
pub(super) struct SystemsOnGpu<C: Card> {
    gpu: OpenGpu<C>,
    layout: Layout,
    /// The number of words of a condition and the source of the inputs, by system.
    own_words: Vec<usize>,
    inputs: Vec<Inputs>,
    headers: C::Memory,
    /// The content of `headers` after the last transfer.
    known: Vec<LearnerRecord>,
    states: C::Memory,
    sets: C::Memory,
    tables: Vec<(C::Memory, C::Memory)>,
    orders: Buffer<C>,
    outgoing: Stage<C>,
    returning: Stage<C>,
}

impl<C: Card> SystemsOnGpu<C> {
    pub(super) fn new(
        gpu: OpenGpu<C>,
        open: &OpenSystems<'_>,
    ) -> Result<SystemsOnGpu<C>, CardError> {
        gpu.card.load(&LOCKSTEP)?;
        let systems = open.systems;
        let most = |of: fn(&SystemSetup) -> usize| systems.iter().map(of).max();
        // Additional slots for rules that are added before others are deleted.
        let slots = most(|system| {
            let (population, labels) = (system.constants.population, system.constants.labels);
            (population as usize + labels as usize + 8).max(system.state.rules.len())
        });
        let own_words: Vec<usize> =
            systems.iter().map(|system| words_for(system.constants.columns)).collect();
        let words = own_words.iter().max().map_or(1, |words| words.next_power_of_two());
        let limits = gpu.card.limits();
        let layout = Layout::new(limits, systems.len(), slots.unwrap_or(1), words);
        let layout = layout.ok_or_else(|| {
            CardError::Refused(format!(
                "a population of {} rules does not fit in the shared memory of a block ({} bytes)",
                slots.unwrap_or(1),
                limits.shared_bytes
            ))
        })?;
        let bytes = 4 * systems.len() * (layout.state_words + layout.set_words + LEARNER_WORDS);
        gpu.check_room(|| format!("a batch of {} learners", systems.len()), bytes)?;
        let tables = open.tables.iter().map(|table| send_table(&gpu.card, table, words));
        let tables = tables.collect::<Result<Vec<_>, CardError>>()?;
        let mut known = Vec::with_capacity(systems.len());
        for system in systems {
            let table = match system.inputs {
                Inputs::Multiplexer(_) => (Stored::default(), Stored::default()),
                Inputs::Table(number) => {
                    let (rows, labels) = tables.get(number).ok_or_else(|| {
                        CardError::Refused(format!(
                            "found a system with table {number}; expected a number below {}",
                            tables.len()
                        ))
                    })?;
                    (OpenGpu::<C>::stored(rows, 0), OpenGpu::<C>::stored(labels, 0))
                }
            };
            known.push(header(system, table));
        }
        let states = gpu.card.allocate((systems.len() * layout.state_words).max(1))?;
        send_states(&gpu, &layout, systems, &own_words, &states)?;
        Ok(SystemsOnGpu {
            headers: gpu.card.allocate((systems.len() * LEARNER_WORDS).max(1))?,
            states,
            sets: gpu.card.allocate((systems.len() * layout.set_words).max(1))?,
            inputs: systems.iter().map(|system| system.inputs).collect(),
            gpu,
            layout,
            own_words,
            known,
            tables,
            orders: Buffer::default(),
            outgoing: Stage::default(),
            returning: Stage::default(),
        })
    }

    /// Writes the headers and the row numbers for a run to the staging memory.
    fn write(&mut self, steps: &[u32], orders: &[u32]) -> Result<(), CardError> {
        let card = &self.gpu.card;
        let arrived = self.orders.at_least(card, orders.len().max(1))?;
        let number = self.known.len() * LEARNER_WORDS;
        let stage = self.outgoing.at_least(card, number + orders.len())?;
        let mut order = 0;
        let to = stage.chunks_exact_mut(LEARNER_WORDS);
        for (((own, inputs), &steps), to) in
            self.known.iter_mut().zip(&self.inputs).zip(steps).zip(to)
        {
            (own.asked, own.right, own.steps) = (0, 0, steps);
            if let Inputs::Table(_) = inputs {
                own.order = OpenGpu::<C>::stored(arrived, order);
                order += steps as usize;
            }
            write_record(own, to);
        }
        stage[number..number + orders.len()].copy_from_slice(orders);
        Ok(())
    }

    fn run_steps(
        &mut self,
        steps: &[u32],
        explores: bool,
        orders: &[u32],
    ) -> Result<(), CardError> {
        let systems = self.inputs.len();
        if systems == 0 {
            return Ok(());
        }
        let shown = self.inputs.iter().zip(steps);
        let shown = shown.filter(|(inputs, _)| matches!(inputs, Inputs::Table(_)));
        let shown: usize = shown.map(|(_, &steps)| steps as usize).sum();
        if orders.len() != shown || steps.len() != systems {
            return Err(CardError::Refused(format!(
                "found {} rows for {} systems; expected {shown} rows for {systems} systems",
                orders.len(),
                steps.len()
            )));
        }
        self.write(steps, orders)?;
        let SystemsOnGpu { gpu, layout, headers, states, sets, tables, .. } = self;
        let (card, layout, tables) = (&gpu.card, &*layout, &*tables);
        let (headers, states, sets) = (&*headers, &*states, &*sets);
        let number = systems * LEARNER_WORDS;
        let all = number + orders.len();
        let stage = &*self.outgoing.at_least(card, all)?;
        let arrived = self.orders.at_least(card, orders.len().max(1))?;
        let returning = self.returning.at_least(card, number)?;
        let grid = Grid {
            blocks: systems,
            threads: card.limits().threads.clamp(32, THREADS),
            shared_bytes: layout.shared_bytes,
        };
        Pass::record(card, |pass| {
            pass.upload(stage, 0..number, headers, 0)?;
            pass.upload(stage, number..all, arrived, 0)?;
            // Headers contain the addresses of rows, labels and orders.
            pass.keep(arrived);
            for (rows, labels) in tables {
                pass.keep(rows);
                pass.keep(labels);
            }
            let mut work = layout.work();
            work.learners = pass.all(headers);
            (work.states, work.sets) = (pass.all(states), pass.all(sets));
            work.explores = u32::from(explores);
            pass.launch(LIVE[layout.words.trailing_zeros() as usize], grid, &work)?;
            pass.download(headers, 0, returning, number)
        })?;
        for (own, words) in self.known.iter_mut().zip(returning.chunks_exact(LEARNER_WORDS)) {
            *own = read_record(words);
        }
        Ok(())
    }

    /// Downloads the systems in batches, which are read on all threads.
    fn fetch(&mut self) -> Result<Vec<State>, CardError> {
        let SystemsOnGpu { gpu, layout, known, states, own_words, .. } = self;
        let (systems, each) = (own_words.len(), layout.state_words);
        let mut all = Vec::with_capacity(systems);
        for first in (0..systems).step_by(BATCH) {
            let some = BATCH.min(systems - first);
            let stage = self.returning.at_least(&gpu.card, some * each)?;
            let (at, words) = (first * each, some * each);
            Pass::record(&gpu.card, |pass| pass.fetch(states, at, stage, words))?;
            let stage = &stage[..words];
            all.extend(gpu.threads.map(some, |place| {
                let header = &known[first + place];
                let stretch = &stage[place * each..(place + 1) * each];
                layout.read(header, own_words[first + place], stretch)
            }));
        }
        Ok(all)
    }
}

/// Uploads the states of systems in batches, which are written on all threads. Empty populations are not
/// uploaded.
fn send_states<C: Card>(
    gpu: &OpenGpu<C>,
    layout: &Layout,
    systems: &[SystemSetup],
    own_words: &[usize],
    to: &C::Memory,
) -> Result<(), CardError> {
    let (card, each) = (&gpu.card, layout.state_words);
    let mut stage = Stage::<C>::default();
    for (number, some) in systems.chunks(BATCH).enumerate() {
        if some.iter().all(|system| system.state.rules.is_empty()) {
            continue;
        }
        let first = number * BATCH;
        let stage = stage.at_least(card, BATCH * each)?;
        let mut stretches: Vec<&mut [u32]> =
            stage[..some.len() * each].chunks_exact_mut(each).collect();
        gpu.threads.each(&mut stretches, |place, stretch| {
            layout.write(&some[place].state, own_words[first + place], stretch);
        });
        let (stage, words) = (&*stage, some.len() * each);
        Pass::record(card, |pass| pass.upload(stage, 0..words, to, first * each))?;
    }
    Ok(())
}

impl<C: Card> Lockstep for SystemsOnGpu<C> {
    fn run(
        &mut self,
        steps: &[u32],
        explores: bool,
        orders: &[u32],
    ) -> Result<Vec<AnswerCounts>, DeviceError> {
        let done = self.run_steps(steps, explores, orders);
        done.map_err(|error| self.gpu.failed(error))?;
        let counts = |own: &LearnerRecord| AnswerCounts { asked: own.asked, right: own.right };
        Ok(self.known.iter().map(counts).collect())
    }

    fn states(&mut self) -> Result<Vec<State>, DeviceError> {
        let found = self.fetch();
        found.map_err(|error| self.gpu.failed(error))
    }

    fn take_time(&mut self) -> Option<Duration> {
        self.gpu.card.take_time(true)
    }
}

/// Returns the number of 64-bit words for a number of columns.
fn words_for(columns: u32) -> usize {
    columns.div_ceil(64).max(1) as usize
}

/// Uploads a table: for every row, words of values and as many words that mark values that are not missing;
/// and the labels.
fn send_table<C: Card>(
    card: &C,
    table: &Table,
    words: usize,
) -> Result<(C::Memory, C::Memory), CardError> {
    let rows = table.labels.len();
    let own_words = table.rows.len().checked_div(2 * rows).unwrap_or(1).max(1);
    let mut all = vec![0; 4 * words * rows];
    for (row, to) in table.rows.chunks(2 * own_words).zip(all.chunks_mut(4 * words)) {
        for (half, from) in row.chunks(own_words).enumerate() {
            for (word, &bits) in from.iter().enumerate() {
                put(&mut to[2 * (half * words + word)..], bits);
            }
        }
    }
    Ok((sent(card, &all)?, sent(card, &table.labels)?))
}
