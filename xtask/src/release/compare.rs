//! Checksums, and a second build that must give the same bytes.

use super::Outcome;
use super::build::{Build, output_of};
use super::{command, wheels};
use anyhow::{Context as _, Result, ensure};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The name of the list of checksums, in the form that `sha256sum --check` reads.
const LIST: &str = "SHA256SUMS";

/// Writes the checksums of all files in a folder.
pub(super) fn write_checksums(out: &Path) -> Result<Outcome<()>> {
    let sums = checksums(out)?;
    let lines: String = sums.iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect();
    std::fs::write(out.join(LIST), lines)?;
    Ok(Outcome::done(format!("{LIST} of {} files", sums.len())))
}

/// Builds everything again in another folder and compares the bytes.
pub(super) fn again(host: bool, out: &Path) -> Result<Outcome<()>> {
    let (build, other) = (Build::prepare("second")?, out.with_file_name("release-artifacts-again"));
    if other.exists() {
        std::fs::remove_dir_all(&other)?;
    }
    std::fs::create_dir_all(&other)?;
    wheels::host(&build, &other)?;
    wheels::source(&build, &other)?;
    if !host {
        wheels::aarch64(&build, &other)?;
        for part in ["man", "completions"] {
            std::os::unix::fs::symlink(out.join(part), other.join(part))?;
        }
        command::write(&build, &other)?;
    }
    let (first, second) = (checksums(out)?, checksums(&other)?);
    let differing = differing(&first, &second);
    ensure!(differing.is_empty(), "a second build gives other bytes: {}", differing.join(", "));
    Ok(Outcome::done(format!("{} files", second.len())))
}

/// Returns the names of the files in the second list that are not the same in the first.
fn differing<'a>(
    first: &BTreeMap<String, String>,
    second: &'a BTreeMap<String, String>,
) -> Vec<&'a str> {
    let changed = |(name, sum): &(&String, &String)| first.get(*name) != Some(*sum);
    second.iter().filter(changed).map(|(name, _)| name.as_str()).collect()
}

/// Returns the checksum of each file in a folder and below it, except the list itself.
fn checksums(folder: &Path) -> Result<BTreeMap<String, String>> {
    let mut paths = Vec::new();
    collect(folder, &mut paths)?;
    let mut sums = BTreeMap::new();
    for path in paths {
        let name = path.strip_prefix(folder)?.to_string_lossy().into_owned();
        let line = output_of(Command::new("sha256sum").arg("--binary").arg(&path))?;
        let sum = line.split_whitespace().next().context("sha256sum prints the sum first")?;
        if name != LIST {
            sums.insert(name, sum.trim_start_matches('\\').to_owned());
        }
    }
    Ok(sums)
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { collect(&path, paths)? } else { paths.push(path) }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_sha256() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("man")).expect("a folder");
        std::fs::write(folder.path().join("man/a.1"), "abc").expect("a file");
        write_checksums(folder.path()).expect("a list");
        let list = std::fs::read_to_string(folder.path().join(LIST)).expect("the list");
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(list, format!("{known}  man/a.1\n"));
        // The list is not part of itself.
        assert_eq!(checksums(folder.path()).expect("sums").len(), 1);
    }

    #[test]
    fn a_file_with_other_bytes_is_named() {
        let sums = |all: &[(&str, &str)]| -> BTreeMap<String, String> {
            all.iter().map(|(name, sum)| ((*name).to_owned(), (*sum).to_owned())).collect()
        };
        let first = sums(&[("a.whl", "1"), ("b.whl", "2"), ("notes", "3")]);
        assert_eq!(differing(&first, &sums(&[("a.whl", "1"), ("b.whl", "9")])), ["b.whl"]);
        assert_eq!(differing(&first, &sums(&[("c.whl", "1")])), ["c.whl"]);
    }
}
