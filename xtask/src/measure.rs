//! `cargo xtask bench`.

use crate::tools::{self, cargo, need_package};
use anyhow::Result;

/// Builds the command and runs the comparisons; they make their own Python environment under `bench/.venv`.
pub(crate) fn run() -> Result<()> {
    need_package("python3", "python3")?;
    cargo(&["build", "--release", "--package", "pellucid-cli"])?;
    tools::run("python3", &["bench/interpreter_vs_numpy.py"], &[])
}
