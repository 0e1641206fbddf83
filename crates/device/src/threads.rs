use super::DeviceError;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};

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
        let failed = |reason: String| DeviceError::new("cpu", reason);
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
        let done: Vec<Mutex<Option<R>>> = (0..count).map(|_| Mutex::new(None)).collect();
        self.side_by_side(count, &|index| {
            let made = work(index);
            *locked(&done[index]) = Some(made);
        });
        done.into_iter().filter_map(unlocked).collect()
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
        let items: Vec<Mutex<Option<T>>> =
            items.into_iter().map(|item| Mutex::new(Some(item))).collect();
        let item = |index: usize| locked(&items[index]).take();
        self.map(items.len(), |index| item(index).map(&work)).into_iter().flatten().collect()
    }

    /// Does some work on each item, on all threads; the work also gets the item's index.
    pub fn each<T: Send>(&self, items: &mut [T], work: impl Fn(usize, &mut T) + Send + Sync) {
        if self.pool.is_none() || items.len() < 2 {
            return items.iter_mut().enumerate().for_each(|(index, item)| work(index, item));
        }
        let items: Vec<Mutex<&mut T>> = items.iter_mut().map(Mutex::new).collect();
        self.side_by_side(items.len(), &|index| work(index, &mut locked(&items[index])));
    }

    /// Does the work of every index, on all threads. What spreads it is compiled once and not for every kind of work, since
    /// there is much of it.
    fn side_by_side(&self, count: usize, work: &(dyn Fn(usize) + Send + Sync)) {
        self.install(|| (0..count).into_par_iter().with_max_len(1).for_each(work));
    }
}

/// What only one thread asks for anyway; whoever panics with it is done with it.
fn locked<T>(item: &Mutex<T>) -> MutexGuard<'_, T> {
    item.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unlocked<T>(item: Mutex<T>) -> T {
    item.into_inner().unwrap_or_else(PoisonError::into_inner)
}
