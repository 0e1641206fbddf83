//! The computation for few blocks: every program is a step, executed in order. Creating the steps
//! takes less than half the time of planning.

use super::CombineOutput;
use pellucid_bits::{Block, as_u32, count_classes};
use pellucid_bits::{Kernel, Simd};
use pellucid_program::{Node, ProgramId, Programs};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The number of blocks computed at a time, so that the results of all steps stay in the cache.
const HEIGHT: usize = 4;

/// The source of an operand: given bits, or the result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operand {
    Given(u32),
    Step(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Constant(bool),
    Not,
    And,
    Or,
}

/// The steps that compute programs from given bits.
#[derive(Debug, Default)]
pub(super) struct Steps {
    steps: Vec<(Operation, Range<u32>)>,
    operands: Vec<Operand>,
    roots: Vec<Operand>,
}

impl Steps {
    /// Creates the steps for `roots` through `nodes`, which are ascending and contain all parts.
    /// `give` returns the number of a program whose bits are given; it is called once per program.
    pub(super) fn new(
        programs: &Programs,
        nodes: &[ProgramId],
        roots: &[ProgramId],
        mut give: impl FnMut(ProgramId) -> u32,
    ) -> Steps {
        let mut steps = Steps::default();
        let mut places: FxHashMap<ProgramId, Operand> = FxHashMap::default();
        places.reserve(nodes.len());
        let mut find = |places: &mut FxHashMap<ProgramId, Operand>, id: ProgramId| {
            *places.entry(id).or_insert_with(|| Operand::Given(give(id)))
        };
        for &id in nodes {
            let node = programs.node(id);
            let (operation, operands): (_, &[ProgramId]) = match &node {
                Node::Constant(value) => (Operation::Constant(*value), &[]),
                Node::Not(operand) => (Operation::Not, std::slice::from_ref(operand)),
                Node::And(operands) => (Operation::And, operands),
                Node::Or(operands) => (Operation::Or, operands),
                Node::Leaf(..) | Node::Related { .. } => continue,
            };
            let first = as_u32(steps.operands.len());
            steps.operands.extend(operands.iter().map(|&operand| find(&mut places, operand)));
            places.insert(id, Operand::Step(as_u32(steps.steps.len())));
            steps.steps.push((operation, first..as_u32(steps.operands.len())));
        }
        steps.roots.extend(roots.iter().map(|&root| find(&mut places, root)));
        steps
    }
}

/// Executes the steps for some blocks.
pub(super) struct TakeSteps<'a> {
    pub(super) steps: &'a Steps,
    pub(super) given: &'a [&'a [Block]],
    pub(super) blocks: Range<usize>,
    pub(super) output: CombineOutput<'a>,
}

impl Kernel for TakeSteps<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let mut results = vec![[Block::ZERO; HEIGHT]; self.steps.steps.len()];
        let mut block = self.blocks.start;
        while block < self.blocks.end {
            if self.blocks.end - block >= HEIGHT {
                self.step::<S, HEIGHT>(simd, block, &mut results);
                block += HEIGHT;
            } else {
                self.step::<S, 1>(simd, block, &mut results);
                block += 1;
            }
        }
    }
}

impl TakeSteps<'_> {
    #[inline(always)]
    fn step<S: Simd, const N: usize>(
        &mut self,
        simd: S,
        block: usize,
        results: &mut [[Block; HEIGHT]],
    ) {
        let Steps { steps, operands, roots } = self.steps;
        for (step, (operation, range)) in steps.iter().enumerate() {
            let operands = &operands[range.start as usize..range.end as usize];
            let mut bits = [simd.splat(*operation == Operation::Constant(true)); N];
            if let Some((&first, others)) = operands.split_first() {
                load(simd, self.given, results, first, block, &mut bits);
                for &other in others {
                    let mut more = [simd.splat(false); N];
                    load(simd, self.given, results, other, block, &mut more);
                    for (bits, more) in bits.iter_mut().zip(more) {
                        *bits = match operation {
                            Operation::And => simd.and(*bits, more),
                            _ => simd.or(*bits, more),
                        };
                    }
                }
            }
            for (to, bits) in results[step].iter_mut().zip(bits) {
                simd.store(if *operation == Operation::Not { simd.not(bits) } else { bits }, to);
            }
        }
        for (root, &place) in roots.iter().enumerate() {
            let mut found = [simd.splat(false); N];
            load(simd, self.given, results, place, block, &mut found);
            match &mut self.output {
                CombineOutput::Bits { rows } => {
                    let at = block - self.blocks.start;
                    for (to, found) in rows[root][at..at + N].iter_mut().zip(found) {
                        simd.store(found, to);
                    }
                }
                CombineOutput::Counts { masks, classes, counts } => {
                    let masks = &masks[block * *classes..];
                    let counts = &mut counts[root * *classes..(root + 1) * *classes];
                    count_classes(simd, found, masks, counts);
                }
            }
        }
    }
}

#[inline(always)]
fn load<S: Simd, const N: usize>(
    simd: S,
    given: &[&[Block]],
    results: &[[Block; HEIGHT]],
    place: Operand,
    block: usize,
    bits: &mut [S::Bits; N],
) {
    let blocks: &[Block] = match place {
        Operand::Given(number) => &given[number as usize][block..block + N],
        Operand::Step(number) => &results[number as usize][..N],
    };
    for (bits, block) in bits.iter_mut().zip(blocks) {
        *bits = simd.load(block);
    }
}
