//! A parallel map over indices that can be stopped.

use pellucid_device::Threads;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Calls `work` for every index below `count` on all threads, and starts no more work once `stop`
/// returns true. Returns the results in order of the index, without those that are `None`.
///
/// # Errors
/// If a call fails; of several errors the one with the smallest index.
pub fn parallel_map<T: Send, E: Send>(
    count: usize,
    threads: &Threads,
    stop: impl Fn() -> bool + Send + Sync,
    work: impl Fn(usize) -> Result<Option<T>, E> + Send + Sync,
) -> Result<Vec<T>, E> {
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let worker = |_| {
        let mut done = Vec::new();
        let mut error = None;
        while !failed.load(Ordering::SeqCst) && !stop() {
            let index = next.fetch_add(1, Ordering::SeqCst);
            if index >= count {
                break;
            }
            match work(index) {
                Ok(Some(found)) => done.push((index, found)),
                Ok(None) => {}
                Err(found) => {
                    failed.store(true, Ordering::SeqCst);
                    error = Some((index, found));
                }
            }
        }
        (done, error)
    };
    let mut all = Vec::new();
    let mut first: Option<(usize, E)> = None;
    for (done, error) in threads.map(threads.count().clamp(1, count.max(1)), worker) {
        all.extend(done);
        if let Some((index, error)) = error
            && first.as_ref().is_none_or(|(least, _)| index < *least)
        {
            first = Some((index, error));
        }
    }
    if let Some((_, error)) = first {
        return Err(error);
    }
    all.sort_by_key(|(index, _)| *index);
    Ok(all.into_iter().map(|(_, found)| found).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroUsize;

    fn threads() -> Threads {
        Threads::new(NonZeroUsize::new(3)).expect("threads")
    }

    #[test]
    fn results_are_complete_and_in_order() {
        let done = parallel_map(
            100,
            &threads(),
            || false,
            |index| Ok::<_, ()>((index % 3 != 0).then_some(index)),
        );
        assert_eq!(done, Ok((0..100).filter(|index| index % 3 != 0).collect()));
        assert_eq!(parallel_map(0, &threads(), || false, |_| Ok::<_, ()>(Some(1))), Ok(Vec::new()));
    }

    #[test]
    fn no_work_starts_after_a_stop() {
        let begun = AtomicUsize::new(0);
        let stop = || begun.load(Ordering::SeqCst) >= 10;
        let done = parallel_map(usize::MAX, &threads(), stop, |_| {
            begun.fetch_add(1, Ordering::SeqCst);
            Ok::<_, ()>(Some(()))
        });
        // Up to as many calls as there are threads may start at the same time.
        assert!((10..=12).contains(&done.expect("no error").len()));
    }

    #[test]
    fn an_error_stops_the_work() {
        let failed = parallel_map(
            usize::MAX,
            &threads(),
            || false,
            |index| {
                if index < 7 { Ok(Some(index)) } else { Err(index) }
            },
        );
        assert!(matches!(failed, Err(7..=9)), "{failed:?}");
    }
}
