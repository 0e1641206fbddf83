//! Bundles: the steps that eight formulas run together.

use crate::gpu::argument::{BUNDLE, QUARTERS};
use crate::plan::{Groups, Plan};
use pellucid_bits::as_u32;

/// The number of 16-bit tokens in a step: four for each formula.
pub(super) const STEP_TOKENS: usize = 4 * BUNDLE;

/// The common shape of eight formulas, and its steps.
#[derive(Debug, Default)]
pub(super) struct Bundle {
    /// The lengths of the conjunctions, shortest first.
    shape: Vec<u32>,
    /// The shape of the bundle before. Most bundles have the same steps as the one before.
    previous: Vec<u32>,
    steps: Steps,
}

/// The steps of a bundle.
#[derive(Debug, Default)]
struct Steps {
    /// By index of a token in a formula: its position, counted from the first step of the bundle.
    positions: Vec<u32>,
    /// The kind of each step.
    kinds: Vec<u16>,
}

impl Bundle {
    /// Sets the shape of up to eight formulas, and its steps.
    pub(super) fn set(&mut self, plan: &Plan, formulas: &[(u32, Groups)]) {
        std::mem::swap(&mut self.shape, &mut self.previous);
        self.shape.clear();
        for &(_, groups) in formulas {
            // The longest conjunctions are aligned, because formulas are sorted with the shortest
            // first.
            let (lengths, _) = plan.groups(groups);
            if self.shape.len() < lengths.len() {
                self.shape.resize(lengths.len(), 0);
            }
            for (most, &length) in self.shape.iter_mut().zip(lengths.iter().rev()) {
                *most = length.max(*most);
            }
        }
        self.shape.reverse();
        if self.shape != self.previous {
            self.steps.set(&self.shape);
        }
    }

    /// Writes the interleaved steps of all formulas.
    pub(super) fn write(&self, plan: &Plan, formulas: &[(u32, Groups)], out: &mut Vec<u16>) {
        let Steps { positions, kinds } = &self.steps;
        if kinds.is_empty() {
            return;
        }
        let (zero, one) = (token(plan.slots()), token(plan.slots() + 1));
        let start = out.len();
        // Unused tokens are always false.
        out.resize(start + kinds.len() * STEP_TOKENS, zero);
        let out = &mut out[start..];
        for (index, &(_, groups)) in formulas.iter().enumerate() {
            let out = &mut out[index % QUARTERS * 8 + index / QUARTERS * 4..];
            let (lengths, literals) = plan.groups(groups);
            if lengths == self.shape {
                // The common case: no padding, and a single loop.
                for (&slot, &position) in literals.iter().zip(positions) {
                    out[position as usize] = token(slot as usize);
                }
                continue;
            }
            let missing = self.shape.len() - lengths.len();
            let skipped = self.shape[..missing].iter().sum::<u32>() as usize;
            let (mut positions, mut literals) = (&positions[skipped..], literals);
            for (&length, &most) in lengths.iter().zip(&self.shape[missing..]) {
                let (group, rest) = literals.split_at(length as usize);
                let (here, next) = positions.split_at(most as usize);
                let (used, padding) = here.split_at(length as usize);
                for (&slot, &position) in group.iter().zip(used) {
                    out[position as usize] = token(slot as usize);
                }
                padding.iter().for_each(|&position| out[position as usize] = one);
                (literals, positions) = (rest, next);
            }
        }
        // The kind of a step is in the upper bits of the first two tokens of each quarter.
        for (step, &kind) in out.chunks_exact_mut(STEP_TOKENS).zip(kinds) {
            for quarter in step.chunks_exact_mut(STEP_TOKENS / QUARTERS) {
                quarter[0] |= (kind & 3) << 14;
                quarter[1] |= (kind >> 2) << 14;
            }
        }
    }
}

impl Steps {
    /// Sets the steps of formulas whose conjunctions have the given lengths.
    fn set(&mut self, mut shape: &[u32]) {
        self.positions.clear();
        self.kinds.clear();
        loop {
            // The kernel defines these kinds.
            let taken = match shape {
                [] => return,
                [1, 1, 1, 1, ..] => self.step(6, 4, 4),
                [1, 1, 1, ..] => self.step(5, 3, 3),
                [1, 1, ..] => self.step(4, 2, 2),
                [2, 2, ..] => self.step(7, 4, 2),
                [length @ 1..=4, ..] => self.step(short(length - 1), *length, 1),
                [length, ..] => {
                    self.step(8, 4, 1);
                    let mut left = length - 4;
                    while left > 4 {
                        self.step(9, 4, 1);
                        left -= 4;
                    }
                    self.step(9 + short(left), left, 1)
                }
            };
            shape = &shape[taken..];
        }
    }

    /// Adds a step that uses `tokens` tokens. Returns the number of conjunctions that it ends.
    fn step(&mut self, kind: u16, tokens: u32, conjunctions: usize) -> usize {
        let first = as_u32(self.kinds.len() * STEP_TOKENS);
        self.positions.extend(first..first + tokens);
        self.kinds.push(kind);
        conjunctions
    }
}

/// Returns a slot as encoded in steps: in units of 16 bytes. There are at most 2,048 slots.
#[expect(clippy::cast_possible_truncation)]
fn token(slot: usize) -> u16 {
    (slot * 8) as u16
}

/// Converts a number of tokens. A conjunction ends with at most four.
#[expect(clippy::cast_possible_truncation)]
fn short(number: u32) -> u16 {
    number as u16
}
