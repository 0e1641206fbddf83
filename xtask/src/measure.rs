//! `cargo xtask bench`.

use crate::tools::{self, cargo, need_package};
use anyhow::{Result, ensure};

/// Builds the command and runs the comparisons; they make their own Python environments under `bench/`. Rules, concepts
/// and class expressions are compared where there is a folder with data that is not ours to ship.
pub(crate) fn run(data: Option<&str>) -> Result<()> {
    // The comparisons start at the top of the project, whoever typed the path may stand elsewhere.
    let data = data.map(std::path::absolute).transpose()?;
    if let Some(folder) = &data {
        ensure!(folder.is_dir(), "bench: there is no folder {}", folder.display());
    }
    need_package("python3", "python3")?;
    cargo(&["build", "--release", "--package", "pellucid-cli"])?;
    tools::run("python3", &["bench/interpreter_vs_numpy.py"], &[])?;
    if let Some(folder) = data {
        let folder = folder.display().to_string();
        cargo(&["build", "--release", "--package", "pellucid-logic", "--example", "retrieve"])?;
        let scripts =
            ["bench/rules_vs_peers.py", "bench/concepts_vs_peers.py", "bench/logic_vs_peers.py"];
        for script in scripts {
            tools::run("python3", &[script, "--data", &folder], &[])?;
        }
    }
    Ok(())
}
