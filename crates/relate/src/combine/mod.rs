//! Conjunctions, disjunctions and negations of known answers, for all individuals or for the
//! examples.
//!
//! With many blocks the planner for table formulas computes them. With few blocks, planning would
//! take longer than the work itself, and they are computed one after the other (`few_blocks`).

mod few_blocks;
#[cfg(test)]
mod tests;

use few_blocks::{Steps, TakeSteps};
use pellucid_bits::{Block, Level, as_u32};
use pellucid_cover::plan::{Combinations, Term};
use pellucid_program::{Node, ProgramId, Programs};
use rustc_hash::FxHashMap;

/// The number of blocks from which the planner pays off. For 1,000 programs it took 1.7 times as
/// long with 40 blocks of examples, and a fifth of the time with 400.
const PLANNED_BLOCKS: usize = 64;

/// What to do with the bits of the roots.
pub(super) enum CombineOutput<'a> {
    /// Write them, one row per root.
    Bits { rows: Vec<&'a mut [Block]> },
    /// Add the counts of each class to `counts[root * classes + class]`. The masks of the classes
    /// of a block are adjacent.
    Counts { masks: &'a [Block], classes: usize, counts: &'a mut [u64] },
}

/// Programs to compute from known answers.
pub(super) struct Combine<'a> {
    pub(super) programs: &'a Programs,
    /// In ascending order. Contains all parts of the roots without a known answer.
    pub(super) nodes: &'a [ProgramId],
    pub(super) roots: &'a [ProgramId],
    pub(super) blocks: usize,
}

impl Combine<'_> {
    /// Computes the roots from the known answers.
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
            given.push(known(id).expect("operands are known or computed before"));
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
                given.push(known(id).expect("operands are known or computed before"));
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
