//! The reasoner: evaluates many programs at once.

mod answer;
mod front;
mod plain;
mod specified;
mod store;
#[cfg(test)]
mod tests;

use super::Residency;
use super::check::Sorts;
use super::combine::{Combine, CombineOutput};
use super::needs::{Mark, Needs, Survey};
use super::{Examples, World};
use crate::ReasonError;
use front::Front;
use pellucid_bits::Level;
use pellucid_bits::{BitRows, Bits, Block, blocks_for};
use pellucid_cover::Tallies;
use pellucid_cover::plan::Combinations;
use pellucid_device::{Device, DeviceError, Executor, Hardware, Machine, Threads};
use pellucid_program::{Node, ProgramId, Programs};
use plain::Plain;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;
use store::{Store, ValueStore};

/// Finds the individuals of a world for which each of many programs is true.
///
/// The reasoner owns the pool of programs. It keeps its results, so a part that many programs share
/// is computed once.
///
/// ```
/// use pellucid_data::Register;
/// use pellucid_device::Machine;
/// use pellucid_relate::{Examples, Links, Reasoner, World};
/// use std::sync::Arc;
/// let people: Register = ["anna", "bert", "carl"].into_iter().collect();
/// let world = World::new(Arc::new(people))
///     .class("female", [true, false, false].into_iter().collect())
///     .role("hasChild", Links::new(3, vec![[0, 1], [1, 2]]));
/// let mut reasoner = Reasoner::new(Arc::new(world), &Machine::processor(None)?)?;
/// let mother = reasoner.programs_mut().parse("female and some hasChild (true)")?;
/// let grandparent = reasoner.programs_mut().parse("some hasChild (some hasChild (true))")?;
/// assert_eq!(reasoner.cover(&[mother, grandparent])?.ones(0).collect::<Vec<_>>(), [0]);
/// reasoner.ask(Examples::binary(&[0], &[1, 2]));
/// assert_eq!(reasoner.tally(&[grandparent])?.of(0), [0, 1]); // no negative, one positive
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reasoner {
    world: Arc<World>,
    programs: Programs,
    sorts: Sorts,
    survey: Survey,
    front: Front,
    level: Level,
    threads: Arc<Threads>,
    executor: Executor<dyn Residency>,
    /// The answers for all individuals.
    everybody: Store,
    /// The answers for the examples.
    shown: Store,
    /// Sets of values, by data property and condition.
    values: ValueStore,
    plain: Plain,
    /// The memory of the planner that combines bits.
    combinations: RefCell<Combinations>,
    /// The maximum number of bytes kept between batches.
    memory: usize,
    /// Whether the specification evaluates the programs, one individual at a time.
    by_specification: bool,
    evaluated: u64,
}

/// The default maximum number of bytes kept between batches.
const MEMORY: usize = 1 << 30;
/// The number of programs that are evaluated together, limited so that their parts fit into memory.
const TOGETHER: std::ops::RangeInclusive<usize> = 64..=65_536;
/// The number of blocks of examples from which restrictions are only counted, without keeping their
/// answers.
const MANY_BLOCKS: usize = 64;

/// Returns the SIMD level of the CPU of the machine, or of this process if the machine has only
/// GPUs.
fn level_of(machine: &Machine) -> Result<Level, DeviceError> {
    let of = |device: &Device| match device.hardware() {
        Hardware::Processor(processor) => Some(processor.level()),
        Hardware::Gpu(_) => None,
    };
    match machine.devices.iter().find_map(of) {
        Some(level) => Ok(level),
        None => Level::chosen().map_err(|error| DeviceError::new("cpu", error.to_string())),
    }
}

impl Reasoner {
    /// Creates a reasoner on the devices of a machine, without examples.
    ///
    /// # Errors
    /// If no device can load the world.
    pub fn new(world: Arc<World>, machine: &Machine) -> Result<Reasoner, ReasonError> {
        let level = level_of(machine)?;
        let executor = Executor::new(machine, |hardware| crate::open(hardware, &world))?;
        let programs = Programs::new(world.schema());
        Ok(Reasoner {
            programs,
            sorts: Sorts::default(),
            survey: Survey::default(),
            front: Front::new(Examples::binary(&[], &[]), world.len()),
            level,
            executor,
            everybody: Store::default(),
            shown: Store::default(),
            values: ValueStore::default(),
            threads: Arc::clone(&machine.threads),
            plain: Plain::new(machine),
            combinations: RefCell::default(),
            memory: MEMORY,
            by_specification: specified::asked_of(machine),
            evaluated: 0,
            world,
        })
    }

