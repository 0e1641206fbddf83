//! `cargo xtask bench`, and the quick forms of the comparisons, which the gate runs.

use crate::tools::{self, cargo, need, need_package};
use anyhow::{Result, ensure};

/// Comparisons that need no other data, and those on a folder of data that is not part of the project.
const ALONE: [&str; 7] = [
    "bench/interpreter_vs_numpy.py",
    "bench/xcs_vs_peers.py",
    "bench/xcs_ladder.py",
    "bench/xcs_epistasis.py",
    "bench/concepts_dense.py",
    "bench/rules_planted.py",
    "bench/rules_by_rows.py",
];
const ON_DATA: [&str; 9] = [
    "bench/rules_vs_peers.py",
    "bench/rules_by_size.py",
    "bench/numbers_vs_peers.py",
    "bench/xcs_numbers.py",
    "bench/concepts_vs_peers.py",
    "bench/clusters.py",
    "bench/logic_vs_peers.py",
    "bench/networks_vs_peers.py",
    "bench/networks_outputs.py",
];
/// Comparisons of a GPU with the CPU; run by hand on a machine with a GPU.
const OF_GPU: [&str; 6] = [
    "bench/gpu.sh",
    "bench/concepts_gpu.sh",
    "bench/logic_gpu.sh",
    "bench/xcs_gpu.sh",
    "bench/networks_gpu.sh",
    "bench/rules_gpu.sh",
];

/// Installs Python, in which the comparisons are written.
pub(crate) fn need_python() -> Result<()> {
    need_package("python3", "python3")?;
    need("python3", &["-c", "import ensurepip, venv"], "python3-venv")
}

/// Builds the command and runs the comparisons; they create their own Python environments under `bench/`.
/// Rules, concepts, class expressions and networks are compared only if there is a folder with data.
pub(crate) fn run(data: Option<&str>) -> Result<()> {
    // The comparisons run at the top of the project; a relative path refers to the caller's folder.
    let data = data.map(std::path::absolute).transpose()?;
    if let Some(folder) = &data {
        ensure!(folder.is_dir(), "bench: there is no folder {}", folder.display());
    }
    need_python()?;
    cargo(&["build", "--release", "--package", "pellucid-cli", "--package", "pellucid-bench"])?;
    for script in ALONE {
        tools::run("python3", &[script], &[])?;
    }
    if let Some(folder) = data {
        let folder = folder.display().to_string();
        cargo(&["build", "--release", "--package", "pellucid-logic", "--example", "retrieve"])?;
        for script in ON_DATA {
            tools::run("python3", &[script, "--data", &folder], &[])?;
        }
    }
    Ok(())
}

/// Runs the quick form of every comparison: tiny inputs, seconds each, no results kept. It uses the build of
/// the tests, so that nothing is built again.
pub(crate) fn quick() -> Result<()> {
    // Counts the instructions of the rule learner.
    need_package("valgrind", "valgrind")?;
    let what = ["--workspace", "--all-features", "--bins", "--example", "retrieve"];
    cargo(&[&["build", "--quiet"], &what[..]].concat())?;
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    let command = format!("{target}/debug/pellucid");
    for script in ALONE.into_iter().chain(ON_DATA) {
        tools::run_silently("python3", &[script, "--quick", "--pellucid", &command])?;
    }
    for script in OF_GPU {
        tools::run_silently("bash", &[script, "--quick", &command])?;
    }
    Ok(())
}
