//! Wheels and the source archive of the Python package.

use super::Outcome;
use super::build::{Build, need_target, text};
use crate::python::LARGEST_WHEEL;
use anyhow::{Context as _, Result, ensure};
use std::path::{Path, PathBuf};

/// The oldest C library that the compiler supports, as the name of a platform for wheels.
const PLATFORM: &str = "manylinux2014";

/// Builds the wheel for x86-64 Linux.
pub(super) fn host(build: &Build, out: &Path) -> Result<Outcome<PathBuf>> {
    let architecture = "x86_64";
    if cfg!(not(all(target_os = "linux", target_arch = "x86_64"))) {
        return Ok(Outcome::Skipped("it can be tested only on x86-64 Linux".to_owned()));
    }
    let wheel = wheel(build, architecture, out)?;
    Ok(Outcome::Done { what: size(&wheel)?, value: wheel })
}

/// Builds the wheel for 64-bit ARM Linux.
pub(super) fn aarch64(build: &Build, out: &Path) -> Result<Outcome<()>> {
    Ok(Outcome::done(size(&wheel(build, "aarch64", out)?)?))
}

/// Builds a wheel that works in all versions of Python, and returns its path.
fn wheel(build: &Build, architecture: &str, out: &Path) -> Result<PathBuf> {
    let target = format!("{architecture}-unknown-linux-gnu");
    need_target(&target)?;
    let fixed = ["build", "--release", "--locked", "--zig", "--compatibility", PLATFORM];
    let from = ["--manifest-path", "python/Cargo.toml", "--target", &target, "--out", text(out)?];
    build.run("maturin", &[&fixed[..], &from].concat())?;
    let wheel = find(out, &format!("_{architecture}.whl"))?;
    let name = wheel.display();
    ensure!(name.to_string().contains("-abi3-"), "{name} works in one version of Python only");
    let bytes = wheel.metadata()?.len();
    ensure!(bytes < LARGEST_WHEEL, "{name} has {bytes} bytes; expected fewer than {LARGEST_WHEEL}");
    Ok(wheel)
}

/// Makes the source archive of the package.
pub(super) fn source(build: &Build, out: &Path) -> Result<Outcome<()>> {
    let from = ["sdist", "--manifest-path", "python/Cargo.toml", "--out", text(out)?];
    build.run("maturin", &from)?;
    Ok(Outcome::done(size(&find(out, ".tar.gz")?)?))
}

/// Returns the file in a folder whose name ends so.
fn find(folder: &Path, ending: &str) -> Result<PathBuf> {
    let entries = std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut found = entries.filter(|path| path.to_str().is_some_and(|path| path.ends_with(ending)));
    found.next().with_context(|| format!("no file *{ending} in {}", folder.display()))
}

/// Returns the name and the size of a file.
pub(super) fn size(path: &Path) -> Result<String> {
    let name = path.file_name().context("a file")?.to_string_lossy();
    Ok(format!("{name}: {:.1} MB", path.metadata()?.len() as f64 / 1e6))
}
