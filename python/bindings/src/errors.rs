//! Conversion of errors to Python exceptions.

use pellucid::io::{ReadError, ReadProblem};
use pellucid::message_of;
use pyo3::PyErr;
use pyo3::exceptions::{PyOSError, PyValueError};
use std::error::Error;
use std::io;

/// Returns a `ValueError`, or an `OSError` if the error is about reading or writing a file.
pub(crate) fn value(error: impl Error + 'static) -> PyErr {
    let text = with_keywords(&error);
    if is_io(&error) { PyOSError::new_err(text) } else { PyValueError::new_err(text) }
}

/// Returns the same for a boxed error.
pub(crate) fn boxed(error: Box<dyn Error + Send + Sync>) -> PyErr {
    let text = with_keywords(&*error);
    if is_io(&*error) { PyOSError::new_err(text) } else { PyValueError::new_err(text) }
}

/// Returns the text of an error with its parameters as keyword arguments.
fn with_keywords(error: &(dyn Error + 'static)) -> String {
    message_of(error).spell(|parameter| match (keyword(&parameter.name), &parameter.value) {
        (None, _) => parameter.to_string(),
        (Some(name), None) => name.to_owned(),
        (Some(name), Some(value)) => format!("{name}={value}"),
    })
}

/// Parameters that have another name in Python, as in scikit-learn.
pub(crate) const RENAMED: &[(&str, &str)] = &[
    ("most_columns", "max_columns"),
    ("most_comparisons", "max_conditions"),
    ("most_rules", "max_rules"),
    ("monotone", "monotonic_cst"),
    ("seed", "random_state"),
];

/// Returns the Python name of a parameter, if it has another one.
fn keyword(parameter: &str) -> Option<&'static str> {
    RENAMED.iter().find(|(name, _)| *name == parameter).map(|(_, keyword)| *keyword)
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
