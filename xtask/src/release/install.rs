//! A wheel in a clean environment: it does what README shows.

use super::Outcome;
use super::build::{output_of, text};
use super::readme;
use crate::tools::{self, root};
use anyhow::{Context as _, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How often the time of an import is measured.
const IMPORTS: usize = 7;
/// Prints the seconds that an import takes.
const IMPORT: &str = "import time; start = time.perf_counter(); import {module}\n\
                      print(time.perf_counter() - start)";

/// Installs the wheel, runs the lines of README, and returns the path of the command.
pub(super) fn test(wheel: &Path) -> Result<Outcome<PathBuf>> {
    let folder = std::path::absolute(root())?.join("target/release-installed");
    tools::run("python3", &["-m", "venv", "--clear", text(&folder)?], &[])?;
    let python = folder.join("bin/python");
    let line = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    tools::run(text(&python)?, &[&line[..], &[text(wheel)?, "pandas"]].concat(), &[])?;
    let command = folder.join("bin/pellucid");
    let shown = readme::read()?;
    run_program(&python, &folder, &shown)?;
    run_command(&command, &folder, &shown)?;
    let package = import_time(&python, "pellucid")?;
    let estimators = import_time(&python, "pellucid._estimators")?;
    let what = format!(
        "README's lines run; the package is imported in {package:.3} s, estimators and scikit-learn in \
         {estimators:.3} s"
    );
    Ok(Outcome::Done { what, value: command })
}

/// Runs the Python program, away from the sources, so that the installed package is used.
fn run_program(python: &Path, folder: &Path, shown: &readme::Shown) -> Result<()> {
    let mut program = Command::new(python);
    program.current_dir(folder).env_remove("PYTHONPATH").args(["-c", &shown.python]);
    let printed = output_of(&mut program)?;
    let score = printed.lines().last().and_then(|line| line.parse::<f64>().ok());
    let score =
        score.with_context(|| format!("README's program does not end with a score:\n{printed}"))?;
    ensure!(score > 0.9, "README's model has an accuracy of {score}; expected more than 0.9");
    Ok(())
}

/// Runs the command, which must print what README shows.
fn run_command(command: &Path, folder: &Path, shown: &readme::Shown) -> Result<()> {
    let top = std::path::absolute(root())?;
    let place = |word: &String| match top.join(word) {
        path if word.contains('/') && path.exists() => path.display().to_string(),
        _ => word.clone(),
    };
    let arguments = shown.arguments.iter().map(place);
    let printed = output_of(Command::new(command).current_dir(folder).args(arguments))?;
    ensure!(
        printed.contains(shown.output.trim()),
        "README shows:\n{}\nthe command prints:\n{printed}",
        shown.output
    );
    Ok(())
}

/// Returns the median time of an import, each in a new process.
fn import_time(python: &Path, module: &str) -> Result<f64> {
    let program = IMPORT.replace("{module}", module);
    let mut times = Vec::new();
    for _ in 0..IMPORTS {
        let printed = output_of(Command::new(python).args(["-I", "-c", &program]))?;
        times.push(printed.trim().parse::<f64>()?);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[IMPORTS / 2])
}
