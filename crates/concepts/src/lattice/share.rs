//! Parallel work on a range, with results that do not depend on the number of threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The number of items per task: large enough to make scheduling cheap, small enough to balance the
/// load.
const CHUNK: usize = 256;

/// Returns the results of `work` for consecutive chunks of `0..len`, in order; `None` if `stop`
/// returned true.
///
/// Every thread has its own state from `state`, which must not affect the results.
pub(crate) fn share<S, T: Send>(
    threads: usize,
    len: usize,
    stop: &(dyn Fn() -> bool + Sync),
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, Range<usize>) -> T + Sync,
) -> Option<Vec<T>> {
    let chunks = len.div_ceil(CHUNK);
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let run = || {
        let mut state = state();
        let mut done = Vec::new();
        loop {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            if chunk >= chunks || stopped.load(Ordering::Relaxed) {
                return done;
            }
            if stop() {
                stopped.store(true, Ordering::Relaxed);
                return done;
            }
            let range = chunk * CHUNK..((chunk + 1) * CHUNK).min(len);
            done.push((chunk, work(&mut state, range)));
        }
    };
    let helpers = threads.clamp(1, chunks.max(1)) - 1;
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (0..helpers).map(|_| scope.spawn(run)).collect();
        let mut done = run();
        for other in others {
            match other.join() {
                Ok(theirs) => done.extend(theirs),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|&(chunk, _)| chunk);
    (!stopped.into_inner()).then(|| done.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_for_any_number_of_threads() {
        for threads in [1, 3] {
            for len in [0, 1, CHUNK, 5 * CHUNK + 7] {
                let parts = share(threads, len, &|| false, || (), |(), range| range).unwrap();
                assert!(parts.into_iter().flatten().eq(0..len));
            }
        }
        assert!(share(2, 10, &|| true, || (), |(), _| ()).is_none());
    }
}
