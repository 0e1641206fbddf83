//! Helpers for tests: data files, the number of cases of property tests, and Python for exports.
//!
//! [`ours`] returns small files in `tests/data` and `examples`, which are part of the repository.
//! [`real`] returns published data sets. They are not part of the repository, and are searched next to
//! the checkout or in the folder `PELLUCID_DATA`. If one is missing, the test is skipped with a message:
//!
//! ```text
//! skipped: learning::all_family_problems_are_solved needs dl/family-benchmark/Aunt.conf
//! ```
//!
//! The test runner cannot distinguish skipped tests from those that passed. The messages are therefore
//! also appended to the file `PELLUCID_SKIPPED`, and `cargo xtask test` reports their number.

mod cases;
pub mod command;
mod python;

pub use cases::cases;
pub use python::python;

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The environment variable with the file that lists skipped tests.
pub const LIST: &str = "PELLUCID_SKIPPED";

/// Returns a file of the repository by its path, `tests/data/…` or `examples/…`.
///
/// # Panics
///
/// When the file does not exist.
#[must_use]
pub fn ours(name: &str) -> PathBuf {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(name);
    assert!(path.exists(), "cannot find {}, which is part of the repository", path.display());
    path
}

/// Returns a published data set by its path, or reports that the test is skipped if it does not exist.
#[must_use]
pub fn real(name: &str) -> Option<PathBuf> {
    let path = folder().join(name);
    if path.exists() {
        return Some(path);
    }
    skipped(name);
    None
}

/// Returns a file of the repository if the path begins with `tests/` or `examples/`, and a published
/// data set otherwise.
#[must_use]
pub fn file(name: &str) -> Option<PathBuf> {
    if is_ours(name) { Some(ours(name)) } else { real(name) }
}

/// Returns the same, with paths of published data sets relative to a folder.
#[must_use]
pub fn file_in(folder: &str, name: &str) -> Option<PathBuf> {
    if is_ours(name) { Some(ours(name)) } else { real(&format!("{folder}/{name}")) }
}

fn is_ours(name: &str) -> bool {
    name.starts_with("tests/") || name.starts_with("examples/")
}

/// Returns the folder of published data sets, which may not exist.
fn folder() -> PathBuf {
    std::env::var_os("PELLUCID_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    )
}

/// Reports that the current test, or a part of it, is skipped because something is missing.
pub fn skipped(needed: &str) {
    let line = format!("skipped: {}::{} needs {needed}\n", program(), test());
    eprint!("{line}");
    if let Some(list) = std::env::var_os(LIST) {
        // A single write of a short line, so that lines of parallel tests are not mixed.
        let file = OpenOptions::new().create(true).append(true).open(&list);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        written.unwrap_or_else(|error| panic!("{LIST}={}: {error}", list.display()));
    }
}

/// Returns the name of the test binary without the hash that cargo adds.
fn program() -> String {
    let path = std::env::current_exe().unwrap_or_default();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    match stem.rsplit_once('-') {
        Some((name, hash)) if hash.len() == 16 => name.to_owned(),
        _ => stem,
    }
}

/// Returns the name of the current test: as set by the test runner, or that of the thread.
fn test() -> String {
    std::env::var("NEXTEST_TEST_NAME").ok().unwrap_or_else(|| {
        std::thread::current().name().map_or_else(|| "a test".to_owned(), str::to_owned)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn files_of_the_repository_exist() {
        assert!(ours("examples/trains.csv").is_file());
        assert_eq!(file("examples/trains.csv"), Some(ours("examples/trains.csv")));
        let absent = std::panic::catch_unwind(|| ours("examples/no.csv"));
        assert!(absent.is_err(), "a missing file of the repository is an error");
    }

    /// Runs itself again in a process with an empty folder of published data sets.
    #[test]
    fn missing_files_are_printed_and_listed() {
        const AGAIN: &str = "PELLUCID_TESTDATA_AGAIN";
        if std::env::var_os(AGAIN).is_some() {
            assert_eq!(real("fca/no.cxt"), None);
            assert_eq!(real("fca/nothing.dat"), None);
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let list = folder.path().join("skipped.txt");
        let output = Command::new(std::env::current_exe().expect("a test binary"))
            .args(["--exact", "tests::missing_files_are_printed_and_listed", "--nocapture"])
            .env(AGAIN, "1")
            .env("PELLUCID_DATA", folder.path())
            .env(LIST, &list)
            .env("NEXTEST_TEST_NAME", "module::test")
            .output()
            .expect("it runs");
        assert!(output.status.success());
        let expected = "skipped: pellucid_testdata::module::test needs fca/no.cxt\n\
                        skipped: pellucid_testdata::module::test needs fca/nothing.dat\n";
        assert_eq!(std::fs::read_to_string(&list).expect("a list"), expected);
        let printed = String::from_utf8_lossy(&output.stderr);
        assert!(expected.lines().all(|line| printed.contains(line)), "{printed}");
    }
}
