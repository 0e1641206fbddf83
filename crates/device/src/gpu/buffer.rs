//! Memory that grows on demand and is kept for the next batch.

use super::card::Card;
use super::error::CardError;
use super::pass::Pass;

/// GPU memory.
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
    /// Returns memory of at least `words` words. Its contents may be lost. No queued operation may
    /// use the buffer: a batch requests all of its memory before it queues the first copy.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn at_least(&mut self, card: &C, words: usize) -> Result<&C::Memory, CardError> {
        if self.memory.as_ref().is_none_or(|memory| C::words(memory) < words) {
            // Free the old memory first, because the GPU may be nearly full.
            self.memory = None;
            let more = card.allocate((words + words / 2).max(1024));
            // If there is not enough memory to grow, the requested size may still fit.
            self.memory = Some(more.or_else(|_| card.allocate(words))?);
        }
        self.memory.as_ref().ok_or_else(|| CardError::Refused("no memory is allocated".into()))
    }
}

/// Host memory that the GPU can access.
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
    /// Returns all words, if memory is allocated.
    pub fn words(&self) -> Option<&[u32]> {
        self.stage.as_deref()
    }

    /// Returns all words, to send them or to receive results.
    ///
    /// # Errors
    /// When no memory is allocated yet.
    pub fn staging(&mut self) -> Result<&mut C::Staging, CardError> {
        self.stage.as_mut().ok_or_else(|| CardError::Refused("no memory is allocated".into()))
    }

    /// Returns memory of at least `words` words, see [`Buffer::at_least`].
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn at_least(&mut self, card: &C, words: usize) -> Result<&mut C::Staging, CardError> {
        if self.stage.as_ref().is_none_or(|stage| stage.len() < words) {
            self.stage = None;
            self.stage = Some(card.stage((words + words / 2).max(1024))?);
        }
        self.stage.as_mut().ok_or_else(|| CardError::Refused("no memory is allocated".into()))
    }
}

/// Copies words to new memory on the GPU and waits for the copy.
///
/// # Errors
/// When the GPU fails.
pub fn sent<C: Card>(card: &C, words: &[u32]) -> Result<C::Memory, CardError> {
    let memory = card.allocate(words.len().max(1))?;
    let mut stage = card.stage(words.len().max(1))?;
    stage[..words.len()].copy_from_slice(words);
    Pass::record(card, |pass| pass.upload(&stage, 0..words.len(), &memory, 0))?;
    Ok(memory)
}
