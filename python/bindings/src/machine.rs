//! Which devices do the work.

use crate::errors;
use crate::guard::detached;
use pellucid::device::{FAULT_VARIABLE, FaultListener, Machine, Threads};
use pellucid::devices::DeviceChoice;
use pyo3::exceptions::{PyRuntimeWarning, PyValueError};
use pyo3::prelude::*;
use std::ffi::CString;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

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

/// The device that work uses which GPUs have no part in, where none was named: to look for GPUs takes longer than most such work.
pub(crate) const PROCESSOR: &str = "cpu";

/// A machine that was opened, by what was asked for and the process that opened it.
struct Opened {
    device: Option<String>,
    threads: Option<NonZeroUsize>,
    process: u32,
    machine: Machine,
}

/// How many machines are kept open.
const KEPT: usize = 4;

/// What failed on devices while others went on, and no Python thread has warned of yet. Devices report
/// failures on threads of their own, often while the caller waits for them; were those to call into Python,
/// each could wait for the other.
static FAULTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Warns of devices that failed since the last call, each with a `RuntimeWarning`.
pub(crate) fn warn_of_faults(py: Python<'_>) -> PyResult<()> {
    let faults = std::mem::take(&mut *FAULTS.lock().unwrap_or_else(PoisonError::into_inner));
    let category = py.get_type::<PyRuntimeWarning>();
    faults.into_iter().try_for_each(|fault| {
        let text = CString::new(fault.replace('\0', " ")).unwrap_or_default();
        PyErr::warn(py, &category, &text, 1)
    })
}

/// The machine that `device` and `n_jobs` describe, opened without the interpreter's lock. A device that
/// fails while others go on is a `RuntimeWarning`.
pub(crate) fn machine(
    py: Python<'_>,
    device: Option<&str>,
    jobs: Option<i64>,
) -> PyResult<Machine> {
    detached(py, || opened(device, jobs))?
}

/// The same for a caller without the interpreter's lock.
///
/// To look for GPUs and to start threads takes longer than many a call, so what was opened stays open. A forked process has none of its
/// parent's threads and opens its own.
pub(crate) fn opened(device: Option<&str>, jobs: Option<i64>) -> PyResult<Machine> {
    static OPENED: Mutex<Vec<Opened>> = Mutex::new(Vec::new());
    let (threads, process) = (threads(jobs)?, std::process::id());
    // Failures that are rehearsed are counted from the first call on.
    if std::env::var_os(FAULT_VARIABLE).is_some() {
        return open(device, threads);
    }
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    if opened.iter().any(|known| known.process != process) {
        // To end the threads of another process would be to wait for ever.
        std::mem::forget(std::mem::take(&mut *opened));
    }
    let is_asked = |known: &Opened| known.device.as_deref() == device && known.threads == threads;
    if let Some(place) = opened.iter().position(is_asked) {
        let known = opened.remove(place);
        let machine = known.machine.clone();
        opened.push(known);
        return Ok(machine);
    }
    let machine = open(device, threads)?;
    if opened.len() == KEPT {
        opened.remove(0);
    }
    let device = device.map(str::to_owned);
    opened.push(Opened { device, threads, process, machine: machine.clone() });
    Ok(machine)
}

fn open(device: Option<&str>, threads: Option<NonZeroUsize>) -> PyResult<Machine> {
    let choice = match device {
        None => DeviceChoice::default(),
        Some(names) => DeviceChoice::named(names.split(',').map(str::trim)),
    };
    let choice = match threads {
        None => choice,
        Some(threads) => choice.threads(threads),
    };
    let warn = |fault: &_| {
        FAULTS.lock().unwrap_or_else(PoisonError::into_inner).push(format!("{fault}"));
    };
    choice.machine_telling(FaultListener::new(warn)).map_err(errors::value)
}
