//! What tests share: the files they read, how many cases they try, and Python, which runs what is exported.
//!
//! Two shelves. [`ours`] has small files made for this project, `tests/data` and `examples`; they
//! are always there, so a test that reads one always runs. [`real`] has the sets that the field
//! works with. They are not ours to ship and lie beside the checkout, or in the folder that
//! `PELLUCID_DATA` names; where one is absent the test is skipped, and says so in one form:
//!
//! ```text
//! skipped: learning::all_family_problems_are_solved needs dl/family-benchmark/Aunt.conf
//! ```
//!
//! A test that is skipped looks like one that passed. So the gate names a file in
//! `PELLUCID_SKIPPED`, every line goes there too, and the gate ends by telling how many there are.

mod cases;
mod python;

pub use cases::cases;
pub use python::python;

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The variable that names the file in which skipped tests are listed.
pub const LIST: &str = "PELLUCID_SKIPPED";

/// A file of our own, by its path from the top of the project: `tests/data/…` or `examples/…`.
///
/// # Panics
///
/// When it is absent: a file of our own is never a reason to skip a test.
#[must_use]
pub fn ours(name: &str) -> PathBuf {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(name);
    assert!(path.exists(), "there is no {}; it belongs to the project", path.display());
    path
}

/// A real file by its path in the folder of real data, or nothing (and a line that says so) where
/// it is absent.
#[must_use]
pub fn real(name: &str) -> Option<PathBuf> {
    let path = folder().join(name);
    if path.exists() {
        return Some(path);
    }
    skipped(name);
    None
}

/// A file of either shelf: one of our own where the path begins with `tests/` or `examples/`, else
/// a real one. So one table lists both, and something of it is checked everywhere.
#[must_use]
pub fn file(name: &str) -> Option<PathBuf> {
    if is_ours(name) { Some(ours(name)) } else { real(name) }
}

/// The same, where real files are called by their path in one folder of the real data.
#[must_use]
pub fn file_in(folder: &str, name: &str) -> Option<PathBuf> {
    if is_ours(name) { Some(ours(name)) } else { real(&format!("{folder}/{name}")) }
}

fn is_ours(name: &str) -> bool {
    name.starts_with("tests/") || name.starts_with("examples/")
}

/// The folder of real data, whether or not it is there.
fn folder() -> PathBuf {
    std::env::var_os("PELLUCID_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    )
}

/// Says that the test at work is skipped, or a part of it, for want of something.
pub fn skipped(needed: &str) {
    let line = format!("skipped: {}::{} needs {needed}\n", program(), test());
    eprint!("{line}");
    if let Some(list) = std::env::var_os(LIST) {
        // One write of one short line: tests that run side by side do not mix theirs.
        let file = OpenOptions::new().create(true).append(true).open(&list);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        written.unwrap_or_else(|error| panic!("{LIST}={}: {error}", list.display()));
    }
}

/// The test binary, without the hash that cargo adds to its name.
fn program() -> String {
    let path = std::env::current_exe().unwrap_or_default();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    match stem.rsplit_once('-') {
        Some((name, hash)) if hash.len() == 16 => name.to_owned(),
        _ => stem,
    }
}

/// The test that is at work: by the runner's word, else the thread it runs on, which is named after it.
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
    fn our_own_files_are_there() {
        assert!(ours("examples/trains.csv").is_file());
        assert_eq!(file("examples/trains.csv"), Some(ours("examples/trains.csv")));
        let absent = std::panic::catch_unwind(|| ours("examples/no.csv"));
        assert!(absent.is_err(), "an absent file of our own is an error");
    }

    /// Runs itself again in a process with an empty folder of real data and a list to write to.
    #[test]
    fn what_is_absent_is_printed_and_listed() {
        const AGAIN: &str = "PELLUCID_TESTDATA_AGAIN";
        if std::env::var_os(AGAIN).is_some() {
            assert_eq!(real("fca/no.cxt"), None);
            assert_eq!(real("fca/nothing.dat"), None);
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let list = folder.path().join("skipped.txt");
        let output = Command::new(std::env::current_exe().expect("a test binary"))
            .args(["--exact", "tests::what_is_absent_is_printed_and_listed", "--nocapture"])
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
