//! Conversion of panics to Python exceptions, and release of the interpreter's lock.
//!
//! Every function that Python calls uses [`guarded`] or [`detached`]; long runs with progress use `watch.rs`,
//! which uses [`caught`]. `PyO3` would raise a panic as a `PanicException`, which `except Exception` does not
//! catch. These functions raise a `RuntimeError` instead.

use crate::machine::warn_of_faults;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a function and returns the message of a panic as an error.
///
/// Objects that the function was changing may be in an inconsistent state after a panic. The message asks the
/// user to report a bug.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| panic_message(&*panic))
}

/// Runs a function with the interpreter's lock held.
pub(crate) fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    caught(work).map_err(panic_error)?
}

/// Runs a function without the interpreter's lock, then warns about devices that failed in the meantime.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let done = py.detach(|| caught(work));
    warn_of_faults(py)?;
    done.map_err(panic_error)
}

/// Returns the exception for a panic.
pub(crate) fn panic_error(message: String) -> PyErr {
    PyRuntimeError::new_err(message)
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    let text = text.unwrap_or_else(|| "no reason given".to_owned());
    format!("internal error: {text}; this is a bug in pellucid, please report it")
}

/// Panics, for the test that panics become exceptions. Not part of release builds.
#[cfg(debug_assertions)]
#[pyfunction]
pub(crate) fn simulate_panic(py: Python<'_>, is_detached: bool) -> PyResult<()> {
    if is_detached {
        return detached(py, || panic!("simulated failure"));
    }
    guarded(|| panic!("simulated failure"))
}
