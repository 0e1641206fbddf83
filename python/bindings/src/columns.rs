//! Columns from `NumPy` arrays of any number type and memory order.
//!
//! All values are copied before the interpreter's lock is released, because another thread can write to the
//! array after that. A copy takes eight bytes per number and little time compared with training.

use numpy::ndarray::{ArrayView1, Dimension};
use numpy::{Element, PyReadonlyArray, PyReadonlyArray1, PyReadonlyArray2};
use pellucid::data::{MISSING, Values};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// A column, and the first whole number in it that an `f64` cannot represent.
pub(crate) struct ReadColumn {
    pub(crate) values: Values,
    pub(crate) rounded: Option<String>,
}

/// A number type of an array.
trait Number: Element + Copy {
    fn double(self) -> f64;
    /// Returns the number as text if an `f64` cannot represent it.
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

/// Whether a whole number differs from the nearest `f64`.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "the function tests for the loss"
)]
pub(crate) fn is_rounded(whole: i128) -> bool {
    whole as f64 as i128 != whole
}

/// Returns a boolean array as bytes. `NumPy` allows any byte in it, and every byte except 0 is true.
pub(crate) fn boolean_bytes<'py, D: Dimension>(
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

/// Sets the values where a mask is true to missing.
fn apply_mask(column: &mut ReadColumn, mask: &Bound<'_, PyAny>) -> PyResult<()> {
    let mask: PyReadonlyArray1<'_, u8> = boolean_bytes(mask)?;
    let is_masked = mask.as_array().iter().map(|&byte| byte != 0).collect::<Vec<_>>();
    if is_masked.len() != column.values.len() {
        let (found, expected) = (is_masked.len(), column.values.len());
        return Err(PyTypeError::new_err(format!(
            "found a mask with {found} values; expected {expected}"
        )));
    }
    match &mut column.values {
        Values::Numeric(numbers) => {
            let pairs = numbers.iter().zip(&is_masked);
            *numbers =
                pairs.map(|(&number, &masked)| if masked { f64::NAN } else { number }).collect();
        }
        Values::Boolean(booleans) => {
            let masked = booleans.iter_mut().zip(&is_masked).filter(|(_, masked)| **masked);
            masked.for_each(|(value, _)| *value = None);
        }
        Values::Nominal { .. } => {}
    }
    Ok(())
}

/// Reads a one-dimensional array of numbers or booleans. Values where the mask is true are missing.
pub(crate) fn numbers(
    array: &Bound<'_, PyAny>,
    mask: Option<&Bound<'_, PyAny>>,
) -> PyResult<ReadColumn> {
    let mut column = unmasked(array)?;
    if let Some(mask) = mask {
        apply_mask(&mut column, mask)?;
    }
    Ok(column)
}

fn unmasked(array: &Bound<'_, PyAny>) -> PyResult<ReadColumn> {
    if is_boolean(array)? {
        return Ok(boolean(boolean_bytes::<numpy::Ix1>(array)?.as_array()));
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

/// Reads the columns of a two-dimensional array.
pub(crate) fn matrix(array: &Bound<'_, PyAny>) -> PyResult<Vec<ReadColumn>> {
    if is_boolean(array)? {
        let read = boolean_bytes::<numpy::Ix2>(array)?;
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

/// Reads category codes. Negative codes are missing values.
pub(crate) fn codes(array: &Bound<'_, PyAny>, categories: Vec<String>) -> PyResult<Values> {
    let read: PyReadonlyArray1<'_, i64> = array.extract()?;
    let code = |&code: &i64| u32::try_from(code).unwrap_or(MISSING);
    let codes: Vec<u32> = read.as_array().iter().map(code).collect();
    let known = u32::try_from(categories.len()).unwrap_or(MISSING);
    if codes.iter().any(|&code| code != MISSING && code >= known) {
        return Err(PyTypeError::new_err(format!("a code is not below the {known} categories")));
    }
    Ok(Values::Nominal { codes, categories })
}

fn unexpected(array: &Bound<'_, PyAny>, dimensions: usize) -> PyErr {
    let kind =
        |name: &str| array.getattr(name).map_or_else(|_| "?".to_owned(), |it| it.to_string());
    PyTypeError::new_err(format!(
        "found an array of type {} with {} dimension(s); expected numbers or booleans with {dimensions}",
        kind("dtype"),
        kind("ndim")
    ))
}
