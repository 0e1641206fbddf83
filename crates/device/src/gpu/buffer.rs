//! Memory that grows when more is needed, and is kept for the next batch.

use super::card::Card;
use super::error::CardError;
use super::pass::Pass;

/// Memory on the card.
#[derive(Debug)]
pub struct Buffer<C: Card> {
    memory: Option<C::Memory>,
}

impl<C: Card> Default for Buffer<C> {
    fn default() -> Self {
        Buffer { memory: None }
    }
}

impl<C: Card> Buffer<C> {
    /// At least so many words; what was in it may be lost. Nothing may be under way that uses it: all memory of a batch
    /// is taken before the first of its copies is queued.
    ///
    /// # Errors
    /// When there is no room.
    pub fn at_least(&mut self, card: &C, words: usize) -> Result<&C::Memory, CardError> {
        if self.memory.as_ref().is_none_or(|memory| C::words(memory) < words) {
            // The old one first, for the sake of cards that are nearly full.
            self.memory = None;
            let more = card.allocate((words + words / 2).max(1024));
            // Where there is too little memory to grow into, what is needed may still fit.
            self.memory = Some(more.or_else(|_| card.allocate(words))?);
        }
        self.memory.as_ref().ok_or_else(|| CardError::Refused("no memory".into()))
    }
}

/// Memory of the processor that the card reaches.
#[derive(Debug)]
pub struct Stage<C: Card> {
    stage: Option<C::Staging>,
}

impl<C: Card> Default for Stage<C> {
    fn default() -> Self {
        Stage { stage: None }
    }
}

impl<C: Card> Stage<C> {
    /// All words, if there are any.
    pub fn words(&self) -> Option<&[u32]> {
        self.stage.as_deref()
    }

    /// All words, to be sent or to return.
    ///
    /// # Errors
    /// When none were taken yet.
    pub fn staging(&mut self) -> Result<&mut C::Staging, CardError> {
        self.stage.as_mut().ok_or_else(|| CardError::Refused("no memory was taken".into()))
    }

    /// At least so many words, see [`Buffer::at_least`].
    ///
    /// # Errors
    /// When there is no room.
    pub fn at_least(&mut self, card: &C, words: usize) -> Result<&mut C::Staging, CardError> {
        if self.stage.as_ref().is_none_or(|stage| stage.len() < words) {
            self.stage = None;
            self.stage = Some(card.stage((words + words / 2).max(1024))?);
        }
        self.stage.as_mut().ok_or_else(|| CardError::Refused("no memory".into()))
    }
}

/// Some words in memory of their own on the card; they have arrived.
///
/// # Errors
/// When the card fails.
pub fn sent<C: Card>(card: &C, words: &[u32]) -> Result<C::Memory, CardError> {
    let memory = card.allocate(words.len().max(1))?;
    let mut stage = card.stage(words.len().max(1))?;
    stage[..words.len()].copy_from_slice(words);
    Pass::record(card, |pass| pass.upload(&stage, 0..words.len(), &memory, 0))?;
    Ok(memory)
}
