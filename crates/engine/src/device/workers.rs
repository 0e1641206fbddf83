//! The threads of the processor device, and the memory each keeps between batches.

use crate::cpu::Scratch;
use crate::kernel::Planner;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

/// What a thread needs to work on a batch.
#[derive(Debug, Default)]
pub(super) struct Worker {
    pub(super) planner: Planner,
    pub(super) scratch: Scratch,
}

/// More threads than any machine has cores for only wait for each other.
const MOST_THREADS: usize = 1024;

/// A fixed number of threads. One thread is the caller's own.
#[derive(Debug)]
pub(super) struct Workers {
    threads: usize,
    pool: Option<ThreadPool>,
    idle: Mutex<Vec<Worker>>,
}

impl Workers {
    /// So many threads; the error says why the system gave none.
    pub(super) fn new(threads: Option<NonZeroUsize>) -> Result<Workers, String> {
        let threads = threads
            .or_else(|| std::thread::available_parallelism().ok())
            .map_or(1, NonZeroUsize::get);
        if threads > MOST_THREADS {
            return Err(format!(
                "{threads} threads were asked for, allowed are 1 to {MOST_THREADS}"
            ));
        }
        let pool = match threads {
            1 => None,
            _ => Some(
                ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .map_err(|error| error.to_string())?,
            ),
        };
        Ok(Workers { threads, pool, idle: Mutex::default() })
    }

    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// Runs something on the threads.
    pub(super) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            None => work(),
            Some(pool) => pool.install(work),
        }
    }

    /// Lends a worker's memory to some work.
    pub(super) fn lend<R>(&self, work: impl FnOnce(&mut Worker) -> R) -> R {
        // A panic elsewhere leaves at worst a worker with half-used tables behind, which is then not in the list.
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let mut worker = idle().pop().unwrap_or_default();
        let result = work(&mut worker);
        idle().push(worker);
        result
    }
}
