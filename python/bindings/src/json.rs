//! Conversion between JSON values and Python objects.

use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde_json::{Map, Number, Value};

/// Converts a JSON value to a Python object.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(boolean) => boolean.into_bound_py_any(py),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(whole), _) => whole.into_bound_py_any(py),
            (None, Some(whole)) => whole.into_bound_py_any(py),
            (None, None) => number.as_f64().into_bound_py_any(py),
        },
        Value::String(text) => text.into_bound_py_any(py),
        Value::Array(items) => {
            let list = PyList::empty(py);
            items.iter().try_for_each(|item| list.append(to_python(py, item)?))?;
            Ok(list.into_any())
        }
        Value::Object(pairs) => Ok(dict(py, pairs)?.into_any()),
    }
}

/// Converts a JSON object to a dictionary.
pub(crate) fn dict<'py>(
    py: Python<'py>,
    pairs: &Map<String, Value>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    pairs.iter().try_for_each(|(key, value)| dict.set_item(key, to_python(py, value)?))?;
    Ok(dict)
}

/// Converts a Python object to JSON, if it consists of types that JSON supports.
pub(crate) fn from_python(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    if object.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(boolean) = object.cast::<PyBool>() {
        return Ok(Value::Bool(boolean.is_true()));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Value::String(text.to_cow()?.into_owned()));
    }
    if object.cast::<PyInt>().is_ok() {
        if let Ok(whole) = object.extract::<i64>() {
            return Ok(Value::from(whole));
        }
        return Ok(Value::from(object.extract::<u64>()?));
    }
    if object.cast::<PyFloat>().is_ok() {
        let number = object.extract::<f64>()?;
        let finite = Number::from_f64(number);
        return finite.map(Value::Number).ok_or_else(|| {
            PyValueError::new_err(format!("found {number}; expected a finite number"))
        });
    }
    if let Ok(pairs) = object.cast::<PyDict>() {
        let pairs = pairs
            .iter()
            .map(|(key, value)| Ok((key.str()?.to_cow()?.into_owned(), from_python(&value)?)));
        return Ok(Value::Object(pairs.collect::<PyResult<_>>()?));
    }
    if object.cast::<PyList>().is_ok() || object.cast::<PyTuple>().is_ok() {
        let items = object.try_iter()?.map(|item| from_python(&item?));
        return Ok(Value::Array(items.collect::<PyResult<_>>()?));
    }
    // NumPy scalars.
    if let Ok(plain) = object.call_method0("item") {
        return from_python(&plain);
    }
    let kind = object.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "found a {kind}; expected a number, a string, a boolean, or a list or dictionary of these"
    )))
}
