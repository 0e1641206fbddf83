//! Catches panics of libraries on damaged files, without printing them.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use crate::source::error::ReadProblem;

thread_local! {
    /// Whether this thread runs a library.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a library on an untrusted file; a panic becomes the given problem.
pub(crate) fn catch_panics<T>(
    on_panic: fn() -> ReadProblem,
    work: impl FnOnce() -> Result<T, ReadProblem>,
) -> Result<T, ReadProblem> {
    silence_hook();
    let before = GUARDED.replace(true);
    // Unwind safety: partial results are dropped with the error.
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(before);
    result.unwrap_or_else(|_| Err(on_panic()))
}

/// Installs a panic hook that is silent for threads that run a library.
fn silence_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                others(info);
            }
        }));
    });
}
