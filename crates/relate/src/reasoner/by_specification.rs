//! Evaluation by the specification, one individual and one node at a time: slow, but a reference.

use super::Reasoner;
use crate::{ReasonError, Residency, Target, World, spec};
use pellucid_bits::{BLOCK_BITS, BitRows, Block, Level, as_u32, blocks_for};
use pellucid_cover::Tallies;
use pellucid_device::{Hardware, Machine, Work};
use pellucid_program::{Node, ProgramId, Programs};
use std::collections::HashMap;
use std::ops::Range;

/// Returns whether all devices of a machine are CPUs at the scalar level.
pub(super) fn is_requested(machine: &Machine) -> bool {
    machine.devices.iter().all(|device| match device.hardware() {
        Hardware::Processor(processor) => processor.level() == Level::Scalar,
        Hardware::Gpu(_) => false,
    })
}

impl Reasoner {
    /// Returns the individuals for which each program is true.
    pub(super) fn cover_by_specification(
        &mut self,
        roots: &[ProgramId],
    ) -> Result<BitRows, ReasonError> {
        let all_individuals: Vec<u32> = (0..as_u32(self.world.len())).collect();
        self.evaluate_by_specification(roots, &all_individuals)
    }

    /// Returns the examples for which each program is true.
    pub(super) fn cover_examples_by_specification(
        &mut self,
        roots: &[ProgramId],
    ) -> Result<BitRows, ReasonError> {
        let examples = self.example_masks.examples.individuals().to_vec();
        self.evaluate_by_specification(roots, &examples)
    }

    /// Counts the examples of each class for which each program is true.
    pub(super) fn count_by_specification(
        &mut self,
        roots: &[ProgramId],
        tallies: &mut Tallies,
    ) -> Result<(), ReasonError> {
        let rows = self.cover_examples_by_specification(roots)?;
        let classes = self.example_masks.examples.classes();
        for (root, counts) in tallies.counts_mut().chunks_exact_mut(classes).enumerate() {
            for example in rows.ones(root) {
                counts[self.example_masks.examples.codes()[example] as usize] += 1;
            }
        }
        Ok(())
    }

    /// Returns which of some individuals each program is true for. Runs as work of the devices, so
    /// that their failures are handled as usual.
    fn evaluate_by_specification(
        &mut self,
        roots: &[ProgramId],
        individuals: &[u32],
    ) -> Result<BitRows, ReasonError> {
        let Reasoner { world, programs, executor, threads, .. } = self;
        let stride = blocks_for(individuals.len());
        let mut bits = vec![Block::ZERO; roots.len() * stride];
        if stride == 0 {
            return Ok(BitRows::from_blocks(bits, roots.len(), 0));
        }
        let fillers = Fillers::of(world, programs, roots);
        executor.run(Work {
            items: roots.len(),
            width: stride,
            unit: 1.0,
            out: &mut bits,
            work: |_: &mut (dyn Residency + 'static), part: Range<usize>, out: &mut [Block]| {
                let roots = roots[part].iter();
                let mut rows: Vec<_> = roots.zip(out.chunks_exact_mut(stride)).collect();
                threads.each(&mut rows, |_, (root, row)| {
                    row.fill(Block::ZERO);
                    for (place, &individual) in individuals.iter().enumerate() {
                        if fillers.answer(world, programs, **root, individual) {
                            row[place / BLOCK_BITS].set(place % BLOCK_BITS);
                        }
                    }
                });
                Ok(())
            },
        })?;
        Ok(BitRows::from_blocks(bits, roots.len(), individuals.len()))
    }
}

/// The individuals for which each filler of a restriction is true. Each filler is evaluated once
/// for all individuals. Otherwise every nested restriction would multiply the work by the number of
/// edges.
struct Fillers(HashMap<ProgramId, Vec<bool>>);

impl Fillers {
    fn of(world: &World, programs: &Programs, roots: &[ProgramId]) -> Fillers {
        let mut fillers = Fillers(HashMap::new());
        roots.iter().for_each(|&root| fillers.add_within(world, programs, root));
        fillers
    }

    /// Adds the fillers within a program, innermost first.
    fn add_within(&mut self, world: &World, programs: &Programs, program: ProgramId) {
        match programs.node(program) {
            Node::Constant(_) | Node::Leaf(..) => {}
            Node::Not(operand) => self.add_within(world, programs, operand),
            Node::And(operands) | Node::Or(operands) => {
                operands.iter().for_each(|&operand| self.add_within(world, programs, operand));
            }
            Node::Related { role, filler, .. } => {
                let leads_to_individuals = matches!(world.target(role), Target::Individuals(_));
                if leads_to_individuals && !self.0.contains_key(&filler) {
                    self.add_within(world, programs, filler);
                    let individuals = 0..as_u32(world.len());
                    let set = individuals.map(|one| self.answer(world, programs, filler, one));
                    let set = set.collect();
                    self.0.insert(filler, set);
                }
            }
        }
    }

    /// Returns whether a program is true for an individual.
    fn answer(&self, world: &World, programs: &Programs, root: ProgramId, individual: u32) -> bool {
        let filler_holds = |filler: ProgramId, other: u32| self.0[&filler][other as usize];
        spec::holds_by(world, programs, root, individual, &filler_holds)
    }
}
