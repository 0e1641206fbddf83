use crate::Threads;
use std::sync::{Arc, Mutex, PoisonError};

/// Some threads, and the memory of type `W` that each keeps between pieces of work.
#[derive(Debug)]
pub struct Workers<W> {
    threads: Arc<Threads>,
    /// One for each thread of the pool, so that a thread finds its memory in its own core's cache, and one for callers.
    workers: Vec<Mutex<W>>,
}

impl<W: Default + Send> Workers<W> {
    /// Threads with memory that is made when it is first needed.
    #[must_use]
    pub fn new(threads: Arc<Threads>) -> Workers<W> {
        let workers = (0..=threads.count()).map(|_| Mutex::default()).collect();
        Workers { threads, workers }
    }

    /// The threads.
    #[must_use]
    pub fn threads(&self) -> &Threads {
        &self.threads
    }

    /// Lends this thread's memory to some work.
    pub fn lend<R>(&self, work: impl FnOnce(&mut W) -> R) -> R {
        let worker = &self.workers[self.threads.current().unwrap_or(self.threads.count())];
        // A worker that panicked may have left its memory half written; a new one is as good.
        let mut worker = worker.lock().unwrap_or_else(|poisoned| {
            let mut worker = poisoned.into_inner();
            *worker = W::default();
            worker
        });
        work(&mut worker)
    }

    /// What each thread keeps, while none of them works.
    pub fn memories(&mut self) -> impl Iterator<Item = &mut W> {
        self.workers
            .iter_mut()
            .map(|worker| worker.get_mut().unwrap_or_else(PoisonError::into_inner))
    }
}
