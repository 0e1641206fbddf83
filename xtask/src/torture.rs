//! Damaged files, kills, full disks and fuzzing: built here, done by the crate `torture`.

use crate::tools::{self, need_package, root};
use anyhow::{Context, Result, bail, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the binaries and runs what is asked for, or packs them for another machine. What is found is
/// printed; the file of a case is written by `torture case SEED N` and belongs into `tests/corpus/READER`
/// once the reader is fixed.
pub(crate) fn run(more: &[&str]) -> Result<()> {
    match more {
        ["--guided", more @ ..] => return guided(more),
        ["--pack", folder] => return pack(Path::new(folder)),
        ["--pack", ..] => bail!("--pack takes a folder"),
        _ => {}
    }
    let torture = built()?;
    let only = more.iter().position(|&word| word == "--only").and_then(|at| more.get(at + 1));
    if only.is_none_or(|&only| only == "writes") {
        // It kills at each call that changes a file.
        need_package("strace", "strace")?;
    }
    let done = Command::new(torture).args(more).status()?;
    ensure!(done.success(), "something failed that must not");
    Ok(())
}

fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

fn built() -> Result<PathBuf> {
    let built = Command::new("cargo")
        .args(["build", "--quiet", "--package", "pellucid-cli", "--package", "pellucid-torture"])
        .status()?;
    ensure!(built.success(), "it does not compile");
    Ok(target().join("debug/torture"))
}

/// What a stable compiler needs to count where a program has been: the passes of LLVM that libFuzzer goes by.
const COUNTED: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing";

/// Builds the instrumented readers and fuzzes them. The corpus is kept beside the build, so that the next run
/// starts from it.
fn guided(more: &[&str]) -> Result<()> {
    let (torture, fuzzer) = (built()?, built_fuzzer()?);
    let done = Command::new(torture)
        .arg("guided")
        .arg("--fuzzer")
        .arg(fuzzer)
        .arg("--folder")
        .arg(target().join("guided"))
        .args(more)
        .status()?;
    ensure!(done.success(), "a reader is broken, or a flag is wrong");
    Ok(())
}

/// Builds the readers with counters for libFuzzer.
fn built_fuzzer() -> Result<PathBuf> {
    let folder = target().join("guided");
    let place = folder.display().to_string();
    // Flags for one target alone: build scripts have no use for counters.
    let host = tools::output("rustc", &["--print", "host-tuple"])?;
    let host = host.trim();
    let args = ["build", "--target", host, "--target-dir", &place];
    let built = Command::new("cargo")
        .args(args)
        .env("RUSTFLAGS", COUNTED)
        .current_dir(root().join("crates/torture/guided"))
        .status()?;
    ensure!(built.success(), "it does not compile");
    Ok(folder.join(host).join("debug/pellucid-guided"))
}

/// Puts `torture`, `pellucid` and `pellucid-guided` into a folder. They need no Rust, no copy of the project
/// and no other file: any machine with the same system and a C library that is not older can run them.
fn pack(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let torture = built()?;
    let all = [torture.clone(), torture.with_file_name("pellucid"), built_fuzzer()?];
    for from in all {
        let name = from.file_name().context("a binary")?;
        let to = folder.join(name);
        std::fs::copy(&from, &to).with_context(|| from.display().to_string())?;
        // Symbols are most of a debug build; panics still name their file and line without them.
        let stripped = Command::new("strip").arg(&to).status();
        if !stripped.is_ok_and(|status| status.success()) {
            eprintln!("strip is not installed: {} keeps its symbols", to.display());
        }
    }
    println!("packed; copy {} to another machine and run there:", folder.display());
    println!("  ./torture --only mutations --mutations 10000000 --minutes 60");
    println!("  ./torture --only kills --kills 1000");
    println!("  ./torture guided --seconds 600");
    println!("  ./torture guided --seconds 600 model checkpoint");
    Ok(())
}
