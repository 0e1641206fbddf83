//! Systems on a card: sent once, run slice by slice, fetched at the end.

use super::Settle;
use super::layout::{LEARNER_WORDS, Layout, ORDER, SAID, STEPS, Seen, header, put};
use crate::gpu::{LOCKSTEP, live};
use crate::lockstep::{Inputs, Lockstep, Said, State, Table, Villager};
use pellucid_device::DeviceError;
use pellucid_device::gpu::{Buffer, Card, CardError, Launch, OpenGpu, Queue, Stage, Used, sent};
use std::time::Duration;

/// Threads of a block: the leader, and three warps that help to match. With more, their registers would leave room for fewer
/// blocks: 396 learners took 0.33 s with 128 threads and 0.59 with 256.
const THREADS: usize = 128;

/// Systems that are sent and fetched at a time.
const TOGETHER: usize = 32;

/// Systems on a card.
#[derive(Debug)]
pub(super) struct Village<C: Card> {
    gpu: OpenGpu<C>,
    layout: Layout,
    /// How many words a condition has, and what each system sees, by system.
    own_words: Vec<usize>,
    inputs: Vec<Inputs>,
    headers: C::Memory,
    /// What lies in `headers`, as it was sent or returned.
    known: Vec<u32>,
    states: C::Memory,
    sets: C::Memory,
    tables: Vec<(C::Memory, C::Memory)>,
    orders: Buffer<C>,
    outgoing: Stage<C>,
    returning: Stage<C>,
}

