//! The memory that each thread of the processor device keeps between batches.

use super::{Planners, Threads};
use crate::cpu::Scratch;
use std::sync::{Arc, Mutex};

/// What a thread needs to work on a batch.
#[derive(Debug, Default)]
pub(super) struct Worker {
    pub(super) planners: Planners,
    pub(super) scratch: Scratch,
}

/// Some threads and their memory.
#[derive(Debug)]
pub(super) struct Workers {
    pub(super) threads: Arc<Threads>,
    /// One for each thread of the pool, so that a thread finds its memory in its own core's cache, and one for callers.
    workers: Vec<Mutex<Worker>>,
    /// Which threads did the work.
    #[cfg(test)]
    pub(super) lent_to: Mutex<std::collections::HashSet<std::thread::ThreadId>>,
}

impl Workers {
    pub(super) fn new(threads: Arc<Threads>) -> Workers {
        Workers {
            workers: (0..=threads.count()).map(|_| Mutex::default()).collect(),
            threads,
            #[cfg(test)]
            lent_to: Mutex::default(),
        }
    }

    /// Runs something on the threads, see [`Threads::install`].
    pub(super) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.threads.install(work)
    }

    /// Lends this thread's memory to some work.
    pub(super) fn lend<R>(&self, work: impl FnOnce(&mut Worker) -> R) -> R {
        let worker = &self.workers[self.threads.current().unwrap_or(self.threads.count())];
        // A worker that panicked may have left its tables half written; a new one is as good.
        let mut worker = worker.lock().unwrap_or_else(|poisoned| {
            let mut worker = poisoned.into_inner();
            *worker = Worker::default();
            worker
        });
        #[cfg(test)]
        self.lent_to.lock().expect("no test panics here").insert(std::thread::current().id());
        work(&mut worker)
    }
}
