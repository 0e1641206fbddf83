use crate::Threads;
use std::sync::{Arc, Mutex, PoisonError};

/// Threads, and the memory of type `W` that each thread keeps between pieces of work.
#[derive(Debug)]
pub struct Workers<W> {
    threads: Arc<Threads>,
    /// One per thread of the pool, so that the memory stays in the cache of its core, and one for
    /// callers.
    workers: Vec<Mutex<W>>,
}

impl<W: Default + Send> Workers<W> {
    /// Creates the memory of each thread from `W::default()`.
    #[must_use]
    pub fn new(threads: Arc<Threads>) -> Workers<W> {
        let workers = (0..=threads.count()).map(|_| Mutex::default()).collect();
        Workers { threads, workers }
    }

    /// Returns the threads.
    #[must_use]
    pub fn threads(&self) -> &Threads {
        &self.threads
    }

    /// Runs work with the memory of the current thread.
    pub fn lend<R>(&self, work: impl FnOnce(&mut W) -> R) -> R {
        let worker = &self.workers[self.threads.current().unwrap_or(self.threads.count())];
        // A worker that panicked may have left its memory incomplete, so replace it.
        let mut worker = worker.lock().unwrap_or_else(|poisoned| {
            let mut worker = poisoned.into_inner();
            *worker = W::default();
            worker
        });
        work(&mut worker)
    }

    /// Returns the memory of every thread while none of them works.
    pub fn memories(&mut self) -> impl Iterator<Item = &mut W> {
        self.workers
            .iter_mut()
            .map(|worker| worker.get_mut().unwrap_or_else(PoisonError::into_inner))
    }
}
