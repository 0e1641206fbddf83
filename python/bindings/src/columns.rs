//! `NumPy` arrays as columns: of any number type and any order in memory. Doubles that lie side by side stay where they are; all others
//! are copied, as a column is doubles one after the other.

use crate::lent;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pellucid::data::{MISSING, Values};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// The numbers of an array of one dimension. Truth values become a column of those.
#[expect(clippy::cast_lossless, clippy::cast_precision_loss, reason = "columns are doubles")]
pub(crate) fn numbers(array: &Bound<'_, PyAny>) -> PyResult<Values> {
    if let Ok(truths) = array.extract::<PyReadonlyArray1<'_, bool>>() {
        return Ok(Values::Boolean(truths.as_array().iter().map(|&truth| Some(truth)).collect()));
    }
    if let Some(numbers) = array.extract().ok().and_then(|array| lent::numbers(&array)) {
        return Ok(Values::Numeric(numbers));
    }
    macro_rules! widened {
        ($($number:ty),+) => {$(
            if let Ok(read) = array.extract::<PyReadonlyArray1<'_, $number>>() {
                let read = read.as_array();
                return Ok(Values::Numeric(read.iter().map(|&value| value as f64).collect()));
            }
        )+};
    }
    widened!(f64, f32, i64, i32, u8, i8, i16, u16, u32, u64);
    Err(unexpected(array, 1))
}

/// The columns of an array of two dimensions.
#[expect(clippy::cast_lossless, clippy::cast_precision_loss, reason = "columns are doubles")]
pub(crate) fn matrix(array: &Bound<'_, PyAny>) -> PyResult<Vec<Values>> {
    if let Ok(truths) = array.extract::<PyReadonlyArray2<'_, bool>>() {
        let truths = truths.as_array();
        let column = |column: numpy::ndarray::ArrayView1<'_, bool>| {
            Values::Boolean(column.iter().map(|&truth| Some(truth)).collect())
        };
        return Ok(truths.columns().into_iter().map(column).collect());
    }
    if let Some(columns) = array.extract().ok().and_then(|array| lent::columns(&array)) {
        return Ok(columns.into_iter().map(Values::Numeric).collect());
    }
    macro_rules! widened {
        ($($number:ty),+) => {$(
            if let Ok(read) = array.extract::<PyReadonlyArray2<'_, $number>>() {
                let read = read.as_array();
                let column = |column: numpy::ndarray::ArrayView1<'_, $number>| {
                    Values::Numeric(column.iter().map(|&value| value as f64).collect())
                };
                return Ok(read.columns().into_iter().map(column).collect());
            }
        )+};
    }
    widened!(f64, f32, i64, i32, u8, i8, i16, u16, u32, u64);
    Err(unexpected(array, 2))
}

/// Codes into categories; whatever is below zero is missing.
pub(crate) fn codes(array: &Bound<'_, PyAny>, categories: Vec<String>) -> PyResult<Values> {
    let read: PyReadonlyArray1<'_, i64> = array.extract()?;
    let code = |&code: &i64| u32::try_from(code).unwrap_or(MISSING);
    let codes: Vec<u32> = read.as_array().iter().map(code).collect();
    let known = u32::try_from(categories.len()).unwrap_or(MISSING);
    if codes.iter().any(|&code| code != MISSING && code >= known) {
        return Err(PyTypeError::new_err(format!("a code has none of the {known} categories")));
    }
    Ok(Values::Nominal { codes, categories })
}

fn unexpected(array: &Bound<'_, PyAny>, dimensions: usize) -> PyErr {
    let kind =
        |name: &str| array.getattr(name).map_or_else(|_| "?".to_owned(), |it| it.to_string());
    PyTypeError::new_err(format!(
        "found an array of type {} with {} dimensions; numbers or truth values with {dimensions} were expected",
        kind("dtype"),
        kind("ndim")
    ))
}
