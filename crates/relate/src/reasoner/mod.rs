//! The reasoner: evaluates many programs at once.

mod answer;
mod by_specification;
mod class_table;
mod example_masks;
mod groups;
mod places;
mod store;
#[cfg(test)]
mod tests;

use super::Residency;
use super::check::Sorts;
use super::combine::{Combine, CombineOutput};
use super::needs::{Mark, Needs, Survey};
use super::{LabeledIndividuals, World};
use crate::ReasonError;
use class_table::ClassTable;
use example_masks::ExampleMasks;
use groups::LastQuestions;
use pellucid_bits::Level;
use pellucid_bits::{BitRows, Bits, Block, blocks_for};
use pellucid_cover::Tallies;
use pellucid_cover::plan::Combinations;
use pellucid_device::{Executor, Machine, Threads};
use pellucid_program::{Node, ProgramId, Programs};
use places::Places;
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
/// use pellucid_relate::{LabeledIndividuals, Links, Reasoner, World};
/// use std::sync::Arc;
/// let people: Register = ["anna", "bert", "carl"].into_iter().collect();
/// let world = World::new(Arc::new(people))
///     .class("female", [true, false, false].into_iter().collect())
///     .role("hasChild", Links::new(3, vec![[0, 1], [1, 2]]));
/// let mut reasoner = Reasoner::new(Arc::new(world), &Machine::processor(None)?)?;
/// let mother = reasoner.programs_mut().parse("female and some hasChild (true)")?;
/// let grandparent = reasoner.programs_mut().parse("some hasChild (some hasChild (true))")?;
/// assert_eq!(reasoner.cover(&[mother, grandparent])?.ones(0).collect::<Vec<_>>(), [0]);
/// reasoner.ask(LabeledIndividuals::binary(&[0], &[1, 2]));
/// assert_eq!(reasoner.tally(&[grandparent])?.of(0), [0, 1]); // no negative, one positive
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reasoner {
    world: Arc<World>,
    programs: Programs,
    sorts: Sorts,
    survey: Survey,
    example_masks: ExampleMasks,
    level: Level,
    threads: Arc<Threads>,
    executor: Executor<dyn Residency>,
    /// The answers for all individuals.
    all_answers: Store,
    /// The answers for the examples.
    example_answers: Store,
    /// Sets of values, by data property and condition.
    values: ValueStore,
    class_table: ClassTable,
    /// The restrictions that are only counted, during a call.
    counted: Places,
    /// The questions that are collected, during a call.
    last_questions: LastQuestions,
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

impl Reasoner {
    /// Creates a reasoner on the devices of a machine, without examples.
    ///
    /// # Errors
    /// If no device can load the world.
    pub fn new(world: Arc<World>, machine: &Machine) -> Result<Reasoner, ReasonError> {
        let level = machine.level();
        let executor = Executor::new(machine, |hardware| crate::open(hardware, &world))?;
        let programs = Programs::new(world.schema());
        Ok(Reasoner {
            programs,
            sorts: Sorts::default(),
            survey: Survey::default(),
            example_masks: ExampleMasks::new(LabeledIndividuals::binary(&[], &[]), world.len()),
            level,
            executor,
            all_answers: Store::default(),
            example_answers: Store::default(),
            values: ValueStore::default(),
            threads: Arc::clone(&machine.threads),
            class_table: ClassTable::new(machine),
            counted: Places::default(),
            last_questions: LastQuestions::default(),
            combinations: RefCell::default(),
            memory: MEMORY,
            by_specification: by_specification::is_requested(machine),
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
    pub fn examples(&self) -> &LabeledIndividuals {
        &self.example_masks.examples
    }

    /// Sets the examples that later calls evaluate and count.
    ///
    /// # Panics
    /// If an example is not an individual of the world.
    pub fn ask(&mut self, examples: LabeledIndividuals) {
        let there = |&individual: &u32| (individual as usize) < self.world.len();
        assert!(examples.individuals().iter().all(there), "examples are individuals of the world");
        self.class_table.ask(&examples, self.world.len());
        self.example_masks = ExampleMasks::new(examples, self.world.len());
        self.example_answers.clear();
    }

    /// Removes all programs and everything stored about them. All program ids become invalid.
    pub fn forget_programs(&mut self) {
        self.programs.clear();
        self.sorts.clear();
        self.survey.clear();
        self.class_table.forget();
        self.forget_answers();
    }

    /// Discards all stored answers but keeps the programs. The next call computes everything again.
    pub fn forget_answers(&mut self) {
        self.all_answers.clear();
        self.example_answers.clear();
        self.values.clear();
        self.class_table.forget_counts();
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
            return self.cover_by_specification(roots);
        }
        let mut blocks: Vec<Block> = Vec::with_capacity(roots.len() * blocks_for(self.world.len()));
        for piece in roots.chunks(self.together()) {
            self.make_room();
            let needs = self.needs(piece, Mark::ALL);
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
        let stride = self.example_masks.blocks();
        if stride == 0 {
            return Ok(BitRows::from_blocks(Vec::new(), roots.len(), 0));
        }
        if self.by_specification {
            return self.cover_examples_by_specification(roots);
        }
        let mut bits = vec![Block::ZERO; roots.len() * stride];
        for (number, piece) in roots.chunks(self.together()).enumerate() {
            self.make_room();
            let needs = self.needs(piece, Mark::EXAMPLES);
            self.answer(&needs, &[])?;
            let first = number * self.together() * stride;
            let bits = &mut bits[first..first + piece.len() * stride];
            let rows = bits.chunks_exact_mut(stride).collect();
            self.combine(
                &self.example_answers,
                stride,
                &needs.examples,
                piece,
                CombineOutput::Bits { rows },
            );
        }
        Ok(BitRows::from_blocks(bits, roots.len(), self.example_masks.len()))
    }

    /// Counts the examples of each class for which each program is true.
    ///
    /// # Errors
    /// See [`Reasoner::cover`].
    pub fn tally(&mut self, roots: &[ProgramId]) -> Result<Tallies, ReasonError> {
        self.prepare(roots)?;
        let classes = self.example_masks.examples.classes();
        let mut tallies = Tallies::zeros(roots.len(), classes);
        if self.example_masks.examples.is_empty() {
            return Ok(tallies);
        }
        if self.by_specification {
            self.count_by_specification(roots, &mut tallies)?;
            return Ok(tallies);
        }
        if self.class_table.accepts(roots) {
            return Ok(self.tally_class_table(roots)?);
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
        let classes = self.example_masks.examples.classes();
        let mut needs = self.needs(roots, Mark::EXAMPLES);
        let alone = self.restrictions_alone(roots, &needs);
        self.counted.set(&alone);
        needs.examples.retain(|&id| !self.counted.contains(id));
        let counted = self.answer(&needs, &alone);
        let (mut places, mut combined) = (Vec::new(), Vec::new());
        if let Ok(counted) = &counted {
            for (place, &root) in roots.iter().enumerate() {
                if let Some(number) = self.counted.of(root) {
                    let found = &counted[number * classes..(number + 1) * classes];
                    counts[place * classes..(place + 1) * classes].copy_from_slice(found);
                } else {
                    places.push(place);
                    combined.push(root);
                }
            }
        }
        self.counted.clear(&alone);
        counted?;
        if combined.is_empty() {
            return Ok(());
        }
        let mut found = vec![0; combined.len() * classes];
        let wanted = CombineOutput::Counts {
            masks: self.example_masks.masks(),
            classes,
            counts: &mut found,
        };
        self.combine(
            &self.example_answers,
            self.example_masks.blocks(),
            &needs.examples,
            &combined,
            wanted,
        );
        for (found, place) in found.chunks_exact(classes).zip(places) {
            counts[place * classes..(place + 1) * classes].copy_from_slice(found);
        }
        Ok(())
    }

    /// Returns the restrictions among the roots that are not part of other programs. With many
    /// examples these are only counted.
    fn restrictions_alone(&self, roots: &[ProgramId], needs: &Needs) -> Vec<ProgramId> {
        if self.example_masks.blocks() < MANY_BLOCKS {
            return Vec::new();
        }
        let mut parts: Vec<ProgramId> = Vec::new();
        for &id in needs.examples.iter().chain(&needs.all) {
            match self.programs.node(id) {
                Node::Not(operand) => parts.push(operand),
                Node::And(operands) | Node::Or(operands) => parts.extend(operands),
                Node::Constant(_) | Node::Leaf(..) | Node::Related { .. } => {}
            }
        }
        parts.extend(&needs.all);
        parts.sort_unstable();
        let alone = |root: &ProgramId| {
            matches!(self.programs.node(*root), Node::Related { .. })
                && parts.binary_search(root).is_err()
                && self.example_answers.get(*root).is_none()
        };
        let mut alone: Vec<ProgramId> = roots.iter().copied().filter(alone).collect();
        alone.sort_unstable();
        alone.dedup();
        alone
    }

    fn prepare(&mut self, roots: &[ProgramId]) -> Result<(), ReasonError> {
        self.sorts.extend(&self.world, &self.programs);
        self.survey.extend(&self.programs);
        self.class_table.extend(&self.world, &self.programs);
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
        if self.all_answers.bytes() + self.example_answers.bytes() + self.values.bytes()
            > self.memory
        {
            self.forget_answers();
        }
    }

    fn needs(&mut self, roots: &[ProgramId], mark: Mark) -> Needs {
        let Reasoner { world, programs, survey, all_answers, example_answers, .. } = self;
        let roots = roots.iter().map(|&root| (root, mark));
        survey.needs(world, programs, roots, |id, mark| {
            let store = if mark == Mark::ALL { &*all_answers } else { &*example_answers };
            store.get(id).is_some()
        })
    }

    /// Returns the answer of a program for all individuals.
    fn known(&self, id: ProgramId) -> &Arc<Bits> {
        self.all_answers.answered(id)
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
