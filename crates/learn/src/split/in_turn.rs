//! Many pieces of work, one after another, on all threads, until something says stop.

use pellucid_device::Threads;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Does the work of every index below `count`; whoever is free takes the next one, and none is begun once `stop` says so. What
/// came of each is given back by index. Work that gives nothing leaves nothing, so a million pieces that were never begun take
/// no room.
///
/// # Errors
/// When a piece fails; of several the one with the least index.
pub fn in_turn<T: Send, E: Send>(
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
    fn everything_is_done_once_and_told_in_order() {
        let done = in_turn(
            100,
            &threads(),
            || false,
            |index| Ok::<_, ()>((index % 3 != 0).then_some(index)),
        );
        assert_eq!(done, Ok((0..100).filter(|index| index % 3 != 0).collect()));
        assert_eq!(in_turn(0, &threads(), || false, |_| Ok::<_, ()>(Some(1))), Ok(Vec::new()));
    }

    #[test]
    fn nothing_is_begun_after_the_end() {
        let begun = AtomicUsize::new(0);
        let stop = || begun.load(Ordering::SeqCst) >= 10;
        let done = in_turn(usize::MAX, &threads(), stop, |_| {
            begun.fetch_add(1, Ordering::SeqCst);
            Ok::<_, ()>(Some(()))
        });
        // Those who were let in together may be as many as there are threads.
        assert!((10..=12).contains(&done.expect("no error").len()));
    }

    #[test]
    fn a_failure_ends_it() {
        let failed = in_turn(
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
