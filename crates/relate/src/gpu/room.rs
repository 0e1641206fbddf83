//! Keeps the memory use on a GPU within its limit.

use super::way::WayOnCard;
use super::world::GpuWorld;
use crate::{Edges, Target};
use pellucid_device::gpu::{Card, CardError};

/// The number of words of the growing buffers: rows, incoming data, partial counts, results.
pub(super) type Growing = [usize; 4];

impl<C: Card> GpuWorld<C> {
    /// Ensures that an inquiry stays within the memory limit. Frees the memory of other roles if
    /// necessary.
    ///
    /// # Errors
    /// If it does not fit even then.
    pub(super) fn make_room(
        &mut self,
        way: (u32, bool),
        edges: &Edges,
        object_blocks: usize,
        growing: Growing,
    ) -> Result<(), CardError> {
        let (held, needed) =
            (self.held_bytes(), self.bytes_with(way, edges, object_blocks, growing));
        if needed <= held {
            return Ok(());
        }
        let limit = self.gpu.allowed_bytes(held)?;
        if needed <= limit {
            return Ok(());
        }
        self.ways.retain(|&other, _| other == way);
        self.sets.keep_only(object_blocks);
        let bytes = self.bytes_with(way, edges, object_blocks, growing);
        if bytes <= limit {
            return Ok(());
        }
        let name = match self.world.target(way.0) {
            Target::Individuals(role) => self.world.role_names().iter().nth(role),
            Target::Values(property) => self.world.property_names().iter().nth(property),
        };
        let name = name.unwrap_or_default();
        let what = format!("following '{name}'");
        Err(CardError::TooSmall { what, needed: bytes, available: limit })
    }

    /// Returns the number of bytes in use.
    fn held_bytes(&self) -> usize {
        let ways: usize = self.ways.values().map(WayOnCard::words).sum();
        let sets: usize = self.sets.memory().map(C::words).sum();
        let masks = self.masks.as_ref().map_or(0, |(_, memory)| C::words(memory));
        4 * (ways + sets + masks + self.taken.iter().sum::<usize>())
    }

    /// Returns the number of bytes in use with an inquiry.
    fn bytes_with(
        &self,
        way: (u32, bool),
        edges: &Edges,
        object_blocks: usize,
        growing: Growing,
    ) -> usize {
        let ways: usize = self.ways.values().map(WayOnCard::words).sum();
        let new_way =
            if self.ways.contains_key(&way) { 0 } else { WayOnCard::<C>::words_of(edges) };
        let sets: usize = self.sets.memory().map(C::words).sum();
        let masks = self.masks.as_ref().map_or(0, |(_, memory)| C::words(memory));
        // Buffers grow by an extra half, so that they do not grow often.
        let grown = |(&taken, needed): (&usize, usize)| {
            if needed > taken { (needed + needed / 2).max(1024) } else { taken }
        };
        let growing: usize = self.taken.iter().zip(growing).map(grown).sum();
        4 * (ways + new_way + sets + self.sets.more_words(object_blocks) + masks + growing)
    }
}
