//! The Python package in the gate: it uses the build of the tests, so that nothing is built again, and is
//! tested in its own environment under `python/.venv`.

use crate::measure::need_python;
use crate::tools::{self, cargo, need, root};
use anyhow::{Context as _, Result, ensure};
use std::path::{Path, PathBuf};

/// The interpreter of the environment, from the top of the project.
const PYTHON: &str = "python/.venv/bin/python";
/// The maximum size of a released wheel, in bytes.
pub(crate) const LARGEST_WHEEL: u64 = 25_000_000;

/// Tests the package; `full` also builds the release wheel, installs it in another environment and tests it,
/// including Ray.
pub(crate) fn test(full: bool) -> Result<()> {
    environment("test")?;
    place_native()?;
    let tests = ["-m", "pytest", "--quiet", "-p", "no:cacheprovider", "python/tests"];
    // Programs that the tests start run in other folders.
    let package = root().join("python");
    let package = package.to_str().context("the project's folder is not UTF-8")?;
    let variables = [("PYTHONPATH", package), ("PYTHONDONTWRITEBYTECODE", "1")];
    tools::run(PYTHON, &tests, &variables)?;
    if !full {
        return Ok(());
    }
    // Debian keeps the programs of the server out of the search path.
    need("sh", &["-c", "which initdb || ls /usr/lib/postgresql/*/bin/initdb"], "postgresql")?;
    let tests = [&tests[..5], &["python/tests/test_postgresql.py"]].concat();
    tools::run(PYTHON, &tests, &[&variables[..], &[("PELLUCID_FULL", "1")]].concat())?;
    wheel()
}

/// Builds the native module as the tests do, and puts it into the package.
pub(crate) fn place_native() -> Result<()> {
    // With `--tests`, dependencies have the features that they have in the tests, and are not built again.
    cargo(&["build", "--quiet", "--workspace", "--all-features", "--lib", "--tests"])?;
    let built = target().join("debug/libpellucid_python.so");
    let place = root().join("python/pellucid/_native.abi3.so");
    // Another process may have the file open, so it is replaced, not overwritten.
    let beside = place.with_extension("new");
    std::fs::copy(&built, &beside).with_context(|| built.display().to_string())?;
    Ok(std::fs::rename(&beside, &place)?)
}

/// Writes the Python reference of the guide.
pub(crate) fn reference(page: &Path) -> Result<()> {
    environment("test")?;
    place_native()?;
    let package = root().join("python");
    let package = package.to_str().context("the project's folder is not UTF-8")?;
    let page = page.to_str().context("the project's folder is not UTF-8")?;
    tools::run(PYTHON, &["python/tools/reference.py", page], &[("PYTHONPATH", package)])
}

fn target() -> PathBuf {
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    root().join(target)
}

/// Creates the environment, or updates it to the project file.
fn environment(group: &str) -> Result<()> {
    need_python()?;
    let folder = root().join("python/.venv");
    let project = std::fs::read_to_string(root().join("python/pyproject.toml"))?;
    let stamp = folder.join(format!("{group}.installed"));
    if std::fs::read_to_string(&stamp).is_ok_and(|known| known == project) {
        return Ok(());
    }
    if !folder.join("bin/python").exists() {
        tools::run("python3", &["-m", "venv", "python/.venv"], &[])?;
    }
    let pip = |what: &[&str]| {
        let line = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        tools::run(PYTHON, &[&line[..], what].concat(), &[])
    };
    // Older versions do not support groups.
    pip(&["--upgrade", "pip"])?;
    pip(&["--group", &format!("python/pyproject.toml:{group}")])?;
    Ok(std::fs::write(&stamp, project)?)
}

/// Builds the wheel, installs it in a new environment, and tests it.
fn wheel() -> Result<()> {
    environment("wheel")?;
    let out = target().join("wheels");
    let shown = out.to_str().context("the target folder's name is not UTF-8")?;
    let build = ["-m", "maturin", "build", "--release", "--manifest-path", "python/Cargo.toml"];
    tools::run(PYTHON, &[&build[..], &["--out", shown]].concat(), &[])?;
    let newest = std::fs::read_dir(&out)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "whl"))
        .max_by_key(|path| path.metadata().and_then(|known| known.modified()).ok())
        .context("no wheel was built")?;
    let bytes = newest.metadata()?.len();
    eprintln!("{}: {:.1} MB", newest.display(), bytes as f64 / 1e6);
    ensure!(
        bytes < LARGEST_WHEEL,
        "the wheel has {bytes} bytes; expected fewer than {LARGEST_WHEEL}"
    );
    let name = newest.to_str().context("the wheel's name is not UTF-8")?;
    tools::run("python3", &["-m", "venv", "--clear", "python/.venv/wheel"], &[])?;
    let python = "python/.venv/wheel/bin/python";
    tools::run(
        python,
        &["-m", "pip", "install", "--quiet", name, "ray", "pytest", "pandas", "pyarrow"],
        &[],
    )?;
    tools::run("python/.venv/wheel/bin/pellucid", &["--version"], &[])?;
    let tests = ["-m", "pytest", "--quiet", "-p", "no:cacheprovider"];
    let variables = [("PELLUCID_FULL", "1"), ("RAY_USAGE_STATS_ENABLED", "0")];
    tools::run(python, &[&tests[..], &["python/tests/test_ray.py"]].concat(), &variables)
}
