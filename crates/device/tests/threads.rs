//! Work on the threads of the CPU.

use pellucid_device::Threads;
use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex};

fn threads(count: usize) -> Threads {
    Threads::new(NonZeroUsize::new(count)).unwrap()
}

#[test]
fn results_come_in_order() {
    for count in [1, 2, 5] {
        let mut squares = Vec::new();
        let done: Result<(), ()> = threads(count).map_in_order(
            (0..100).collect(),
            3,
            |number: u64| number * number,
            |square| {
                squares.push(square);
                Ok(())
            },
        );
        assert_eq!(done, Ok(()));
        assert_eq!(squares, (0..100).map(|number| number * number).collect::<Vec<_>>(), "{count}");
    }
}

/// Each item that another thread takes waits until the result of the one before it was handed over.
#[test]
fn a_result_is_handed_over_while_others_are_computed() {
    let caller = std::thread::current().id();
    for count in [1, 2, 5] {
        let (handed_over, changed) = (Mutex::new(0), Condvar::new());
        let done: Result<(), ()> = threads(count).map_in_order(
            (0..50).collect(),
            count,
            |number: usize| {
                if std::thread::current().id() != caller {
                    let waits = |before: &mut usize| *before < number;
                    drop(changed.wait_while(handed_over.lock().unwrap(), waits).unwrap());
                }
            },
            |()| {
                *handed_over.lock().unwrap() += 1;
                changed.notify_all();
                Ok(())
            },
        );
        assert_eq!((done, *handed_over.lock().unwrap()), (Ok(()), 50));
    }
}

#[test]
fn after_an_error_no_result_is_handed_over() {
    for count in [1, 2, 5] {
        let mut handed_over = 0;
        let done = threads(count).map_in_order(
            (0..50).collect(),
            3,
            |number: u32| number,
            |number| {
                handed_over += 1;
                if number == 7 { Err(number) } else { Ok(()) }
            },
        );
        assert_eq!((done, handed_over), (Err(7), 8));
    }
}

/// A thread of the pool computes all items itself, because all others may wait as well.
#[test]
fn a_thread_of_the_pool_may_call_it() {
    let threads = threads(2);
    let sums = threads.map(4, |start| {
        let mut sum = 0;
        let done: Result<(), ()> = threads.map_in_order(
            (start..start + 10).collect(),
            3,
            |number: usize| number,
            |number| {
                sum += number;
                Ok(())
            },
        );
        done.map(|()| sum)
    });
    assert_eq!(sums, [Ok(45), Ok(55), Ok(65), Ok(75)]);
}
