//! The command line, as the entry point `pellucid` of the package.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command with these arguments, of which the first is its own name, and gives the exit code.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| pellucid_cli::run(arguments))
}
