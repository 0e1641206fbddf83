//! Doubles that stay where `NumPy` has them.

use numpy::ndarray::ArrayView1;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pellucid::data::Numbers;
use pyo3::prelude::*;
use std::sync::Arc;

/// Doubles side by side in the memory of an array, which is kept as long as they are needed.
struct Lent {
    _array: Py<PyAny>,
    first: *const f64,
    length: usize,
}

// SAFETY: the pointer is only read from, and the array that it points into may be let go on any thread.
unsafe impl Send for Lent {}
// SAFETY: as above; nothing here changes.
unsafe impl Sync for Lent {}

impl AsRef<[f64]> for Lent {
    fn as_ref(&self) -> &[f64] {
        // SAFETY: the array is alive, as this owns a reference to it, and NumPy moves no memory of an array that somebody has a
        // reference to. `first` and `length` are those of a slice of it, and any bits are a double.
        // Nobody writes to them as long as the caller leaves its data alone while it is learned from, which NumPy's own
        // functions ask for too when they work without the interpreter.
        unsafe { std::slice::from_raw_parts(self.first, self.length) }
    }
}

/// Keeps the array of some numbers that lie side by side in it.
fn kept(array: &Bound<'_, PyAny>, column: ArrayView1<'_, f64>) -> Option<Numbers> {
    let numbers = column.to_slice()?;
    let (first, length) = (numbers.as_ptr(), numbers.len());
    Some(Numbers::lent(Arc::new(Lent { _array: array.clone().unbind(), first, length })))
}

/// The numbers of an array, if they lie side by side.
pub(crate) fn numbers(array: &PyReadonlyArray1<'_, f64>) -> Option<Numbers> {
    kept(array, array.as_array())
}

/// The columns of an array, if the numbers of each lie side by side.
pub(crate) fn columns(array: &PyReadonlyArray2<'_, f64>) -> Option<Vec<Numbers>> {
    array.as_array().columns().into_iter().map(|column| kept(array, column)).collect()
}
