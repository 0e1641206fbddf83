//! The native module of the `pellucid` Python package: the bindings and the command line.

#![deny(unsafe_code)]

mod command;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(command::run_command, module)?)?;
    pellucid_bindings::add_to(module)
}
