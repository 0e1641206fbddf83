//! Out-of-fold predictions, as arrays.

use numpy::{IntoPyArray as _, PyArray1, PyArrayMethods as _};
use pellucid::learn::metrics::{Backing, Decisions};
use pellucid::learn::out_of_fold::OutOfFold;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Returns the actual and the predicted class of each out-of-fold prediction, by code, and the probability of
/// each class if there is one. Returns nothing if a number is predicted.
pub(crate) fn arrays<'py>(
    py: Python<'py>,
    held_out: &OutOfFold,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let decisions = held_out.decisions();
    let classes = decisions.classes.len();
    if classes == 0 {
        return Ok(None);
    }
    let list = decisions.list();
    let dict = PyDict::new(py);
    let codes = |code: &dyn Fn(usize) -> u32| -> Bound<'py, PyArray1<i64>> {
        let codes: Vec<i64> = (0..list.len()).map(|place| i64::from(code(place))).collect();
        codes.into_pyarray(py)
    };
    dict.set_item("actual", codes(&|place| list[place].actual))?;
    dict.set_item("predicted", codes(&|place| list[place].predicted))?;
    let probabilities = match probabilities(decisions) {
        Some(numbers) => Some(PyArray1::from_vec(py, numbers).reshape([list.len(), classes])?),
        None => None,
    };
    dict.set_item("probabilities", probabilities)?;
    Ok(Some(dict))
}

/// Returns the probabilities of all decisions, or nothing if one has none.
fn probabilities(decisions: &Decisions) -> Option<Vec<f64>> {
    let mut numbers = Vec::new();
    for place in 0..decisions.list().len() {
        match decisions.backing(place) {
            Backing::Probabilities(shares) => numbers.extend_from_slice(shares),
            Backing::Scores(_) | Backing::Nothing => return None,
        }
    }
    Some(numbers)
}
