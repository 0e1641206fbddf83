//! Running other programs, and installing those that are missing.

use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::{Command, Stdio};

/// The top of the project.
pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Runs a program at the top of the project and shows its output.
pub(crate) fn run(program: &str, args: &[&str], variables: &[(&str, &str)]) -> Result<()> {
    let shown = format!("{program} {}", args.join(" "));
    eprintln!("\n$ {shown}");
    let mut command = Command::new(program);
    command.args(args).envs(variables.iter().copied()).current_dir(root());
    let status = command.status().with_context(|| shown.clone())?;
    ensure!(status.success(), "{shown}: {status}");
    Ok(())
}

/// Returns the output of a program that runs at the top of the project; its errors are shown.
pub(crate) fn output(program: &str, args: &[&str]) -> Result<String> {
    let shown = format!("{program} {}", args.join(" "));
    let mut command = Command::new(program);
    let done = command.args(args).current_dir(root()).stderr(Stdio::inherit()).output();
    let done = done.with_context(|| shown.clone())?;
    ensure!(done.status.success(), "{shown}: {}", done.status);
    String::from_utf8(done.stdout).with_context(|| shown)
}

/// Runs a program and shows its output only if it fails, or the lines about what it left out.
pub(crate) fn run_silently(program: &str, args: &[&str]) -> Result<()> {
    let shown = format!("{program} {}", args.join(" "));
    eprintln!("\n$ {shown}");
    let done = Command::new(program).args(args).current_dir(root()).stdin(Stdio::null()).output();
    let done = done.with_context(|| shown.clone())?;
    let output = [done.stdout, done.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    let output = output.concat();
    if !done.status.success() {
        eprint!("{output}");
    }
    ensure!(done.status.success(), "{shown}: {}", done.status);
    output.lines().filter(|line| line.ends_with(", left out")).for_each(|line| eprintln!("{line}"));
    Ok(())
}

/// Runs cargo.
pub(crate) fn cargo(args: &[&str]) -> Result<()> {
    run(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()), args, &[])
}

/// Returns whether a program exists and runs.
pub(crate) fn has(program: &str, args: &[&str]) -> bool {
    let quiet =
        Command::new(program).args(args).stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}

/// Installs a component of the Rust toolchain unless it is there.
pub(crate) fn need_component(component: &str, args: &[&str]) -> Result<()> {
    if has("cargo", args) { Ok(()) } else { run("rustup", &["component", "add", component], &[]) }
}

/// Installs the Debian package of a program unless the program is there.
pub(crate) fn need_package(program: &str, package: &str) -> Result<()> {
    need(program, &["--version"], package)
}

/// Installs a Debian package unless the program runs with these arguments.
pub(crate) fn need(program: &str, args: &[&str], package: &str) -> Result<()> {
    if has(program, args) {
        return Ok(());
    }
    run("apt-get", &["update"], &[])?;
    run(
        "apt-get",
        &["install", "--yes", "--no-install-recommends", package],
        &[("DEBIAN_FRONTEND", "noninteractive")],
    )
    .with_context(|| format!("{program} is needed; install it by hand where apt-get cannot"))
}