    /// Returns the world.
    #[must_use]
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// Returns the pool of programs.
    #[must_use]
    pub fn programs(&self) -> &Programs {
        &self.programs
    }

    /// Returns the pool of programs, to add programs to it.
    pub fn programs_mut(&mut self) -> &mut Programs {
        &mut self.programs
    }

    /// Returns the examples.
    #[must_use]
    pub fn examples(&self) -> &Examples {
        &self.front.examples
    }

    /// Sets the examples that later calls evaluate and count.
    ///
    /// # Panics
    /// If an example is not an individual of the world.
    pub fn ask(&mut self, examples: Examples) {
        let there = |&individual: &u32| (individual as usize) < self.world.len();
        assert!(examples.individuals().iter().all(there), "examples are individuals of the world");
        self.plain.ask(&examples, self.world.len());
        self.front = Front::new(examples, self.world.len());
        self.shown.clear();
    }

    /// Removes all programs and everything stored about them. All program ids become invalid.
    pub fn forget_programs(&mut self) {
        self.programs.clear();
        self.sorts.clear();
        self.survey.clear();
        self.plain.forget();
        self.forget_answers();
    }

    /// Discards all stored answers but keeps the programs. The next call computes everything again.
    pub fn forget_answers(&mut self) {
        self.everybody.clear();
        self.shown.clear();
        self.values.clear();
        self.plain.forget_counts();
    }

    /// Returns the number of programs evaluated so far.
    #[must_use]
    pub fn evaluated(&self) -> u64 {
        self.evaluated
    }

    /// Returns the total compute time of the devices since the last call, or `None` if no device
    /// measures it. The first call starts the measurement; it continues as long as `go_on` is true.
    pub fn take_device_time(&mut self, go_on: bool) -> Option<Duration> {
        let times = self.executor.residents().filter_map(|resident| resident.take_time(go_on));
        times.reduce(|sum, time| sum + time)
    }

    /// Returns the individuals for which each program is true.
    ///
    /// # Errors
    /// If a program applies a condition on classes to values or a condition on values to
    /// individuals, or if no device is left.
    pub fn cover(&mut self, roots: &[ProgramId]) -> Result<BitRows, ReasonError> {
        self.prepare(roots)?;
        if self.by_specification {
            return self.specified(roots);
        }
        let mut blocks: Vec<Block> = Vec::with_capacity(roots.len() * blocks_for(self.world.len()));
        for piece in roots.chunks(self.together()) {
            self.make_room();
            let needs = self.needs(piece, Mark::EVERYBODY);
            self.answer(&needs, &[])?;
            for &root in piece {
                blocks.extend_from_slice(self.known(root).blocks());
            }
        }
        Ok(BitRows::from_blocks(blocks, roots.len(), self.world.len()))
    }

    /// Returns the examples, in their order, for which each program is true.
    ///
    /// # Errors
    /// See [`Reasoner::cover`].
    pub fn cover_examples(&mut self, roots: &[ProgramId]) -> Result<BitRows, ReasonError> {
        self.prepare(roots)?;
        let stride = self.front.blocks();
        if stride == 0 {
            return Ok(BitRows::from_blocks(Vec::new(), roots.len(), 0));
        }
        if self.by_specification {
            return self.specified_examples(roots);
        }
        let mut bits = vec![Block::ZERO; roots.len() * stride];
        for (number, piece) in roots.chunks(self.together()).enumerate() {
            self.make_room();
            let needs = self.needs(piece, Mark::EXAMPLES);
            self.answer(&needs, &[])?;
            let first = number * self.together() * stride;
            let bits = &mut bits[first..first + piece.len() * stride];
            let rows = bits.chunks_exact_mut(stride).collect();
            self.combine(&self.shown, stride, &needs.examples, piece, CombineOutput::Bits { rows });
        }
        Ok(BitRows::from_blocks(bits, roots.len(), self.front.len()))
    }

    /// Counts the examples of each class for which each program is true.
    ///
    /// # Errors
    /// See [`Reasoner::cover`].
    pub fn tally(&mut self, roots: &[ProgramId]) -> Result<Tallies, ReasonError> {
        self.prepare(roots)?;
        let classes = self.front.examples.classes();
        let mut tallies = Tallies::zeros(roots.len(), classes);
        if self.front.examples.is_empty() {
            return Ok(tallies);
        }
        if self.by_specification {
            self.specified_counts(roots, &mut tallies)?;
            return Ok(tallies);
        }
        if self.plain.takes(roots) {
            return Ok(self.tally_plain(roots)?);
        }
        let together = self.together();
        let pieces =
            tallies.counts_mut().chunks_mut(together * classes).zip(roots.chunks(together));
        for (counts, piece) in pieces {
            self.make_room();
            self.tally_piece(piece, counts)?;
        }
        Ok(tallies)
    }

