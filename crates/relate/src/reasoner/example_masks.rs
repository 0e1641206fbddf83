//! The examples in the form the kernels use.

use crate::Classes;
use crate::LabeledIndividuals;
use crate::cpu::Subjects;
use pellucid_bits::{BLOCK_BITS, Bits, Block, blocks_for};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The examples, one bit each.
#[derive(Debug)]
pub(super) struct ExampleMasks {
    pub(super) examples: LabeledIndividuals,
    /// Whether the examples are all individuals in order, so that the bits of both are the same.
    covers_all: bool,
    /// By block, one mask per class: the examples of that class.
    masks: Vec<Block>,
    /// By class: the number of examples.
    totals: Vec<u64>,
    id: u64,
}

impl ExampleMasks {
    pub(super) fn new(examples: LabeledIndividuals, individuals: usize) -> ExampleMasks {
        let in_order = |(place, &individual): (usize, &u32)| place == individual as usize;
        let covers_all = examples.len() == individuals
            && examples.individuals().iter().enumerate().all(in_order);
        let classes = examples.classes();
        let mut masks = vec![Block::ZERO; blocks_for(examples.len()) * classes];
        let mut totals = vec![0; classes];
        for (place, &code) in examples.codes().iter().enumerate() {
            totals[code as usize] += 1;
            masks[place / BLOCK_BITS * classes + code as usize].set(place % BLOCK_BITS);
        }
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        ExampleMasks { examples, covers_all, masks, totals, id }
    }

    pub(super) fn len(&self) -> usize {
        self.examples.len()
    }

    pub(super) fn blocks(&self) -> usize {
        blocks_for(self.len())
    }

    /// Returns the masks, for devices that keep them.
    pub(super) fn classes(&self) -> Classes<'_> {
        Classes { masks: &self.masks, number: self.examples.classes(), id: self.id }
    }

    /// Returns the number of examples of each class.
    pub(super) fn totals(&self) -> &[u64] {
        &self.totals
    }

    pub(super) fn masks(&self) -> &[Block] {
        &self.masks
    }

    pub(super) fn subjects(&self) -> Subjects<'_> {
        if self.covers_all {
            Subjects::Range(0, self.len())
        } else {
            Subjects::List(self.examples.individuals())
        }
    }

    /// Selects the bits of the examples from those of all individuals.
    pub(super) fn project(&self, all_bits: &Arc<Bits>) -> Arc<Bits> {
        if self.covers_all {
            return Arc::clone(all_bits);
        }
        let blocks = all_bits.blocks();
        let has = |&individual: &u32| {
            let individual = individual as usize;
            blocks[individual / BLOCK_BITS].get(individual % BLOCK_BITS)
        };
        Arc::new(self.examples.individuals().iter().map(has).collect())
    }
}