impl<C: Card> Village<C> {
    pub(super) fn new(gpu: OpenGpu<C>, settle: &Settle<'_>) -> Result<Village<C>, CardError> {
        gpu.card.load(&LOCKSTEP)?;
        let systems = settle.systems;
        let most = |of: fn(&Villager) -> usize| systems.iter().map(of).max();
        // Rooms for those that come before others go.
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
                "a population of {} rules does not fit the shared memory of a block, {} bytes",
                slots.unwrap_or(1),
                limits.shared_bytes
            ))
        })?;
        let bytes = 4 * systems.len() * (layout.state_words + layout.set_words + LEARNER_WORDS);
        gpu.check_room(|| format!("a batch of {} learners", systems.len()), bytes)?;
        let tables = settle.tables.iter().map(|table| send_table(&gpu.card, table, words));
        let tables = tables.collect::<Result<Vec<_>, CardError>>()?;
        let mut known = Vec::with_capacity(systems.len() * LEARNER_WORDS);
        for system in systems {
            let seen = match system.inputs {
                Inputs::Multiplexer(_) => Seen::default(),
                Inputs::Table(number) => {
                    let (rows, labels) = tables.get(number).ok_or_else(|| {
                        CardError::Refused(format!(
                            "a system learns from table {number}, which is not there"
                        ))
                    })?;
                    Seen { rows: C::address(rows), labels: C::address(labels), order: 0 }
                }
            };
            known.extend(header(system, seen));
        }
        let states = gpu.card.allocate((systems.len() * layout.state_words).max(1))?;
        send_states(&gpu, &layout, systems, &own_words, &states)?;
        Ok(Village {
            headers: sent(&gpu.card, &known)?,
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

    fn live(&mut self, steps: &[u32], explores: bool, orders: &[u32]) -> Result<(), CardError> {
        let Village { gpu, layout, headers, known, states, sets, tables, .. } = self;
        let (card, systems) = (&gpu.card, self.inputs.len());
        if systems == 0 {
            return Ok(());
        }
        let shown = self.inputs.iter().zip(steps);
        let shown = shown.filter(|(inputs, _)| matches!(inputs, Inputs::Table(_)));
        let shown: usize = shown.map(|(_, &steps)| steps as usize).sum();
        if orders.len() != shown || steps.len() != systems {
            return Err(CardError::Refused(format!(
                "{systems} systems are to be shown {shown} rows, found {} for {}",
                orders.len(),
                steps.len()
            )));
        }
        let (all, number) = (known.len() + orders.len(), known.len());
        let arrived = self.orders.at_least(card, orders.len().max(1))?;
        let mut order = C::address(arrived);
        let own = known.chunks_exact_mut(LEARNER_WORDS).zip(&self.inputs).zip(steps);
        for ((own, inputs), &steps) in own {
            own[SAID..SAID + 2].fill(0);
            own[STEPS] = steps;
            if let Inputs::Table(_) = inputs {
                put(&mut own[ORDER..], order);
                order += 4 * u64::from(steps);
            }
        }
        let stage = self.outgoing.at_least(card, all)?;
        stage[..number].copy_from_slice(known);
        stage[number..all].copy_from_slice(orders);
        let returning = self.returning.at_least(card, number)?;
        let mut work = layout.work();
        (work.learners, work.states) = (C::address(headers), C::address(states));
        work.sets = C::address(sets);
        work.explores = u32::from(explores);
        let mut uses = vec![
            Used::new(&*headers, number),
            Used::new(&*states, systems * layout.state_words),
            Used::new(&*sets, systems * layout.set_words),
            Used::new(arrived, orders.len()),
        ];
        for (rows, labels) in &*tables {
            uses.extend([rows, labels].map(|memory| Used::new(memory, C::words(memory))));
        }
        let launch = Launch {
            kernel: live(layout.words),
            blocks: systems,
            threads: card.limits().threads.clamp(32, THREADS),
            shared_bytes: layout.shared_bytes,
        };
        // All memory was taken above: what grows now would be another than what was queued.
        let queued = (|| {
            // SAFETY: both are kept in `self` and not touched before the work is finished.
            unsafe { card.copy_in(Queue::Work, stage, 0..number, headers, 0) }?;
            // SAFETY: as above.
            unsafe { card.copy_in(Queue::Work, stage, number..all, arrived, 0) }?;
            // SAFETY: everything that `work` and the headers name is among what it uses and kept in `self`; the work is
            // finished below whatever happens.
            unsafe { card.launch(launch, &work, &uses) }?;
            // SAFETY: as for the copies above.
            unsafe { card.copy_out(Queue::Work, headers, 0, returning, number) }
        })();
        queued.and(card.finish(Queue::Work))?;
        known.copy_from_slice(&returning[..number]);
        Ok(())
    }

    /// Fetches some systems at a time, which are read on all threads.
    fn fetch(&mut self) -> Result<Vec<State>, CardError> {
        let Village { gpu, layout, known, states, own_words, .. } = self;
        let (systems, each) = (own_words.len(), layout.state_words);
        let mut all = Vec::with_capacity(systems);
        for first in (0..systems).step_by(TOGETHER) {
            let some = TOGETHER.min(systems - first);
            let stage = self.returning.at_least(&gpu.card, some * each)?;
            let (at, words) = (first * each, some * each);
            // SAFETY: both are kept in `self` and not touched before the copy is finished, one line below.
            let copied = unsafe { gpu.card.copy_out(Queue::Work, states, at, stage, words) };
            copied.and(gpu.card.finish(Queue::Work))?;
            let stage = &stage[..words];
            all.extend(gpu.threads.map(some, |place| {
                let header = &known[(first + place) * LEARNER_WORDS..][..LEARNER_WORDS];
                let stretch = &stage[place * each..(place + 1) * each];
                layout.read(header, own_words[first + place], stretch)
            }));
        }
        Ok(all)
    }
}

/// Sends how systems stand, some of them at a time, written on all threads. Of those that know nothing there is nothing to send.
fn send_states<C: Card>(
    gpu: &OpenGpu<C>,
    layout: &Layout,
    systems: &[Villager],
    own_words: &[usize],
    to: &C::Memory,
) -> Result<(), CardError> {
    let (card, each) = (&gpu.card, layout.state_words);
    let mut stage = Stage::<C>::default();
    for (number, some) in systems.chunks(TOGETHER).enumerate() {
        if some.iter().all(|system| system.state.rules.is_empty()) {
            continue;
        }
        let first = number * TOGETHER;
        let stage = stage.at_least(card, TOGETHER * each)?;
        let mut stretches: Vec<&mut [u32]> =
            stage[..some.len() * each].chunks_exact_mut(each).collect();
        gpu.threads.each(&mut stretches, |place, stretch| {
            layout.write(&some[place].state, own_words[first + place], stretch);
        });
        // SAFETY: both stay as they are until the copy is finished, one line below.
        let copied =
            unsafe { card.copy_in(Queue::Work, stage, 0..some.len() * each, to, first * each) };
        copied.and(card.finish(Queue::Work))?;
    }
    Ok(())
}

impl<C: Card> Lockstep for Village<C> {
    fn run(
        &mut self,
        steps: &[u32],
        explores: bool,
        orders: &[u32],
    ) -> Result<Vec<Said>, DeviceError> {
        let done = self.live(steps, explores, orders);
        done.map_err(|error| self.gpu.failed(error))?;
        let said = |header: &[u32]| Said { asked: header[SAID], right: header[SAID + 1] };
        Ok(self.known.chunks_exact(LEARNER_WORDS).map(said).collect())
    }

    fn states(&mut self) -> Result<Vec<State>, DeviceError> {
        let found = self.fetch();
        found.map_err(|error| self.gpu.failed(error))
    }

    fn take_time(&mut self) -> Option<Duration> {
        self.gpu.card.take_time(true)
    }
}

/// Words of 64 columns.
fn words_for(columns: u32) -> usize {
    columns.div_ceil(64).max(1) as usize
}

/// A table as the kernel takes it: so many words of values and as many of what is known for every row, and labels.
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