    fn tally_piece(&mut self, roots: &[ProgramId], counts: &mut [u64]) -> Result<(), ReasonError> {
        let classes = self.front.examples.classes();
        let mut needs = self.needs(roots, Mark::EXAMPLES);
        let alone = self.restrictions_alone(roots, &needs);
        needs.examples.retain(|id| alone.binary_search(id).is_err());
        let counted = self.answer(&needs, &alone)?;
        let (mut places, mut combined) = (Vec::new(), Vec::new());
        for (place, &root) in roots.iter().enumerate() {
            match alone.binary_search(&root) {
                Ok(number) => {
                    let found = &counted[number * classes..(number + 1) * classes];
                    counts[place * classes..(place + 1) * classes].copy_from_slice(found);
                }
                Err(_) => {
                    places.push(place);
                    combined.push(root);
                }
            }
        }
        let mut found = vec![0; combined.len() * classes];
        let wanted =
            CombineOutput::Counts { masks: self.front.masks(), classes, counts: &mut found };
        self.combine(&self.shown, self.front.blocks(), &needs.examples, &combined, wanted);
        for (found, place) in found.chunks_exact(classes).zip(places) {
            counts[place * classes..(place + 1) * classes].copy_from_slice(found);
        }
        Ok(())
    }

    /// Returns the restrictions among the roots that are not part of other programs. With many
    /// examples these are only counted.
    fn restrictions_alone(&self, roots: &[ProgramId], needs: &Needs) -> Vec<ProgramId> {
        if self.front.blocks() < MANY_BLOCKS {
            return Vec::new();
        }
        let mut parts: Vec<ProgramId> = Vec::new();
        for &id in needs.examples.iter().chain(&needs.everybody) {
            match self.programs.node(id) {
                Node::Not(operand) => parts.push(operand),
                Node::And(operands) | Node::Or(operands) => parts.extend(operands),
                Node::Constant(_) | Node::Leaf(..) | Node::Related { .. } => {}
            }
        }
        parts.extend(&needs.everybody);
        parts.sort_unstable();
        let alone = |root: &ProgramId| {
            matches!(self.programs.node(*root), Node::Related { .. })
                && parts.binary_search(root).is_err()
                && needs.examples.binary_search(root).is_ok()
        };
        let mut alone: Vec<ProgramId> = roots.iter().copied().filter(alone).collect();
        alone.sort_unstable();
        alone.dedup();
        alone
    }

    fn prepare(&mut self, roots: &[ProgramId]) -> Result<(), ReasonError> {
        self.sorts.extend(&self.world, &self.programs);
        self.survey.extend(&self.programs);
        self.plain.extend(&self.world, &self.programs);
        for &root in roots {
            self.sorts.check(&self.world, &self.programs, root)?;
        }
        self.evaluated += roots.len() as u64;
        Ok(())
    }

    /// Returns the number of programs to evaluate together.
    fn together(&self) -> usize {
        let bytes = blocks_for(self.world.len()) * size_of::<Block>();
        (self.memory / 4 / bytes.max(1)).clamp(*TOGETHER.start(), *TOGETHER.end())
    }

    /// Discards the stored answers if they take too much memory.
    fn make_room(&mut self) {
        if self.everybody.bytes() + self.shown.bytes() + self.values.bytes() > self.memory {
            self.forget_answers();
        }
    }

    fn needs(&mut self, roots: &[ProgramId], mark: Mark) -> Needs {
        let Reasoner { world, programs, survey, everybody, shown, .. } = self;
        let roots = roots.iter().map(|&root| (root, mark));
        survey.needs(world, programs, roots, |id, mark| {
            let store = if mark == Mark::EVERYBODY { &*everybody } else { &*shown };
            store.get(id).is_some()
        })
    }

    /// Returns the answer of a program for all individuals.
    fn known(&self, id: ProgramId) -> &Arc<Bits> {
        self.everybody.get(id).expect("operands are answered before the programs that use them")
    }

    /// Combines known answers, of all individuals or of the examples.
    fn combine(
        &self,
        known: &Store,
        blocks: usize,
        nodes: &[ProgramId],
        roots: &[ProgramId],
        wanted: CombineOutput<'_>,
    ) {
        let combine = Combine { programs: &self.programs, nodes, roots, blocks };
        let known = |id| known.get(id).map(|bits| bits.blocks());
        combine.run(&mut self.combinations.borrow_mut(), self.level, known, wanted);
    }
}
