//! A net below the library: where a damaged file makes it stumble all the same, that is an error of the file and nothing else,
//! and nobody hears of it but by our sentence.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use super::beyond;
use crate::error::ReadProblem;

thread_local! {
    /// Whether this thread is above the net.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs the library on a file that nobody knows.
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T, ReadProblem>) -> Result<T, ReadProblem> {
    hush();
    let before = GUARDED.replace(true);
    // What was half done is dropped with the error.
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(before);
    result.unwrap_or_else(|_| Err(beyond()))
}

/// Whoever listens for panics, as the default does by printing them, does not hear of those above the net.
fn hush() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |stumble| {
            if !GUARDED.get() {
                others(stumble);
            }
        }));
    });
}
