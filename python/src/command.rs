//! The command line, as the `pellucid` entry point of the package.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command and returns its exit code. The first argument is the name of the command.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| pellucid_cli::run(arguments))
}
