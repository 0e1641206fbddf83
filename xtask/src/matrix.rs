//! `cargo xtask matrix`: the Python tests with the oldest and the newest packages that are supported.
//!
//! The native module works in every version of Python, so it is built once. Each combination has an
//! environment of its own in `target/matrix`.

use crate::python;
use crate::tools::{self, has, root};
use anyhow::{Context as _, Result, bail, ensure};
use std::path::{Path, PathBuf};

/// A version of Python, and the packages to test it with; all others are the newest.
struct Combination {
    python: &'static str,
    packages: &'static [&'static str],
}

/// The combinations, oldest first.
const ALL: [Combination; 5] = [
    Combination {
        python: "3.10",
        packages: &["numpy==1.26.*", "pandas==2.*", "scikit-learn==1.6.*"],
    },
    Combination {
        python: "3.11",
        // Newer versions of pyarrow, which pip would select, need NumPy 2.
        packages: &["numpy==1.26.*", "pandas==3.*", "scikit-learn==1.7.*", "pyarrow<22"],
    },
    Combination { python: "3.12", packages: &["numpy==2.*", "pandas==2.*", "scikit-learn==1.6.*"] },
    Combination { python: "3.13", packages: &["numpy", "pandas==3.*", "scikit-learn"] },
    Combination { python: "3.14", packages: &["numpy", "pandas", "scikit-learn"] },
];

/// The tests that the gate runs with the oldest packages: those that depend most on other packages.
const PART: [&str; 4] =
    ["test_arrays.py", "test_inputs.py", "test_categories.py", "test_rule_tables.py"];
/// Tests of the sources, which do not depend on the environment.
const OF_SOURCES: [&str; 2] = ["test_typing.py", "test_notebooks.py"];

/// Runs the tests in all environments, or in those of the given versions of Python; `--part` runs the tests
/// of the gate. Versions that are not installed are named at the end.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let part = words.contains(&"--part");
    let wanted: Vec<&str> = words.iter().copied().filter(|word| *word != "--part").collect();
    if let Some(unknown) = wanted.iter().find(|word| ALL.iter().all(|one| one.python != **word)) {
        let known = ALL.map(|one| one.python).join(", ");
        bail!("matrix: found '{unknown}'; expected --part or one of {known}");
    }
    python::place_native()?;
    let chosen = ALL.iter().filter(|one| wanted.is_empty() || wanted.contains(&one.python));
    let (mut lines, mut failed) = (Vec::new(), false);
    for one in chosen {
        let line = match interpreter(one.python) {
            None => "skipped: it is not installed".to_owned(),
            Some(python) => match test(one, &python, part) {
                Ok(versions) => format!("passed with {versions}"),
                Err(error) => {
                    failed = true;
                    format!("failed: {error:#}")
                }
            },
        };
        lines.push(format!("Python {}: {line}", one.python));
    }
    eprintln!("\n{}", lines.join("\n"));
    ensure!(!failed, "the Python tests fail in some environment");
    Ok(())
}

/// Runs the part of the gate with the oldest packages, if that Python is installed.
pub(crate) fn oldest() -> Result<()> {
    let oldest = &ALL[0];
    if let Some(python) = interpreter(oldest.python) {
        test(oldest, &python, true).map(drop)
    } else {
        eprintln!("skipped the tests with Python {}: it is not installed", oldest.python);
        Ok(())
    }
}

/// Returns the interpreter of a version: on the search path, or one that pyenv installed.
fn interpreter(version: &str) -> Option<PathBuf> {
    let name = format!("python{version}");
    let check = format!("import sys, venv; assert '%d.%d' % sys.version_info[:2] == '{version}'");
    let works = |path: &Path| path.to_str().is_some_and(|path| has(path, &["-c", &check]));
    let from_pyenv = || {
        let home = std::env::var_os("PYENV_ROOT").map(PathBuf::from);
        let home =
            home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".pyenv")))?;
        let entries = std::fs::read_dir(home.join("versions")).ok()?;
        let paths = entries.flatten().map(|entry| entry.path().join("bin").join(&name));
        paths.filter(|path| path.exists()).max()
    };
    [Some(PathBuf::from(&name)), from_pyenv()].into_iter().flatten().find(|path| works(path))
}

