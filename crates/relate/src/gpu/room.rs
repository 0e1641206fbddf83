//! Keeps the memory use on a GPU within its limit.

use super::edges::GpuEdges;
use super::world::GpuWorld;
use crate::{Edges, Target};
use pellucid_device::gpu::{Card, CardError};

/// The number of words of the growing buffers: rows, incoming data, partial counts, results.
pub(super) type BufferWords = [usize; 4];

impl<C: Card> GpuWorld<C> {
    /// Ensures that an inquiry stays within the memory limit. Frees the memory of other roles if
    /// necessary.
    ///
    /// # Errors
    /// If it does not fit even then.
    pub(super) fn make_room(
        &mut self,
        key: (u32, bool),
        edges: &Edges,
        object_blocks: usize,
        buffer_words: BufferWords,
    ) -> Result<(), CardError> {
        let (held, needed) =
            (self.held_bytes(), self.bytes_with(key, edges, object_blocks, buffer_words));
        if needed <= held {
            return Ok(());
        }
        let limit = self.gpu.allowed_bytes(held)?;
        if needed <= limit {
            return Ok(());
        }
        self.edges_by_role.retain(|&other, _| other == key);
        self.sets.keep_only(object_blocks);
        let bytes = self.bytes_with(key, edges, object_blocks, buffer_words);
        if bytes <= limit {
            return Ok(());
        }
        let name = match self.world.target(key.0) {
            Target::Individuals(role) => self.world.role_names().iter().nth(role),
            Target::Values(property) => self.world.property_names().iter().nth(property),
        };
        let name = name.unwrap_or_default();
        let what = format!("following '{name}'");
        Err(CardError::TooSmall { what, needed: bytes, available: limit })
    }

    /// Returns the number of bytes in use.
    fn held_bytes(&self) -> usize {
        let edge_words: usize = self.edges_by_role.values().map(GpuEdges::words).sum();
        let sets: usize = self.sets.memory().map(C::words).sum();
        let masks = self.masks.as_ref().map_or(0, |(_, memory)| C::words(memory));
        4 * (edge_words + sets + masks + self.allocated.iter().sum::<usize>())
    }

    /// Returns the number of bytes in use with an inquiry.
    fn bytes_with(
        &self,
        key: (u32, bool),
        edges: &Edges,
        object_blocks: usize,
        buffer_words: BufferWords,
    ) -> usize {
        let edge_words: usize = self.edges_by_role.values().map(GpuEdges::words).sum();
        let new_edges =
            if self.edges_by_role.contains_key(&key) { 0 } else { GpuEdges::<C>::words_of(edges) };
        let sets: usize = self.sets.memory().map(C::words).sum();
        let masks = self.masks.as_ref().map_or(0, |(_, memory)| C::words(memory));
        // Buffers grow by an extra half, so that they do not grow often.
        let grown = |(&allocated, needed): (&usize, usize)| {
            if needed > allocated { (needed + needed / 2).max(1024) } else { allocated }
        };
        let buffer_words: usize = self.allocated.iter().zip(buffer_words).map(grown).sum();
        4 * (edge_words
            + new_edges
            + sets
            + self.sets.more_words(object_blocks)
            + masks
            + buffer_words)
    }
}
