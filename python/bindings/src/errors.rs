//! Errors as Python raises them: the sentence is the engine's, the type is what users expect.

use pellucid::io::{ReadError, ReadProblem};
use pyo3::PyErr;
use pyo3::exceptions::{PyOSError, PyValueError};
use std::error::Error;
use std::io;

/// What is wrong with what was given: a `ValueError`, or an `OSError` where a file is at fault.
pub(crate) fn value(error: impl Error + 'static) -> PyErr {
    let text = error.to_string();
    if is_io(&error) { PyOSError::new_err(text) } else { PyValueError::new_err(text) }
}

/// The same where the type of the error is not known.
pub(crate) fn boxed(error: Box<dyn Error + Send + Sync>) -> PyErr {
    let text = error.to_string();
    if is_io(&*error) { PyOSError::new_err(text) } else { PyValueError::new_err(text) }
}

/// Whether something was the matter with a file.
fn is_io(error: &(dyn Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        let unread = error.downcast_ref::<ReadError>();
        if error.is::<io::Error>()
            || unread.is_some_and(|it| matches!(*it.problem, ReadProblem::Io(_)))
        {
            return true;
        }
        next = error.source();
    }
    false
}
