//! Catches panics of the Parquet library on damaged files, without printing them, and reports them
//! as errors of the file.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use super::inconsistent;
use crate::source::error::ReadProblem;

thread_local! {
    /// Whether this thread runs the library.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs the library on an untrusted file.
pub(super) fn catch_panics<T>(
    work: impl FnOnce() -> Result<T, ReadProblem>,
) -> Result<T, ReadProblem> {
    silence_hook();
    let before = GUARDED.replace(true);
    // Unwind safety: partial results are dropped with the error.
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(before);
    result.unwrap_or_else(|_| Err(inconsistent()))
}

/// Installs a panic hook that is silent for threads that run the library.
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
