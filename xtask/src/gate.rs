//! `cargo xtask test`.

use crate::skipped::{self, Skipped};
use crate::tools::{self, cargo, has, need_component, need_package};
use crate::{browser, guide, mathematics, matrix, measure, ptx, python, recipe, shape, words};
use anyhow::Result;
use std::time::{Duration, Instant};

/// Runs everything a change must pass; `full` adds the long tests and compiles the kernels of GPUs again. At
/// the end it prints the time of each part and the tests that were skipped.
pub(crate) fn run(full: bool) -> Result<()> {
    let skipped = Skipped::begin()?;
    let mut times = Times::default();
    let passed = steps(full, &skipped, &mut times);
    eprintln!("\n{}", times.summary());
    // Skipped tests are printed even if a step failed.
    let complete = skipped.end();
    passed.and(complete)
}

fn steps(full: bool, skipped: &Skipped, times: &mut Times) -> Result<()> {
    times.of("tools", install)?;
    times.of("format and lints", lint)?;
    times.of("tests", || test(full, skipped))?;
    times.of("doc tests", || {
        cargo(&["test", "--workspace", "--all-features", "--doc", "--quiet"])
    })?;
    times.of("documentation", document)?;
    times.of("reports in a browser", || browser::run(None))?;
    times.of("Python", || python::test(full))?;
    times.of("quick comparisons", measure::quick)?;
    if full {
        times.of("oldest Python", matrix::oldest)?;
        times.of("the guide as a book", guide::check)?;
        times.of("kernels", ptx::check)?;
        times.of("recipe for a learner", recipe::check)?;
    }
    Ok(())
}

/// The time of each part.
#[derive(Default)]
struct Times(Vec<(&'static str, Duration)>);

impl Times {
    fn of(&mut self, name: &'static str, step: impl FnOnce() -> Result<()>) -> Result<()> {
        let start = Instant::now();
        let done = step();
        self.0.push((name, start.elapsed()));
        done
    }

    fn summary(&self) -> String {
        let all: Duration = self.0.iter().map(|(_, time)| *time).sum();
        let each = self.0.iter().map(|(name, time)| format!("{name} {:.0} s", time.as_secs_f64()));
        let each: Vec<String> = each.collect();
        format!("{:.1} minutes: {}", all.as_secs_f64() / 60.0, each.join(", "))
    }
}

fn install() -> Result<()> {
    need_component("rustfmt", &["fmt", "--version"])?;
    need_component("clippy", &["clippy", "--version"])?;
    // The compression library in the Parquet reader is C.
    need_package("cc", "build-essential")?;
    // The tests run the GPU's kernels on the CPU.
    need_package("c++", "g++")?;
    measure::need_python()
}

fn lint() -> Result<()> {
    const DENIED: [&str; 4] = ["--quiet", "--", "--deny", "warnings"];
    let clippy = |what: &[&str]| cargo(&[&["clippy", "--all-targets"], what, &DENIED].concat());
    cargo(&["fmt", "--all", "--check"])?;
    words::run()?;
    shape::check()?;
    mathematics::check()?;
    clippy(&["--workspace", "--all-features"])?;
    // The reader without its optional format must build too.
    clippy(&["--package", "pellucid-io"])
}

fn test(full: bool, skipped: &Skipped) -> Result<()> {
    let mut variables = vec![(skipped::VARIABLE, skipped.path()?)];
    if full {
        variables.extend([("PELLUCID_FULL", "1"), ("PROPTEST_CASES", "2000")]);
    }
    let all = ["--workspace", "--all-features"];
    let (how, what): (&[&str], &[&str]) = if has("cargo", &["nextest", "--version"]) {
        (&["nextest", "run"], &["--no-fail-fast", "--status-level", "slow"])
    } else {
        (&["test"], &["--all-targets", "--no-fail-fast", "--quiet"])
    };
    tools::run("cargo", &[how, &all, what].concat(), &variables)
}

fn document() -> Result<()> {
    tools::run(
        "cargo",
        &["doc", "--workspace", "--all-features", "--no-deps", "--quiet"],
        &[("RUSTDOCFLAGS", "--deny warnings")],
    )
}
