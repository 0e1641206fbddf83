//! Memory that grows when more is needed, and is kept for the next batch.

use super::card::{Card, CardError};

/// Memory on the card.
#[derive(Debug)]
pub(super) struct Buffer<C: Card> {
    memory: Option<(C::Memory, usize)>,
}

impl<C: Card> Default for Buffer<C> {
    fn default() -> Self {
        Buffer { memory: None }
    }
}

impl<C: Card> Buffer<C> {
    /// At least so many words; what was in it may be lost. Nothing may be under way that uses it.
    pub(super) fn at_least(&mut self, card: &C, words: usize) -> Result<&C::Memory, CardError> {
        if self.memory.as_ref().is_none_or(|(_, there)| *there < words) {
            // The old one first, for the sake of cards that are nearly full.
            self.memory = None;
            let words = (words + words / 2).max(1024);
            self.memory = Some((card.allocate(words)?, words));
        }
        self.memory.as_ref().map(|(memory, _)| memory).ok_or_else(|| CardError("no memory".into()))
    }
}

/// Memory of the processor that the card reaches.
#[derive(Debug)]
pub(super) struct Stage<C: Card> {
    stage: Option<C::Staging>,
}

impl<C: Card> Default for Stage<C> {
    fn default() -> Self {
        Stage { stage: None }
    }
}

impl<C: Card> Stage<C> {
    /// All words, if there are any.
    pub(super) fn words(&self) -> Option<&[u32]> {
        self.stage.as_deref()
    }

    /// At least so many words, see [`Buffer::at_least`].
    pub(super) fn at_least(
        &mut self,
        card: &C,
        words: usize,
    ) -> Result<&mut C::Staging, CardError> {
        if self.stage.as_ref().is_none_or(|stage| stage.len() < words) {
            self.stage = None;
            self.stage = Some(card.stage((words + words / 2).max(1024))?);
        }
        self.stage.as_mut().ok_or_else(|| CardError("no memory".into()))
    }
}
