//! `NumPy` arrays as columns: of any number type and any order in memory.
//!
//! All values are copied, once, before the interpreter's lock is released: another thread may write to the
//! array at any time after that. A copy takes eight bytes for each number and a fraction of the time that
//! anything else takes.

use numpy::ndarray::{ArrayView1, Dimension};
use numpy::{Element, PyReadonlyArray, PyReadonlyArray1, PyReadonlyArray2};
use pellucid::data::{MISSING, Values};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// A column as it was read, and the first whole number that a double cannot hold.
pub(crate) struct ReadColumn {
    pub(crate) values: Values,
    pub(crate) rounded: Option<String>,
}

/// A number of an array as a double.
trait Number: Element + Copy {
    fn double(self) -> f64;
    /// The number itself as text, where the double is another one.
    fn rounded(self) -> Option<String>;
}

macro_rules! exact {
    ($($number:ty),+) => {$(
        impl Number for $number {
            fn double(self) -> f64 {
                f64::from(self)
            }

            fn rounded(self) -> Option<String> {
                None
            }
        }
    )+};
}

macro_rules! long {
    ($($number:ty),+) => {$(
        impl Number for $number {
            #[expect(clippy::cast_precision_loss, reason = "columns are doubles, and losses are reported")]
            fn double(self) -> f64 {
                self as f64
            }

            fn rounded(self) -> Option<String> {
                is_rounded(i128::from(self)).then(|| self.to_string())
            }
        }
    )+};
}

exact!(f64, f32, i32, u8, i8, i16, u16, u32);
long!(i64, u64);

/// Whether a whole number differs from the nearest double.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "that is the question"
)]
pub(crate) fn is_rounded(whole: i128) -> bool {
    whole as f64 as i128 != whole
}

/// Truth values as bytes. `NumPy` allows any byte in them, and everything but zero is true.
pub(crate) fn truths<'py, D: Dimension>(
    array: &Bound<'py, PyAny>,
) -> PyResult<PyReadonlyArray<'py, u8, D>> {
    array.call_method1("view", ("uint8",))?.extract()
}

fn is_boolean(array: &Bound<'_, PyAny>) -> PyResult<bool> {
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    Ok(kind == "b")
}

fn boolean(column: ArrayView1<'_, u8>) -> ReadColumn {
    let values = Values::Boolean(column.iter().map(|&byte| Some(byte != 0)).collect());
    ReadColumn { values, rounded: None }
}

fn numeric<T: Number>(column: ArrayView1<'_, T>) -> ReadColumn {
    let values = Values::Numeric(column.iter().map(|&value| value.double()).collect());
    ReadColumn { values, rounded: column.iter().find_map(|value| value.rounded()) }
}

/// Leaves out the values where a mask is true.
fn masked(column: &mut ReadColumn, mask: &Bound<'_, PyAny>) -> PyResult<()> {
    let mask: PyReadonlyArray1<'_, u8> = truths(mask)?;
    let is_masked = mask.as_array().iter().map(|&byte| byte != 0).collect::<Vec<_>>();
    if is_masked.len() != column.values.len() {
        let (found, wanted) = (is_masked.len(), column.values.len());
        return Err(PyTypeError::new_err(format!("a mask has {found} values, not {wanted}")));
    }
    match &mut column.values {
        Values::Numeric(numbers) => {
            let shown = numbers.iter().zip(&is_masked);
            *numbers = shown.map(|(&number, &gone)| if gone { f64::NAN } else { number }).collect();
        }
        Values::Boolean(truths) => {
            let hidden = truths.iter_mut().zip(&is_masked).filter(|(_, gone)| **gone);
            hidden.for_each(|(truth, _)| *truth = None);
        }
        Values::Nominal { .. } => {}
    }
    Ok(())
}

/// The numbers or truth values of an array of one dimension; those where the mask is true are missing.
pub(crate) fn numbers(
    array: &Bound<'_, PyAny>,
    mask: Option<&Bound<'_, PyAny>>,
) -> PyResult<ReadColumn> {
    let mut column = unmasked(array)?;
    if let Some(mask) = mask {
        masked(&mut column, mask)?;
    }
    Ok(column)
}

fn unmasked(array: &Bound<'_, PyAny>) -> PyResult<ReadColumn> {
    if is_boolean(array)? {
        return Ok(boolean(truths::<numpy::Ix1>(array)?.as_array()));
    }
    macro_rules! read {
        ($($number:ty),+) => {$(
            if let Ok(read) = array.extract::<PyReadonlyArray1<'_, $number>>() {
                return Ok(numeric(read.as_array()));
            }
        )+};
    }
    read!(f64, f32, i64, i32, u8, i8, i16, u16, u32, u64);
    Err(unexpected(array, 1))
}

/// The columns of an array of two dimensions.
pub(crate) fn matrix(array: &Bound<'_, PyAny>) -> PyResult<Vec<ReadColumn>> {
    if is_boolean(array)? {
        let read = truths::<numpy::Ix2>(array)?;
        return Ok(read.as_array().columns().into_iter().map(boolean).collect());
    }
    macro_rules! read {
        ($($number:ty),+) => {$(
            if let Ok(read) = array.extract::<PyReadonlyArray2<'_, $number>>() {
                return Ok(read.as_array().columns().into_iter().map(numeric).collect());
            }
        )+};
    }
    read!(f64, f32, i64, i32, u8, i8, i16, u16, u32, u64);
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
