use super::check::Sorts;
use super::{Edges, Examples, Target, World, spec};
use crate::bits::{BitRows, Bits, Block};
use crate::kernel::Tallies;
use crate::machine::Machine;
use crate::program::{Node, ProgramId, Programs, Quantifier};
use crate::session::EvaluateError;
use std::sync::Arc;

/// Says for many programs which individuals of a world they hold for.
///
/// The reasoner owns the pool of programs. What was computed is kept, so a part that many programs share is computed once.
///
/// ```
/// use pellucid_engine::data::Register;
/// use pellucid_engine::world::{Examples, Links, Reasoner, World};
/// use pellucid_engine::Machine;
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
    examples: Examples,
    /// By program: who it holds for, where that was worked out.
    extents: Vec<Option<Arc<Bits>>>,
    evaluated: u64,
}

impl Reasoner {
    /// A reasoner that works with some devices; no individual is an example yet.
    ///
    /// # Errors
    /// When no device takes the world.
    pub fn new(world: Arc<World>, _machine: &Machine) -> Result<Reasoner, EvaluateError> {
        let programs = Programs::new(world.schema());
        Ok(Reasoner {
            world,
            programs,
            sorts: Sorts::default(),
            examples: Examples::binary(&[], &[]),
            extents: Vec::new(),
            evaluated: 0,
        })
    }

    /// The world.
    #[must_use]
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// The pool of programs.
    #[must_use]
    pub fn programs(&self) -> &Programs {
        &self.programs
    }

    /// The pool of programs, to add to.
    pub fn programs_mut(&mut self) -> &mut Programs {
        &mut self.programs
    }

    /// The examples that count.
    #[must_use]
    pub fn examples(&self) -> &Examples {
        &self.examples
    }

    /// Which individuals count from now on, and for which class.
    ///
    /// # Panics
    /// When the world has no such individual.
    pub fn ask(&mut self, examples: Examples) {
        let there = |&individual: &u32| (individual as usize) < self.world.len();
        assert!(examples.individuals().iter().all(there), "examples are individuals of the world");
        self.examples = examples;
    }

    /// Empties the pool and everything remembered about it; all ids of programs lose their meaning.
    pub fn forget_programs(&mut self) {
        self.programs.clear();
        self.sorts.clear();
        self.extents.clear();
    }

    /// How many programs were answered so far.
    #[must_use]
    pub fn evaluated(&self) -> u64 {
        self.evaluated
    }

    /// The individuals that each program holds for.
    ///
    /// # Errors
    /// When a program asks values about classes or individuals about values, or no device is left.
    pub fn cover(&mut self, roots: &[ProgramId]) -> Result<BitRows, EvaluateError> {
        self.prepare(roots)?;
        let len = self.world.len();
        let blocks: Vec<Block> =
            roots.iter().flat_map(|&root| self.extent(root).blocks().to_vec()).collect();
        Ok(BitRows::from_blocks(blocks, roots.len(), len))
    }

    /// The examples, in their order, that each program holds for.
    ///
    /// # Errors
    /// As [`Reasoner::cover`].
    pub fn cover_examples(&mut self, roots: &[ProgramId]) -> Result<BitRows, EvaluateError> {
        self.prepare(roots)?;
        let mut rows = BitRows::zeros(roots.len(), self.examples.len());
        for (row, &root) in roots.iter().enumerate() {
            let extent = self.extent(root);
            for (place, &individual) in self.examples.individuals().iter().enumerate() {
                if extent.get(individual as usize) {
                    rows.set(row, place);
                }
            }
        }
        Ok(rows)
    }

    /// For each program, how many examples of each class it holds for.
    ///
    /// # Errors
    /// As [`Reasoner::cover`].
    pub fn tally(&mut self, roots: &[ProgramId]) -> Result<Tallies, EvaluateError> {
        let covered = self.cover_examples(roots)?;
        let classes = self.examples.classes();
        let mut tallies = Tallies::zeros(roots.len(), classes);
        for (root, counts) in tallies.counts_mut().chunks_exact_mut(classes).enumerate() {
            for example in covered.ones(root) {
                counts[self.examples.codes()[example] as usize] += 1;
            }
        }
        Ok(tallies)
    }

    fn prepare(&mut self, roots: &[ProgramId]) -> Result<(), EvaluateError> {
        self.sorts.extend(&self.world, &self.programs);
        for &root in roots {
            self.sorts.check(&self.world, &self.programs, root)?;
        }
        self.extents.resize(self.programs.len(), None);
        self.evaluated += roots.len() as u64;
        Ok(())
    }

    fn extent(&mut self, root: ProgramId) -> Arc<Bits> {
        if let Some(known) = &self.extents[root.index()] {
            return Arc::clone(known);
        }
        let len = self.world.len();
        let world = Arc::clone(&self.world);
        let combine = |parts: Vec<Arc<Bits>>, and: bool| -> Bits {
            let mut blocks = parts[0].blocks().to_vec();
            for part in &parts[1..] {
                for (to, from) in blocks.iter_mut().zip(part.blocks()) {
                    for (to, from) in to.0.iter_mut().zip(from.0) {
                        *to = if and { *to & from } else { *to | from };
                    }
                }
            }
            Bits::from_blocks(blocks, len)
        };
        let bits = match self.programs.node(root) {
            Node::Constant(true) => Bits::ones_of(len),
            Node::Constant(false) => Bits::zeros(len),
            Node::Leaf(column, _) if column == world.individual_column() => {
                let holds = |individual| spec::holds(&world, &self.programs, root, individual);
                (0..world.individuals().len()).map(|individual| holds(individual as u32)).collect()
            }
            Node::Leaf(column, _) => world.classes()[column as usize].clone(),
            Node::Not(operand) => not(&self.extent(operand)),
            Node::And(operands) => {
                let operands = operands.to_vec();
                combine(operands.iter().map(|&operand| self.extent(operand)).collect(), true)
            }
            Node::Or(operands) => {
                let operands = operands.to_vec();
                combine(operands.iter().map(|&operand| self.extent(operand)).collect(), false)
            }
            Node::Related { quantifier, role, inverse, filler } => match world.target(role) {
                Target::Individuals(role) => {
                    let links = &world.roles()[role];
                    let edges = if inverse { &links.inverse } else { &links.forward };
                    related(edges, quantifier, &self.extent(filler))
                }
                Target::Values(property) => {
                    let edges = &world.properties()[property].edges;
                    let programs = &self.programs;
                    let set: Bits = (0..edges.object_count())
                        .map(|value| spec::value_holds(&world, programs, filler, property, value))
                        .collect();
                    related(edges, quantifier, &set)
                }
            },
        };
        let bits = Arc::new(bits);
        self.extents[root.index()] = Some(Arc::clone(&bits));
        bits
    }
}

fn not(bits: &Bits) -> Bits {
    let blocks = bits.blocks().iter().map(|block| Block(block.0.map(|word| !word))).collect();
    Bits::from_blocks(blocks, bits.len())
}

fn related(edges: &Edges, quantifier: Quantifier, filler: &Bits) -> Bits {
    #[expect(clippy::cast_possible_truncation)]
    (0..edges.subject_count() as u32)
        .map(|subject| {
            let fillers = edges.of(subject);
            let hits = fillers.iter().filter(|&&object| filler.get(object as usize)).count();
            match quantifier {
                Quantifier::Some => hits > 0,
                Quantifier::Only => hits == fillers.len(),
                Quantifier::Min(count) => hits >= count as usize,
                Quantifier::Max(count) => hits <= count as usize,
                Quantifier::Exactly(count) => hits == count as usize,
            }
        })
        .collect()
}
