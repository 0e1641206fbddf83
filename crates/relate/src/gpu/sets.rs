//! Sets in GPU memory, uploaded once while they fit.

use super::world::{BLOCK_WORDS, words_of};
use crate::cpu::LANES;
use crate::set::{Set, SetKey, SetRef};
use pellucid_device::gpu::{Card, CardError, OpenGpu, Pass, Stage};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The maximum number of sets of one size: twice the number per launch.
const KEPT: usize = 2 * LANES;

/// Sets in GPU memory, by size.
#[derive(Debug)]
pub(super) struct Sets<C: Card> {
    buffers: FxHashMap<usize, SetBuffer<C>>,
    outgoing: Stage<C>,
}

/// Sets of one size, side by side.
#[derive(Debug)]
struct SetBuffer<C: Card> {
    memory: C::Memory,
    /// The sets are kept alive here, so that no other set can reuse their addresses.
    kept: Vec<Set>,
    places: FxHashMap<SetKey, usize>,
}

impl<C: Card> Default for Sets<C> {
    fn default() -> Self {
        Sets { buffers: FxHashMap::default(), outgoing: Stage::default() }
    }
}

impl<C: Card> Sets<C> {
    /// Returns all memory that contains sets.
    pub(super) fn memory(&self) -> impl Iterator<Item = &C::Memory> {
        self.buffers.values().map(|buffer| &buffer.memory)
    }

    /// Returns the additional number of words for sets of `blocks` blocks.
    pub(super) fn more_words(&self, blocks: usize) -> usize {
        let stride = blocks * BLOCK_WORDS;
        if self.buffers.contains_key(&stride) { 0 } else { KEPT * stride }
    }

    /// Frees all sets except those of `blocks` blocks. No running operation may use them.
    pub(super) fn keep_only(&mut self, blocks: usize) {
        self.buffers.retain(|&stride, _| stride == blocks * BLOCK_WORDS);
    }

    /// Returns the addresses, as words, of up to 512 sets of `blocks` blocks each. Uploads the
    /// missing ones; no running operation may use the others.
    pub(super) fn places(
        &mut self,
        card: &C,
        sets: &[&SetRef<'_>],
        blocks: usize,
    ) -> Result<Vec<[u32; 2]>, CardError> {
        let stride = blocks * BLOCK_WORDS;
        let Sets { buffers, outgoing } = self;
        let buffer = match buffers.entry(stride) {
            Entry::Occupied(buffer) => buffer.into_mut(),
            Entry::Vacant(place) => place.insert(SetBuffer {
                memory: card.allocate((KEPT * stride).max(1))?,
                kept: Vec::new(),
                places: FxHashMap::default(),
            }),
        };
        let missing = sets.iter().filter(|set| !buffer.places.contains_key(&set.key())).count();
        if buffer.kept.len() + missing > KEPT {
            buffer.kept.clear();
            buffer.places.clear();
        }
        let first = buffer.kept.len();
        for &set in sets {
            if !buffer.places.contains_key(&set.key()) {
                buffer.places.insert(set.key(), buffer.kept.len());
                buffer.kept.push(set.kept());
            }
        }
        let new = &buffer.kept[first..];
        if !new.is_empty() && stride > 0 {
            let words = new.len() * stride;
            let stage = outgoing.at_least(card, words)?;
            for (set, to) in new.iter().zip(stage.chunks_exact_mut(stride)) {
                for (block, to) in to.chunks_exact_mut(BLOCK_WORDS).enumerate() {
                    words_of(&set.by_ref().block(block), to);
                }
            }
            let (stage, memory) = (&*stage, &buffer.memory);
            let copied =
                Pass::record(card, |pass| pass.upload(stage, 0..words, memory, first * stride));
            if let Err(error) = copied {
                buffer.kept.clear();
                buffer.places.clear();
                return Err(error);
            }
        }
        let address = |set: &&SetRef<'_>| {
            let first = buffer.places[&set.key()] * stride;
            OpenGpu::<C>::stored::<u32>(&buffer.memory, first).words()
        };
        Ok(sets.iter().map(address).collect())
    }
}
