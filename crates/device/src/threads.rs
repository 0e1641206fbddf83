use super::DeviceError;
use pellucid_bits::{Level, LevelError};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};

/// A fixed number of threads and the instructions that they use, shared by the CPU device and by
/// learners that generate candidates on it. A single thread is the thread of the caller.
#[derive(Debug)]
pub struct Threads {
    count: usize,
    level: Level,
    pool: Option<ThreadPool>,
}

impl Threads {
    /// The largest allowed number of threads. More threads than cores would only wait for each
    /// other.
    pub const MOST: usize = 1024;

    /// Starts the given number of threads (default: one per core), with the level that
    /// [`Level::chosen`] returns.
    ///
    /// # Errors
    /// When the number exceeds [`Threads::MOST`], the threads cannot be started, or `PELLUCID_SIMD`
    /// is not a level that this CPU supports.
    pub fn new(count: Option<NonZeroUsize>) -> Result<Threads, DeviceError> {
        let all = || std::thread::available_parallelism().ok();
        let failed = |reason: String| DeviceError::new("cpu", reason);
        let count = count.or_else(all).map_or(1, NonZeroUsize::get);
        if count > Threads::MOST {
            let most = Threads::MOST;
            return Err(failed(format!("found {count} threads; expected 1 to {most}")));
        }
        let level = Level::chosen()?;
        Threads::start(count, level).map_err(|error| failed(error.to_string()))
    }

    /// Starts up to the given number of threads, with the level that [`Level::chosen`] returns. If
    /// the system refuses them, for example in a container with a thread limit, there are fewer.
    ///
    /// # Errors
    /// When `PELLUCID_SIMD` is not a level that this CPU supports.
    pub fn up_to(most: usize) -> Result<Threads, LevelError> {
        let level = Level::chosen()?;
        let mut count = most.clamp(1, Threads::MOST);
        while count > 1 {
            match Threads::start(count, level) {
                Ok(threads) => return Ok(threads),
                Err(_) => count /= 2,
            }
        }
        Ok(Threads { level, ..Threads::callers() })
    }

    fn start(count: usize, level: Level) -> Result<Threads, ThreadPoolBuildError> {
        let pool = match count {
            1 => None,
            _ => Some(ThreadPoolBuilder::new().num_threads(count).build()?),
        };
        Ok(Threads { count, level, pool })
    }

    /// Returns only the thread of the caller, for work that needs no choice of instructions. The
    /// level is the portable one, so no setting is read; a single thread with the level of the
    /// setting is `Threads::new(NonZeroUsize::new(1))`.
    #[must_use]
    pub fn callers() -> Threads {
        Threads { count: 1, level: Level::Portable, pool: None }
    }

