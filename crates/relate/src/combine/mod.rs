//! Conjunctions, disjunctions and negations of what is known, of everybody or of the examples: programs
//! without their restrictions.
//!
//! With many blocks they go through the planner that formulas over tables go through. With few, planning
//! would take longer than the work, and they are computed one after the other (`few_blocks`).

mod few_blocks;
#[cfg(test)]
mod tests;

use few_blocks::{Steps, TakeSteps};
use pellucid_bits::{Block, Level, as_u32};
use pellucid_cover::plan::{Combinations, Term};
use pellucid_program::{Node, ProgramId, Programs};
use rustc_hash::FxHashMap;

/// Blocks from which on the planner gains more than it takes: of 1,000 programs with 40 blocks of examples it
/// took 1.7 times as long, with 400 a fifth.
const PLANNED_BLOCKS: usize = 64;

/// What becomes of the roots' bits.
pub(super) enum CombineOutput<'a> {
    /// They are written, a row for each root.
    Bits { rows: Vec<&'a mut [Block]> },
    /// Counts of each class are added to `counts[root * classes + class]`; the masks of a block's classes lie
    /// side by side.
    Counts { masks: &'a [Block], classes: usize, counts: &'a mut [u64] },
}

/// Programs made of parts, and the bits of those that are known.
pub(super) struct Combine<'a> {
    pub(super) programs: &'a Programs,
    /// In ascending order; they hold all parts of the roots that are not known.
    pub(super) nodes: &'a [ProgramId],
    pub(super) roots: &'a [ProgramId],
    pub(super) blocks: usize,
}

impl Combine<'_> {
    /// Works out the roots from what is known.
    pub(super) fn run<'a>(
        self,
        combinations: &mut Combinations,
        level: Level,
        known: impl Fn(ProgramId) -> Option<&'a [Block]>,
        output: CombineOutput<'_>,
    ) {
        if self.roots.is_empty() {
        } else if self.blocks < PLANNED_BLOCKS {
            self.in_steps(level, known, output);
        } else {
            self.planned(combinations, level, known, output);
        }
    }

    fn in_steps<'a>(
        self,
        level: Level,
        known: impl Fn(ProgramId) -> Option<&'a [Block]>,
        output: CombineOutput<'_>,
    ) {
        let mut given: Vec<&[Block]> = Vec::new();
        let steps = Steps::new(self.programs, self.nodes, self.roots, |id| {
            given.push(known(id).expect("parts are known or worked out before"));
            as_u32(given.len() - 1)
        });
        level.run(TakeSteps { steps: &steps, given: &given, blocks: 0..self.blocks, output });
    }

    fn planned<'a>(
        self,
        combinations: &mut Combinations,
        level: Level,
        known: impl Fn(ProgramId) -> Option<&'a [Block]>,
        output: CombineOutput<'_>,
    ) {
        combinations.clear();
        let mut given: Vec<&[Block]> = Vec::new();
        let mut terms: FxHashMap<ProgramId, Term> = FxHashMap::default();
        terms.reserve(self.nodes.len());
        let mut term = |combinations: &mut Combinations, terms: &mut FxHashMap<_, _>, id| {
            *terms.entry(id).or_insert_with(|| {
                given.push(known(id).expect("parts are known or worked out before"));
                combinations.given(as_u32(given.len() - 1))
            })
        };
        let mut operands: Vec<Term> = Vec::new();
        for &id in self.nodes {
            let node = self.programs.node(id);
            let parts: &[ProgramId] = match &node {
                Node::Not(operand) => std::slice::from_ref(operand),
                Node::And(parts) | Node::Or(parts) => parts,
                Node::Constant(_) => &[],
                Node::Leaf(..) | Node::Related { .. } => continue,
            };
            operands.clear();
            operands.extend(parts.iter().map(|&part| term(combinations, &mut terms, part)));
            let made = match node {
                Node::Constant(value) => Term::constant(value),
                Node::Not(_) => !operands[0],
                Node::And(_) => combinations.all(&operands),
                _ => combinations.any(&operands),
            };
            terms.insert(id, made);
        }
        operands.clear();
        operands.extend(self.roots.iter().map(|&root| term(combinations, &mut terms, root)));
        let combined = combinations.plan(&operands);
        match output {
            CombineOutput::Bits { mut rows } => {
                combined.bits(level, &given, 0..self.blocks, &mut rows)
            }
            CombineOutput::Counts { masks, classes, counts } => {
                combined.counts(level, &given, 0..self.blocks, (masks, classes), counts);
            }
        }
        combinations.take_back(combined);
    }
}
