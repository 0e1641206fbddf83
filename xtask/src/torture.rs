//! Damaged files, kills and full disks: built here, done by the crate `torture`.

use anyhow::{Result, ensure};
use std::process::Command;

/// Builds the command and its torturer, and lets it work. What it finds is printed; the file of a case is shown by
/// `torture case SEED N` and belongs into `tests/corpus/READER` once the reader is mended.
pub(crate) fn run(more: &[&str]) -> Result<()> {
    let built = Command::new("cargo")
        .args(["build", "--quiet", "--package", "pellucid-cli", "--package", "pellucid-torture"])
        .status()?;
    ensure!(built.success(), "it does not compile");
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| format!("{root}/target").into(), std::path::PathBuf::from);
    let torture = target.join("debug/torture");
    let done = Command::new(torture).args(more).status()?;
    ensure!(done.success(), "something failed that must not");
    Ok(())
}
