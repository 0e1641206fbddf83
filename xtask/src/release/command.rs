//! The command as one static file, with its manual pages and completions.

use super::Outcome;
use super::build::{Build, need_target, output_of, text};
use super::wheels::size;
use super::{notes, tools};
use anyhow::{Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The system of the static binary: it contains its C library, so it runs on any Linux.
const TARGET: &str = "x86_64-unknown-linux-musl";
const SHELLS: [(&str, &str); 5] = [
    ("bash", "pellucid.bash"),
    ("elvish", "pellucid.elv"),
    ("fish", "pellucid.fish"),
    ("powershell", "pellucid.ps1"),
    ("zsh", "_pellucid"),
];

/// Writes the manual pages and the completions of a command to `man` and `completions`.
pub(super) fn pages(command: &Path, out: &Path) -> Result<Outcome<()>> {
    let manual = out.join("man");
    output_of(Command::new(command).arg("man").arg(&manual))?;
    let pages = std::fs::read_dir(&manual)?.count();
    ensure!(pages > 10, "only {pages} manual pages were written");
    let scripts = out.join("completions");
    std::fs::create_dir_all(&scripts)?;
    for (shell, name) in SHELLS {
        let script = output_of(Command::new(command).args(["completions", shell]))?;
        std::fs::write(scripts.join(name), script)?;
    }
    Ok(Outcome::done(format!("{pages} manual pages, completions of {} shells", SHELLS.len())))
}

/// Builds the static binary and packs it with the pages, the licenses and README.
pub(super) fn write(build: &Build, out: &Path) -> Result<Outcome<()>> {
    if cfg!(not(all(target_os = "linux", target_arch = "x86_64"))) {
        return Ok(Outcome::Skipped("it can be tested only on x86-64 Linux".to_owned()));
    }
    need_target(TARGET)?;
    let fixed = ["zigbuild", "--release", "--locked", "--target", TARGET];
    build.run("cargo-zigbuild", &[&fixed[..], &["--package", "pellucid-cli"]].concat())?;
    let binary = build.target().join(TARGET).join("release/pellucid");
    check(&binary)?;
    let archive = pack(build, &binary, out)?;
    Ok(Outcome::done(size(&archive)?))
}

/// Runs the binary on an example, and makes sure that it needs no library of the system.
fn check(binary: &Path) -> Result<()> {
    let headers = output_of(Command::new("readelf").arg("--dynamic").arg(binary))?;
    ensure!(!headers.contains("(NEEDED)"), "{} is not static:\n{headers}", binary.display());
    let trains = tools::root().join("examples/trains.csv");
    let text = output_of(Command::new(binary).arg("describe").arg(trains))?;
    ensure!(text.contains("direction"), "the description of the trains is incomplete:\n{text}");
    Ok(())
}

/// Makes an archive whose bytes depend only on its contents.
fn pack(build: &Build, binary: &Path, out: &Path) -> Result<PathBuf> {
    let name = format!("pellucid-{}-{TARGET}", notes::version()?);
    let folder = build.target().join("packed").join(&name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    std::fs::copy(binary, folder.join("pellucid"))?;
    for file in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        std::fs::copy(tools::root().join(file), folder.join(file))?;
    }
    for part in ["man", "completions"] {
        let to = folder.join(part);
        std::fs::create_dir_all(&to)?;
        for entry in std::fs::read_dir(out.join(part)).into_iter().flatten() {
            let entry = entry?;
            std::fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    let archive = out.join(format!("{name}.tar.gz"));
    let date = tools::output("git", &["log", "-1", "--format=@%ct"])?;
    let above = folder.parent().unwrap_or(Path::new("."));
    let fixed = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=go=rX,u+rw"];
    let mut tar = Command::new("tar");
    tar.args(fixed).arg(format!("--mtime={}", date.trim()));
    tar.args(["--use-compress-program=gzip -n -9", "--create", "--file"]).arg(&archive);
    output_of(tar.args(["--directory", text(above)?, &name]))?;
    Ok(archive)
}
