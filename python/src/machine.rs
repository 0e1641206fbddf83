//! Which devices do the work.

use crate::errors;
use pellucid::device::{FaultListener, Machine, Threads};
use pellucid::devices::DeviceChoice;
use pyo3::exceptions::{PyRuntimeWarning, PyValueError};
use pyo3::prelude::*;
use std::ffi::CString;
use std::num::NonZeroUsize;

/// The threads that `n_jobs` asks for: nothing and -1 are all cores, -2 all but one, as scikit-learn counts.
pub(crate) fn threads(jobs: Option<i64>) -> PyResult<Option<NonZeroUsize>> {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let wrong = || {
        PyValueError::new_err(format!(
            "n_jobs: found {}, allowed are 1 to {}, or -1 for all cores",
            jobs.unwrap_or(0),
            Threads::MOST
        ))
    };
    let count = match jobs {
        None | Some(-1) => return Ok(None),
        Some(less) if less < -1 => {
            let left_out = usize::try_from(less.unsigned_abs() - 1).unwrap_or(usize::MAX);
            cores.saturating_sub(left_out).max(1)
        }
        Some(count) => usize::try_from(count).map_err(|_| wrong())?,
    };
    let count = NonZeroUsize::new(count).filter(|count| count.get() <= Threads::MOST);
    count.map(Some).ok_or_else(wrong)
}

/// The machine that `device` and `n_jobs` describe. A device that fails while others go on is a `RuntimeWarning`.
pub(crate) fn machine(device: Option<&str>, jobs: Option<i64>) -> PyResult<Machine> {
    let choice = match device {
        None => DeviceChoice::default(),
        Some(names) => DeviceChoice::named(names.split(',').map(str::trim)),
    };
    let choice = match threads(jobs)? {
        None => choice,
        Some(threads) => choice.threads(threads),
    };
    let warn = |fault: &_| {
        let text = CString::new(format!("{fault}")).unwrap_or_default();
        Python::attach(|py| {
            let category = py.get_type::<PyRuntimeWarning>();
            // A warning that was made an error cannot be raised from here.
            let _ = PyErr::warn(py, &category, &text, 1);
        });
    };
    choice.machine_telling(FaultListener::new(warn)).map_err(errors::value)
}
