//! Selection of devices.

use crate::errors;
use crate::guard::detached;
use pellucid::device::{FAULT_VARIABLE, FaultListener, Machine, Threads};
use pellucid::devices::DeviceChoice;
use pyo3::exceptions::{PyRuntimeWarning, PyValueError};
use pyo3::prelude::*;
use std::ffi::CString;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

/// Returns the number of threads for `n_jobs`, as in scikit-learn: none and -1 mean all cores, -2
/// all but one.
pub(crate) fn threads(jobs: Option<i64>) -> PyResult<Option<NonZeroUsize>> {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let invalid = || {
        PyValueError::new_err(format!(
            "n_jobs: found {}; expected 1 to {}, or -1 for all cores",
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
        Some(count) => usize::try_from(count).map_err(|_| invalid())?,
    };
    let count = NonZeroUsize::new(count).filter(|count| count.get() <= Threads::MOST);
    count.map(Some).ok_or_else(invalid)
}

/// The default device for work that cannot use GPUs. Detecting GPUs takes longer than most of that work.
pub(crate) const CPU: &str = "cpu";

/// An open machine, with the arguments and the process it was opened for.
struct CachedMachine {
    device: Option<String>,
    threads: Option<NonZeroUsize>,
    process: u32,
    machine: Machine,
}

/// The number of machines that stay open.
const KEPT: usize = 4;

/// Device failures that no Python thread has warned about yet.
///
/// Devices report failures on their own threads, often while the caller waits for them. If those
/// threads called Python directly, the two could deadlock.
static FAULTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Issues a `RuntimeWarning` for each device that failed since the last call.
pub(crate) fn warn_of_faults(py: Python<'_>) -> PyResult<()> {
    let faults = std::mem::take(&mut *FAULTS.lock().unwrap_or_else(PoisonError::into_inner));
    let category = py.get_type::<PyRuntimeWarning>();
    faults.into_iter().try_for_each(|fault| {
        let text = CString::new(fault.replace('\0', " ")).unwrap_or_default();
        PyErr::warn(py, &category, &text, 1)
    })
}

/// Opens the machine for `device` and `n_jobs` without the interpreter's lock. If a device fails and others
/// continue, a `RuntimeWarning` is issued.
pub(crate) fn machine(
    py: Python<'_>,
    device: Option<&str>,
    jobs: Option<i64>,
) -> PyResult<Machine> {
    detached(py, || open_cached(device, jobs))?
}

/// Opens a machine, for callers without the interpreter's lock.
///
/// Detecting GPUs and starting threads takes longer than many calls, so machines stay open. A forked process
/// does not have the threads of its parent and opens its own machines.
pub(crate) fn open_cached(device: Option<&str>, jobs: Option<i64>) -> PyResult<Machine> {
    static CACHE: Mutex<Vec<CachedMachine>> = Mutex::new(Vec::new());
    let (threads, process) = (threads(jobs)?, std::process::id());
    // Simulated failures are counted from the first call of a machine.
    if std::env::var_os(FAULT_VARIABLE).is_some() {
        return open(device, threads);
    }
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if cache.iter().any(|cached| cached.process != process) {
        // Dropping these machines would wait forever for threads that do not exist in this process.
        std::mem::forget(std::mem::take(&mut *cache));
    }
    let is_same =
        |cached: &CachedMachine| cached.device.as_deref() == device && cached.threads == threads;
    if let Some(index) = cache.iter().position(is_same) {
        let cached = cache.remove(index);
        let machine = cached.machine.clone();
        cache.push(cached);
        return Ok(machine);
    }
    let machine = open(device, threads)?;
    if cache.len() == KEPT {
        cache.remove(0);
    }
    let device = device.map(str::to_owned);
    cache.push(CachedMachine { device, threads, process, machine: machine.clone() });
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
