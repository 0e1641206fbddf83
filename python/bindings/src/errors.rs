//! Conversion of errors to Python exceptions.

use pellucid::io::{ReadError, ReadProblem};
use pyo3::PyErr;
use pyo3::exceptions::{PyOSError, PyValueError};
use std::error::Error;
use std::io;

/// Returns a `ValueError`, or an `OSError` if the error is about reading or writing a file.
pub(crate) fn value(error: impl Error + 'static) -> PyErr {
    let text = error.to_string();
    if is_io(&error) { PyOSError::new_err(text) } else { PyValueError::new_err(text) }
}

/// Returns the same for a boxed error.
pub(crate) fn boxed(error: Box<dyn Error + Send + Sync>) -> PyErr {
    let text = error.to_string();
    if is_io(&*error) { PyOSError::new_err(text) } else { PyValueError::new_err(text) }
}

/// Whether an error, or one of its sources, is an I/O error.
fn is_io(error: &(dyn Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        let read_error = error.downcast_ref::<ReadError>();
        if error.is::<io::Error>()
            || read_error.is_some_and(|it| matches!(*it.problem, ReadProblem::Io(_)))
        {
            return true;
        }
        next = error.source();
    }
    false
}
