//! The module `pellucid._native`. What is in it stands in `crates/bindings`, which is compiled beside the rest; a module that Python
//! loads can only be begun when all the rest is there.

#![deny(unsafe_code)]

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    pellucid_bindings::fill(module)
}
