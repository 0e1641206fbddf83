//! The threads of the processor device, and the memory each keeps between batches.

use super::Cpu;
use crate::cpu::Scratch;
use crate::kernel::Planner;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::num::NonZeroUsize;
use std::sync::Mutex;

/// What a thread needs to work on a batch.
#[derive(Debug, Default)]
pub(super) struct Worker {
    pub(super) planner: Planner,
    pub(super) scratch: Scratch,
}

/// A fixed number of threads. One thread is the caller's own.
#[derive(Debug)]
pub(super) struct Workers {
    threads: usize,
    pool: Option<ThreadPool>,
    /// One for each thread of the pool, so that a thread finds its memory in its own core's cache, and one for callers.
    workers: Vec<Mutex<Worker>>,
    /// Which threads did the work.
    #[cfg(test)]
    pub(super) lent_to: Mutex<std::collections::HashSet<std::thread::ThreadId>>,
}

impl Workers {
    /// So many threads; the error says why the system gave none.
    pub(super) fn new(threads: Option<NonZeroUsize>) -> Result<Workers, String> {
        let all = || std::thread::available_parallelism().ok();
        let threads = threads.or_else(all).map_or(1, NonZeroUsize::get);
        if threads > Cpu::MOST_THREADS {
            return Err(format!(
                "{threads} threads were asked for, allowed are 1 to {}",
                Cpu::MOST_THREADS
            ));
        }
        let pool = match threads {
            1 => None,
            _ => {
                let pool = ThreadPoolBuilder::new().num_threads(threads).build();
                Some(pool.map_err(|error| error.to_string())?)
            }
        };
        Ok(Workers {
            threads,
            pool,
            workers: (0..=threads).map(|_| Mutex::default()).collect(),
            #[cfg(test)]
            lent_to: Mutex::default(),
        })
    }

    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// Runs something on the threads. With one thread it is the caller's, and what runs must not ask for more: parallel
    /// iterators outside a pool would take every core.
    pub(super) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            None => work(),
            Some(pool) => pool.install(work),
        }
    }

    /// Lends this thread's memory to some work.
    pub(super) fn lend<R>(&self, work: impl FnOnce(&mut Worker) -> R) -> R {
        let own = self.pool.as_ref().and_then(ThreadPool::current_thread_index);
        let worker = &self.workers[own.unwrap_or(self.threads)];
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
