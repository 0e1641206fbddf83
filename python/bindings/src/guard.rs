//! Work on behalf of Python: without the interpreter's lock where it takes time, and never a panic across the
//! border.
//!
//! Every function that Python calls does its work through [`guarded`] or [`detached`] (long runs with
//! progress go through `watch.rs`, which uses [`caught`]). A panic is a fault of ours; `PyO3` would raise it
//! as a `PanicException`, which `except Exception` does not catch. Here it becomes a `RuntimeError`.

use crate::machine::warn_of_faults;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does some work; a panic becomes the sentence that says so.
///
/// What the work changed before it broke off may be half done. The sentence says that it is a bug, and the
/// object that was at work should be made again.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| sentence(&*panic))
}

/// Does some work with the interpreter's lock held.
pub(crate) fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    caught(work).map_err(broken)?
}

/// Does some work without the interpreter's lock, then warns of devices that failed meanwhile.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let done = py.detach(|| caught(work));
    warn_of_faults(py)?;
    done.map_err(broken)
}

/// The exception for work that panicked.
pub(crate) fn broken(told: String) -> PyErr {
    PyRuntimeError::new_err(told)
}

fn sentence(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    let text = text.unwrap_or_else(|| "no reason given".to_owned());
    format!("internal error: {text}; this is a bug in pellucid, please report it")
}

/// Panics, for the test that no panic reaches Python as one; not in released builds.
#[cfg(debug_assertions)]
#[pyfunction]
pub(crate) fn simulate_panic(py: Python<'_>, is_detached: bool) -> PyResult<()> {
    if is_detached {
        return detached(py, || panic!("simulated failure"));
    }
    guarded(|| panic!("simulated failure"))
}
