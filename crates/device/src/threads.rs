use super::DeviceError;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::num::NonZeroUsize;

/// A fixed number of threads, shared by the processor device and by learners that breed on it. One thread is the caller's
/// own.
#[derive(Debug)]
pub struct Threads {
    count: usize,
    pool: Option<ThreadPool>,
}

impl Threads {
    /// The most threads; more than any machine has cores for would only wait for each other.
    pub const MOST: usize = 1024;

    /// So many threads, or as many as there are cores.
    ///
    /// # Errors
    /// When there are more than [`Threads::MOST`], or the system gives none.
    pub fn new(count: Option<NonZeroUsize>) -> Result<Threads, DeviceError> {
        let failed = |reason| DeviceError { device: "cpu".to_owned(), reason };
        let all = || std::thread::available_parallelism().ok();
        let count = count.or_else(all).map_or(1, NonZeroUsize::get);
        if count > Threads::MOST {
            let most = Threads::MOST;
            return Err(failed(format!("{count} threads were asked for, allowed are 1 to {most}")));
        }
        let pool = match count {
            1 => None,
            _ => {
                let pool = ThreadPoolBuilder::new().num_threads(count).build();
                Some(pool.map_err(|error| failed(error.to_string()))?)
            }
        };
        Ok(Threads { count, pool })
    }

    /// The caller's own thread and no other.
    #[must_use]
    pub fn callers() -> Threads {
        Threads { count: 1, pool: None }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Runs something on the threads. With one thread it is the caller's, and what runs must not ask for more: parallel
    /// iterators outside a pool would take every core.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            None => work(),
            Some(pool) => pool.install(work),
        }
    }

    /// The number of the thread that asks, if it is one of these.
    pub fn current(&self) -> Option<usize> {
        self.pool.as_ref().and_then(ThreadPool::current_thread_index)
    }

    /// Does the work of every index from 0 on, on all threads, and gives back what came of each, in order.
    pub fn map<R: Send>(&self, count: usize, work: impl Fn(usize) -> R + Send + Sync) -> Vec<R> {
        if self.pool.is_none() || count < 2 {
            return (0..count).map(work).collect();
        }
        self.install(|| (0..count).into_par_iter().with_max_len(1).map(work).collect())
    }

    /// Makes something of each item, on all threads, and gives back what came of each, in order.
    pub fn map_items<T: Send, R: Send>(
        &self,
        items: Vec<T>,
        work: impl Fn(T) -> R + Send + Sync,
    ) -> Vec<R> {
        if self.pool.is_none() || items.len() < 2 {
            return items.into_iter().map(work).collect();
        }
        self.install(|| items.into_par_iter().with_max_len(1).map(work).collect())
    }

    /// Does some work on each item, on all threads; the work also gets the item's index.
    pub fn each<T: Send>(&self, items: &mut [T], work: impl Fn(usize, &mut T) + Send + Sync) {
        if self.pool.is_none() || items.len() < 2 {
            return items.iter_mut().enumerate().for_each(|(index, item)| work(index, item));
        }
        self.install(|| {
            items
                .par_iter_mut()
                .enumerate()
                .with_max_len(1)
                .for_each(|(index, item)| work(index, item));
        });
    }
}
