//! Damaged files, kills and full disks: built here, done by the crate `torture`.

use crate::tools::{self, need_package, root};
use anyhow::{Context, Result, ensure};
use std::path::PathBuf;
use std::process::Command;

/// Builds the command and its torturer, and lets it work. What it finds is printed; the file of a case is shown by
/// `torture case SEED N` and belongs into `tests/corpus/READER` once the reader is mended.
pub(crate) fn run(more: &[&str]) -> Result<()> {
    let torture = built()?;
    if more.first() == Some(&"--guided") {
        return guided(&torture, &more[1..]);
    }
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

/// Has libFuzzer look for bytes that break the readers: all of them, or those that are named, each for so many seconds. Bytes
/// that lead somewhere new are kept beside the build and are the beginning next time.
fn guided(torture: &PathBuf, more: &[&str]) -> Result<()> {
    let (mut seconds, mut wanted) = (60, Vec::new());
    let mut words = more.iter();
    while let Some(&word) = words.next() {
        match word {
            "--seconds" => {
                let value = words.next().context("--seconds needs a value")?;
                seconds = value.parse().with_context(|| format!("'{value}' is no number"))?;
            }
            name => wanted.push(name.to_owned()),
        }
    }
    let folder = target().join("guided");
    let (corpus, found) = (folder.join("corpus"), folder.join("found"));
    std::fs::create_dir_all(&found)?;
    let told = Command::new(torture).arg("samples").arg(&corpus).output()?;
    let readers = String::from_utf8(told.stdout)?;
    let readers: Vec<&str> = readers.lines().collect();
    if let Some(name) = wanted.iter().find(|name| !readers.contains(&name.as_str())) {
        anyhow::bail!("there is no reader {name}; there are {}", readers.join(", "));
    }
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
    let fuzzer = folder.join(host).join("debug/pellucid-guided");
    let mut broken = Vec::new();
    for reader in readers {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == reader) {
            continue;
        }
        println!("\n{reader}, {seconds} s");
        let done = Command::new(&fuzzer)
            .arg(corpus.join(reader))
            .arg(format!("-artifact_prefix={}/{reader}-", found.display()))
            .arg(format!("-max_total_time={seconds}"))
            .args(["-timeout=5", "-rss_limit_mb=1024", "-verbosity=0", "-print_final_stats=1"])
            .env("PELLUCID_READER", reader)
            .status()?;
        if !done.success() {
            broken.push(reader);
        }
    }
    ensure!(broken.is_empty(), "broken: {}; files in {}", broken.join(", "), found.display());
    Ok(())
}
