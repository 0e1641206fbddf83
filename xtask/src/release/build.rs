//! How the files of a release are built: with the same flags and dates everywhere, and without the paths of
//! this machine.

use crate::measure::need_python;
use crate::tools::{self, root};
use anyhow::{Context as _, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The packages of the environment for builds: the builder of wheels, and a linker for every system
/// with its cargo command.
const PACKAGES: [&str; 3] = ["maturin>=1.9.4,<2", "ziglang", "cargo-zigbuild"];
/// The names of the folders of builds; the second one is used to compare bytes.
pub(super) const FOLDERS: [&str; 2] = ["first", "second"];

/// A folder for builds and the variables that every build gets.
pub(super) struct Build {
    tools: PathBuf,
    target: PathBuf,
    variables: Vec<(&'static str, String)>,
}

impl Build {
    /// Installs the tools and prepares a build in the folder of this name.
    pub(super) fn prepare(folder: &str) -> Result<Build> {
        let top = std::path::absolute(root())?.canonicalize()?;
        let (tools, builds) = (top.join("target/release-tools"), top.join("target/release-build"));
        install(&tools)?;
        let target = builds.join(folder);
        let date = tools::output("git", &["log", "-1", "--format=%ct"])?.trim().to_owned();
        let path = std::env::var("PATH").unwrap_or_default();
        let variables = vec![
            ("RUSTFLAGS", flags(&top, &builds)),
            ("CFLAGS", c_flags(&top, &builds)),
            ("CARGO_INCREMENTAL", "0".to_owned()),
            ("CARGO_TARGET_DIR", text(&target)?.to_owned()),
            ("SOURCE_DATE_EPOCH", date),
            ("PATH", format!("{}:{path}", tools.join("bin").display())),
        ];
        Ok(Build { tools, target, variables })
    }

    /// The folder of what cargo builds.
    pub(super) fn target(&self) -> &Path {
        &self.target
    }

    /// Runs a program of the tools' environment at the top of the project.
    pub(super) fn run(&self, program: &str, arguments: &[&str]) -> Result<()> {
        let program = self.tools.join("bin").join(program);
        let known = |(name, value): &'_ (&'static str, String)| (*name, value.clone());
        let variables: Vec<(&str, String)> = self.variables.iter().map(known).collect();
        let variables: Vec<(&str, &str)> =
            variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let program =
            if program.exists() { text(&program)?.to_owned() } else { file_name(&program)? };
        tools::run(&program, arguments, &variables)
    }
}

/// Returns a path as text.
pub(super) fn text(path: &Path) -> Result<&str> {
    path.to_str().with_context(|| format!("{} is not UTF-8", path.display()))
}

/// Installs a target of the Rust compiler unless it is there.
pub(super) fn need_target(target: &str) -> Result<()> {
    tools::run("rustup", &["--quiet", "target", "add", target], &[])
}

fn file_name(path: &Path) -> Result<String> {
    let name = path.file_name().context("a program has a name")?;
    Ok(name.to_string_lossy().into_owned())
}

/// The places that differ between machines, each with the name that files of the release have instead. Both
/// folders of builds have the same name, so that their files can be compared.
fn renamed(top: &Path, builds: &Path) -> Vec<(String, &'static str)> {
    let home = std::env::var("CARGO_HOME").unwrap_or_else(|_| {
        let home = std::env::var("HOME").unwrap_or_default();
        format!("{home}/.cargo")
    });
    let mut all = vec![(top.display().to_string(), "/pellucid"), (home, "/cargo")];
    // Of several names that fit, the last one is used.
    all.extend(FOLDERS.map(|folder| (builds.join(folder).display().to_string(), "/build")));
    all
}

fn flags(top: &Path, builds: &Path) -> String {
    let each = renamed(top, builds).into_iter();
    let each = each.map(|(from, to)| format!("--remap-path-prefix={from}={to}"));
    each.collect::<Vec<_>>().join(" ")
}

fn c_flags(top: &Path, builds: &Path) -> String {
    let each = renamed(top, builds).into_iter();
    let each = each.map(|(from, to)| format!("-ffile-prefix-map={from}={to}"));
    each.collect::<Vec<_>>().join(" ")
}

/// Creates the environment with the tools, or updates it.
fn install(folder: &Path) -> Result<()> {
    let (stamp, wanted) = (folder.join("installed"), PACKAGES.join("\n"));
    if std::fs::read_to_string(&stamp).is_ok_and(|known| known == wanted) {
        return Ok(());
    }
    need_python()?;
    tools::run("python3", &["-m", "venv", text(folder)?], &[])?;
    let python = folder.join("bin/python");
    let line = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    tools::run(text(&python)?, &[&line[..], &PACKAGES].concat(), &[])?;
    Ok(std::fs::write(&stamp, wanted)?)
}

/// Returns what a program prints, with variables of its own.
pub(super) fn output_of(command: &mut Command) -> Result<String> {
    let done = command.output().with_context(|| format!("{command:?}"))?;
    let errors = String::from_utf8_lossy(&done.stderr);
    ensure!(done.status.success(), "{command:?}: {}\n{errors}", done.status);
    String::from_utf8(done.stdout).with_context(|| format!("{command:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_builds_have_one_name() {
        let flags = flags(Path::new("/home/x"), Path::new("/home/x/target/release-build"));
        assert!(flags.starts_with("--remap-path-prefix=/home/x=/pellucid "), "{flags}");
        for folder in FOLDERS {
            let flag = format!("=/home/x/target/release-build/{folder}=/build");
            assert!(flags.contains(&flag), "{flags}");
        }
    }
}
