//! `cargo xtask test`.

use crate::ptx;
use crate::tools::{self, cargo, has, need_component, need_package};
use anyhow::Result;

/// Everything a change must pass; `full` adds the long tests, and compiles the GPU's kernels again.
pub(crate) fn run(full: bool) -> Result<()> {
    need_component("rustfmt", &["fmt", "--version"])?;
    need_component("clippy", &["clippy", "--version"])?;
    // The compression library in the Parquet reader is C.
    need_package("cc", "build-essential")?;
    // The tests run the GPU's kernels on the processor.
    need_package("c++", "g++")?;

    cargo(&["fmt", "--all", "--check"])?;
    cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--quiet",
        "--",
        "--deny",
        "warnings",
    ])?;
    // The reader without its optional format must build too.
    cargo(&[
        "clippy",
        "--package",
        "pellucid-io",
        "--all-targets",
        "--quiet",
        "--",
        "--deny",
        "warnings",
    ])?;
    let variables: &[(&str, &str)] =
        if full { &[("PELLUCID_FULL", "1"), ("PROPTEST_CASES", "2000")] } else { &[] };
    if has("cargo", &["nextest", "--version"]) {
        tools::run(
            "cargo",
            &[
                "nextest",
                "run",
                "--workspace",
                "--all-features",
                "--no-fail-fast",
                "--status-level",
                "slow",
            ],
            variables,
        )?;
    } else {
        tools::run(
            "cargo",
            &["test", "--workspace", "--all-features", "--all-targets", "--quiet"],
            variables,
        )?;
    }
    cargo(&["test", "--workspace", "--all-features", "--doc", "--quiet"])?;
    tools::run(
        "cargo",
        &["doc", "--workspace", "--all-features", "--no-deps", "--quiet"],
        &[("RUSTDOCFLAGS", "--deny warnings")],
    )?;
    if full { ptx::check() } else { Ok(()) }
}
