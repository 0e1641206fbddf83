//! `cargo xtask release --dry-run`: everything that a release consists of, made and tested on this machine.
//! Nothing is published.
//!
//! The files go to `target/release-artifacts`. A part that needs a program or a file that is not available is
//! skipped, and the summary at the end says so.

mod build;
mod checks;
mod command;
mod compare;
mod install;
mod notes;
mod readme;
mod sbom;
mod wheels;

use crate::tools::{self, root};
use anyhow::{Context as _, Result, bail, ensure};
use build::Build;
use std::path::PathBuf;
use std::time::Instant;

/// What to make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Options {
    /// Only the wheel of this machine.
    host: bool,
    /// Build twice and compare the bytes.
    twice: bool,
}

/// Makes a release without publishing it.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let options = parse(words)?;
    let build = Build::prepare("first")?;
    let mut summary = Summary::default();
    let done = make(options, &build, &mut summary);
    eprintln!("\n{}", summary.text());
    done
}

fn parse(words: &[&str]) -> Result<Options> {
    let mut options = Options::default();
    let mut dry = false;
    for word in words {
        match *word {
            "--dry-run" => dry = true,
            "--host" => options.host = true,
            "--twice" => options.twice = true,
            other => bail!("release: unknown flag {other}; expected --dry-run, --host or --twice"),
        }
    }
    ensure!(dry, "release: this command never publishes; start it with --dry-run");
    Ok(options)
}

fn make(options: Options, build: &Build, summary: &mut Summary) -> Result<()> {
    let out = artifacts()?;
    summary.step("notes", || notes::write(&out))?;
    summary.step("SBOM", || sbom::write(&out))?;
    summary.step("licenses and advisories", checks::deny)?;
    summary.step("oldest Rust", checks::oldest_rust)?;
    summary.step("compatible API", checks::semver)?;
    let wheel = summary.step("wheel, x86-64", || wheels::host(build, &out))?;
    summary.step("source archive", || wheels::source(build, &out))?;
    if let Some(wheel) = wheel
        && let Some(installed) = summary.step("installed wheel", || install::test(&wheel))?
    {
        summary.step("pages", || command::pages(&installed, &out))?;
    }
    if !options.host {
        summary.step("wheel, aarch64", || wheels::aarch64(build, &out))?;
        summary.step("binary", || command::write(build, &out))?;
    }
    if options.twice {
        summary.step("the same bytes", || compare::again(options.host, &out))?;
    }
    summary.step("checksums", || compare::write_checksums(&out))?;
    Ok(())
}

/// Returns the empty folder for the files of the release.
fn artifacts() -> Result<PathBuf> {
    let out = std::path::absolute(root())?.join("target/release-artifacts");
    if out.exists() {
        std::fs::remove_dir_all(&out).with_context(|| out.display().to_string())?;
    }
    std::fs::create_dir_all(&out)?;
    Ok(out.canonicalize()?)
}

/// What a step made, or why it was skipped.
enum Outcome<T> {
    Done { what: String, value: T },
    Skipped(String),
}

impl Outcome<()> {
    fn done(what: impl Into<String>) -> Outcome<()> {
        Outcome::Done { what: what.into(), value: () }
    }
}

/// A line for each step: its name, its result and its time.
#[derive(Default)]
struct Summary(Vec<String>);

impl Summary {
    /// Runs a step; returns its value unless it was skipped.
    fn step<T>(
        &mut self,
        name: &str,
        step: impl FnOnce() -> Result<Outcome<T>>,
    ) -> Result<Option<T>> {
        let start = Instant::now();
        let outcome = step().with_context(|| format!("release: {name}"));
        let seconds = start.elapsed().as_secs_f64();
        let (line, value) = match outcome {
            Ok(Outcome::Done { what, value }) => {
                (format!("{what} ({seconds:.0} s)"), Ok(Some(value)))
            }
            Ok(Outcome::Skipped(reason)) => (format!("skipped: {reason}"), Ok(None)),
            Err(error) => ("failed".to_owned(), Err(error)),
        };
        self.0.push(format!("{name:<24} {line}"));
        value
    }

    fn text(&self) -> String {
        self.0.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_published() {
        let error = parse(&["--host"]).expect_err("no --dry-run").to_string();
        assert!(error.contains("never publishes"), "{error}");
        let both = parse(&["--dry-run", "--twice", "--host"]).expect("known flags");
        assert_eq!(both, Options { host: true, twice: true });
        assert!(parse(&["--dry-run", "--publish"]).is_err());
    }

    #[test]
    fn the_summary_names_what_was_skipped() {
        let mut summary = Summary::default();
        let value = summary.step("one", || Ok(Outcome::Done { what: "made".into(), value: 7 }));
        assert_eq!(value.expect("done"), Some(7));
        let skipped = summary.step("two", || Ok(Outcome::<()>::Skipped("no tool".into())));
        assert_eq!(skipped.expect("skipped"), None);
        assert!(summary.step("three", || -> Result<Outcome<()>> { bail!("bad") }).is_err());
        let text = summary.text();
        assert!(text.contains("made (0 s)") && text.contains("skipped: no tool"), "{text}");
        assert!(text.ends_with("failed"), "{text}");
    }
}
