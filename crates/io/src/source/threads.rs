//! A parallel map that keeps the order of its items.

use std::sync::{Mutex, PoisonError};
use std::thread;

/// Applies `work` to each item on at most `threads` threads, and returns the results in the order
/// of the items. Each thread takes the next item when it is done with one.
pub(crate) fn map<T: Send, R: Send>(
    threads: usize,
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let threads = threads.min(items.len());
    if threads < 2 {
        return items.into_iter().map(work).collect();
    }
    let mut done: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let waiting = Mutex::new(items.into_iter().zip(&mut done));
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        while let Some((item, place)) = next() {
            *place = Some(work(item));
        }
    };
    thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(run)));
        run();
    });
    done.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::map;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for threads in [0, 1, 2, 7, 200] {
            let squares = map(threads, (0..100u64).collect(), |number| number * number);
            assert!(squares.into_iter().eq((0..100).map(|number| number * number)), "{threads}");
        }
    }
}
