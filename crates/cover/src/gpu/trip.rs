//! A trip to the GPU: the program of some roots, and the memory that its kernels use.

use super::argument::{CoverWork, SLOT_WORDS, counter_planes};
use super::encode::{self, Extent, Program, Sections};
use crate::plan::Hypothesis;
use pellucid_bits::as_u32;
use pellucid_device::gpu::{Buffer, Card, CardError, Pass, Stage};

/// The memory of a trip, kept for later ones.
#[derive(Debug)]
pub(super) struct Trip<C: Card> {
    pub(super) program: ProgramMemory<C>,
    pub(super) counters: Counters<C>,
}

impl<C: Card> Default for Trip<C> {
    fn default() -> Self {
        let program = ProgramMemory { outgoing: Stage::default(), received: Buffer::default() };
        Trip { program, counters: Counters { memory: Buffer::default(), words: 0 } }
    }
}

/// Memory for counts, followed by a program.
#[derive(Debug)]
pub(super) struct ProgramMemory<C: Card> {
    outgoing: Stage<C>,
    received: Buffer<C>,
}

/// A program that is queued for the GPU.
#[derive(Debug)]
pub(super) struct SentProgram<'a, C: Card> {
    /// The argument of the kernels, without the parts of the table.
    pub(super) work: CoverWork<'a>,
    pub(super) extent: Extent,
    /// The memory of the program, and of the counts before it.
    pub(super) memory: &'a C::Memory,
}

impl<C: Card> ProgramMemory<C> {
    /// Queues the upload of programs, as one. Before it come `zeros` zeros, in which
    /// kernels count. Both are one copy, because a driver call takes as long as thousands of zeros.
    pub(super) fn send<'a, 'p>(
        &'a mut self,
        card: &C,
        pass: &mut Pass<'a, C>,
        programs: impl Iterator<Item = &'p Program>,
        zeros: usize,
    ) -> Result<SentProgram<'a, C>, CardError> {
        let programs: Vec<&Program> = programs.collect();
        let extent = encode::extent(&programs);
        // All lists of the program are aligned to its start.
        let first = zeros.next_multiple_of(encode::ALIGNMENT);
        let words = first + extent.words;
        let stage = self.outgoing.at_least(card, words)?;
        stage[..first].fill(0);
        let sections = encode::write(&programs, &mut stage[first..]);
        let received = self.received.at_least(card, words)?;
        pass.upload(stage, 0..words, received, 0)?;
        let Sections { plans, jobs, leaves, levels, starts, targets, steps } = sections;
        let at = |word: usize| first + word..words;
        let work = CoverWork {
            plans: pass.part(received, at(plans))?,
            jobs: pass.part(received, at(jobs))?,
            leaves: pass.part(received, at(leaves))?,
            levels: pass.part(received, at(levels))?,
            starts: pass.part(received, at(starts))?,
            targets: pass.part(received, at(targets))?,
            steps: pass.part(received, at(steps))?,
            plan_count: as_u32(extent.plans),
            ..CoverWork::default()
        };
        Ok(SentProgram { work, extent, memory: received })
    }
}

/// Memory in which the kernels count the covered rows of bags.
#[derive(Debug)]
pub(super) struct Counters<C: Card> {
    memory: Buffer<C>,
    words: usize,
}

impl<C: Card> Counters<C> {
    /// Returns memory for up to `blocks` blocks of threads, and the number of blocks that it is
    /// enough for. Every block has its own counters. If little memory is left, fewer blocks run.
    pub(super) fn for_blocks(
        &mut self,
        card: &C,
        hypothesis: Hypothesis,
        extent: Extent,
        blocks: usize,
    ) -> Result<(&C::Memory, usize), CardError> {
        let each = extent.places * (counter_planes(hypothesis) as usize + 1) * SLOT_WORDS;
        let left = (card.budget().left() / 8).max(self.words);
        let blocks = (left / each.max(1)).clamp(1, blocks);
        self.words = blocks * each;
        Ok((self.memory.at_least(card, self.words)?, blocks))
    }
}