/// Tests one combination and returns the versions of its packages.
fn test(one: &Combination, python: &Path, part: bool) -> Result<String> {
    let folder = std::path::absolute(root())?.join("target/matrix").join(one.python);
    install(one, python, &folder)?;
    let inside = folder.join("bin/python");
    let inside = inside.to_str().context("the project's folder is not UTF-8")?;
    let mut line: Vec<String> =
        ["-m", "pytest", "--quiet", "-p", "no:cacheprovider"].map(str::to_owned).to_vec();
    if part {
        line.extend(PART.map(|file| format!("python/tests/{file}")));
    } else {
        line.push("python/tests".to_owned());
        line.extend(OF_SOURCES.map(|file| format!("--ignore=python/tests/{file}")));
    }
    let line: Vec<&str> = line.iter().map(String::as_str).collect();
    let package = std::path::absolute(root())?.join("python");
    let package = package.to_str().context("the project's folder is not UTF-8")?;
    let variables = [("PYTHONPATH", package), ("PYTHONDONTWRITEBYTECODE", "1")];
    tools::run(inside, &line, &variables)?;
    let versions = "import numpy, pandas, sklearn; print('NumPy', numpy.__version__ + ', pandas', \
                    pandas.__version__ + ', scikit-learn', sklearn.__version__)";
    Ok(tools::output(inside, &["-c", versions])?.trim().to_owned())
}

/// Creates the environment of a combination, or leaves it as it is.
fn install(one: &Combination, python: &Path, folder: &Path) -> Result<()> {
    let project = std::fs::read_to_string(root().join("python/pyproject.toml"))?;
    let wanted = format!("{}\n{project}", one.packages.join("\n"));
    let stamp = folder.join("installed");
    if std::fs::read_to_string(&stamp).is_ok_and(|known| known == wanted) {
        return Ok(());
    }
    let shown = folder.to_str().context("the project's folder is not UTF-8")?;
    let python = python.to_str().context("the interpreter's path is not UTF-8")?;
    tools::run(python, &["-m", "venv", "--clear", shown], &[])?;
    let inside = format!("{shown}/bin/python");
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    // Older versions do not support groups.
    tools::run(&inside, &[&pip[..], &["--upgrade", "pip"]].concat(), &[])?;
    let group = ["--group", "python/pyproject.toml:test"];
    tools::run(&inside, &[&pip[..], &group, one.packages].concat(), &[])?;
    Ok(std::fs::write(&stamp, wanted)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_matrix_covers_what_the_project_promises() {
        let project =
            std::fs::read_to_string(root().join("python/pyproject.toml")).expect("the project");
        assert!(
            project.contains(&format!("requires-python = \">={}\"", ALL[0].python)),
            "{project}"
        );
        let packages = ALL.iter().flat_map(|one| one.packages).copied().collect::<Vec<_>>();
        for wanted in ["numpy==1.26.*", "numpy==2.*", "pandas==2.*", "pandas==3.*", "scikit-learn"]
        {
            assert!(packages.contains(&wanted), "no combination has {wanted}");
        }
        let oldest =
            project.split("\"scikit-learn>=").nth(1).and_then(|rest| rest.split('"').next());
        let oldest = format!("scikit-learn=={}.*", oldest.expect("the oldest scikit-learn"));
        assert!(ALL[0].packages.contains(&&*oldest), "the oldest combination has no {oldest}");
    }

    #[test]
    fn files_of_the_part_exist() {
        for file in PART.iter().chain(&OF_SOURCES) {
            assert!(root().join("python/tests").join(file).exists(), "{file}");
        }
    }
}