    /// Returns the number of threads.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the instructions that kernels on these threads use.
    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }

    /// Runs work on the threads. With a single thread, this is the thread of the caller, and the
    /// work must not use parallel iterators: outside of a pool they would use every core.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            None => work(),
            Some(pool) => pool.install(work),
        }
    }

    /// Returns the index of the current thread, if it is one of these.
    pub fn current(&self) -> Option<usize> {
        self.pool.as_ref().and_then(ThreadPool::current_thread_index)
    }

    /// Calls `work` with every index below `count`, on all threads, and returns the results in
    /// order.
    pub fn map<R: Send>(&self, count: usize, work: impl Fn(usize) -> R + Send + Sync) -> Vec<R> {
        if self.pool.is_none() || count < 2 {
            return (0..count).map(work).collect();
        }
        let results: Vec<Mutex<Option<R>>> = (0..count).map(|_| Mutex::new(None)).collect();
        self.run_parallel(count, &|index| {
            let result = work(index);
            *lock(&results[index]) = Some(result);
        });
        results.into_iter().filter_map(into_inner).collect()
    }

    /// Calls `work` with each item, on all threads, and returns the results in order.
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
        let item = |index: usize| lock(&items[index]).take();
        self.map(items.len(), |index| item(index).map(&work)).into_iter().flatten().collect()
    }

    /// Calls `work` with each item, on the thread of the caller and on up to `helpers` others, and
    /// `then` with the results in order, on the thread of the caller: with the first as soon as it
    /// is there, while others are computed.
    ///
    /// # Errors
    /// Returns the first error of `then`, which is not called again.
    pub fn map_in_order<T: Send, R: Send, E>(
        &self,
        items: Vec<T>,
        helpers: usize,
        work: impl Fn(T) -> R + Send + Sync,
        mut then: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        let helpers = helpers.min(items.len().saturating_sub(1)).min(self.count - 1);
        // A thread of the pool that waits for others could wait for itself.
        let pool = self.pool.as_ref().filter(|_| helpers > 0 && self.current().is_none());
        let Some(pool) = pool else {
            return items.into_iter().try_for_each(|item| then(work(item)));
        };
        let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
        let items = OpenItems::new(items);
        let (sender, receiver) = mpsc::channel();
        pool.in_place_scope(|scope| {
            for _ in 0..helpers {
                let (sender, work, items) = (sender.clone(), &work, &items);
                scope.spawn(move |_| {
                    while let Some((index, item)) = items.take() {
                        // There is no receiver after an error of `then`.
                        drop(sender.send((index, work(item))));
                    }
                });
            }
            drop(sender);
            let mut next = 0;
            while next < results.len() {
                receiver.try_iter().for_each(|(index, result)| results[index] = Some(result));
                if let Some(result) = results[next].take() {
                    next += 1;
                    then(result).inspect_err(|_| items.close())?;
                } else if let Some((index, item)) = items.take() {
                    results[index] = Some(work(item));
                } else if let Ok((index, result)) = receiver.recv() {
                    results[index] = Some(result);
                } else {
                    // A thread panicked, which the scope reports.
                    break;
                }
            }
            Ok(())
        })
    }

    /// Calls `work` with the index of each item and the item, on all threads.
    pub fn each<T: Send>(&self, items: &mut [T], work: impl Fn(usize, &mut T) + Send + Sync) {
        if self.pool.is_none() || items.len() < 2 {
            return items.iter_mut().enumerate().for_each(|(index, item)| work(index, item));
        }
        let items: Vec<Mutex<&mut T>> = items.iter_mut().map(Mutex::new).collect();
        self.run_parallel(items.len(), &|index| work(index, &mut lock(&items[index])));
    }

    /// Calls `work` with every index, on all threads. The work is a trait object so that the code
    /// of the parallel iterator, which is large, is compiled only once.
    fn run_parallel(&self, count: usize, work: &(dyn Fn(usize) + Send + Sync)) {
        self.install(|| (0..count).into_par_iter().with_max_len(1).for_each(work));
    }
}

/// Items that several threads take in order.
struct OpenItems<T> {
    items: Vec<Mutex<Option<T>>>,
    next: AtomicUsize,
}

impl<T> OpenItems<T> {
    fn new(items: Vec<T>) -> OpenItems<T> {
        let items = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
        OpenItems { items, next: AtomicUsize::new(0) }
    }

    /// Returns the next item and its index.
    fn take(&self) -> Option<(usize, T)> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        let item = lock(self.items.get(index)?).take()?;
        Some((index, item))
    }

    /// Ends the work: no other item is taken.
    fn close(&self) {
        self.next.store(self.items.len(), Ordering::Relaxed);
    }
}

/// Locks an item that only one thread uses. After a panic the item is not used again.
fn lock<T>(item: &Mutex<T>) -> MutexGuard<'_, T> {
    item.lock().unwrap_or_else(PoisonError::into_inner)
}

fn into_inner<T>(item: Mutex<T>) -> T {
    item.into_inner().unwrap_or_else(PoisonError::into_inner)
}
