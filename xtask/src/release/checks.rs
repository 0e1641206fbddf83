//! Checks of what a release depends on: licenses, known vulnerabilities, the oldest compiler, and changes of
//! the Rust interface.

use super::Outcome;
use super::notes::version;
use crate::tools::{self, cargo, has, root};
use anyhow::{Context as _, Result};

/// A folder with a copy of the advisory database, for machines that cannot reach it.
const ADVISORIES: &str = "PELLUCID_ADVISORIES";
/// The address of the advisory database in `deny.toml`.
const DATABASE: &str = "https://github.com/rustsec/advisory-db";

/// Checks licenses, duplicates, sources and advisories by the rules in `deny.toml`.
pub(super) fn deny() -> Result<Outcome<()>> {
    if !installed("deny", "cargo-deny") {
        return Ok(Outcome::Skipped("cargo-deny cannot be installed here".to_owned()));
    }
    cargo(&["deny", "--all-features", "check", "licenses", "bans", "sources"])?;
    let copy = std::env::var(ADVISORIES).ok();
    let address = copy.map(|folder| format!("url.{folder}.insteadOf"));
    let mut variables = vec![];
    if let Some(key) = &address {
        // Git reads the copy wherever the address of the database is given.
        variables.extend([("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", key)]);
        variables.push(("GIT_CONFIG_VALUE_0", DATABASE));
    } else if !has("git", &["ls-remote", "--exit-code", DATABASE, "HEAD"]) {
        return Ok(Outcome::done(format!(
            "licenses, duplicates and sources; no advisories: the database cannot be reached; \
             set {ADVISORIES} to a copy"
        )));
    }
    let check = ["deny", "--all-features", "check", "advisories"];
    tools::run("cargo", &check, &variables)?;
    Ok(Outcome::done("licenses, duplicates, sources and advisories"))
}

/// Checks the released crates with the oldest compiler that the manifest promises.
pub(super) fn oldest_rust() -> Result<Outcome<()>> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml"))?;
    let oldest =
        manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'));
    let oldest = oldest.context("Cargo.toml has no rust-version")?;
    let install = ["toolchain", "install", oldest, "--profile", "minimal"];
    if !has("rustup", &["run", oldest, "cargo", "--version"])
        && tools::run("rustup", &install, &[]).is_err()
    {
        return Ok(Outcome::Skipped(format!("Rust {oldest} cannot be installed here")));
    }
    let check = ["run", oldest, "cargo", "check", "--locked", "--quiet"];
    let crates = ["--package", "pellucid-cli", "--package", "pellucid-python"];
    let variables =
        [("CARGO_TARGET_DIR", "target/release-build/oldest"), ("RUSTUP_TOOLCHAIN", oldest)];
    tools::run("rustup", &[&check[..], &crates].concat(), &variables)?;
    Ok(Outcome::done(format!("Rust {oldest}")))
}

/// Compares the Rust interface with that of the last release.
pub(super) fn semver() -> Result<Outcome<()>> {
    let tags = tools::output("git", &["tag", "--list", "v*", "--sort=-version:refname"])?;
    let this = format!("v{}", version()?);
    let Some(last) = tags.lines().find(|tag| **tag != this) else {
        return Ok(Outcome::Skipped("there is no tag of an earlier release".to_owned()));
    };
    if !installed("semver-checks", "cargo-semver-checks") {
        return Ok(Outcome::Skipped("cargo-semver-checks cannot be installed here".to_owned()));
    }
    cargo(&["semver-checks", "--package", "pellucid", "--baseline-rev", last])?;
    Ok(Outcome::done(format!("compared with {last}")))
}

/// Installs a command of cargo unless it is there; returns whether it is there now.
fn installed(command: &str, package: &str) -> bool {
    has("cargo", &[command, "--version"])
        || tools::run("cargo", &["install", "--locked", "--quiet", package], &[]).is_ok()
}
