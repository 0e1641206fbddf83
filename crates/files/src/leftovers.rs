//! Temporary files of unfinished writes: their names, their locks, and their removal.
//!
//! A temporary file is in the folder of the file it will replace. Its name consists of that file's
//! name, the process id and a counter. It is locked while it is written. The lock ends with the
//! process, even if that crashes, so it shows on every machine that shares the disk whether the
//! file is still in use; a process id would not.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The suffix of temporary files.
const UNFINISHED: &str = ".unfinished";

/// Creates a locked temporary file for `path`.
pub(crate) fn create(path: &Path) -> io::Result<(PathBuf, File)> {
    loop {
        let name = name(path)?;
        let file = match OpenOptions::new().read(true).write(true).create_new(true).open(&name) {
            // A process with the same id left the file behind.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            other => other?,
        };
        // On a file system without locks no process removes the file, because removal needs a lock.
        let _ = file.lock();
        // Before it was locked, the file looked abandoned, and another process may have removed it.
        if name.try_exists()? {
            return Ok((name, file));
        }
    }
}

/// Returns a name that no other process or thread uses, in the same folder, because renaming does
/// not cross file systems.
fn name(path: &Path) -> io::Result<PathBuf> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let mut name = prefix(path)?;
    let turn = COUNTER.fetch_add(1, Ordering::Relaxed);
    name.push(format!("{}-{turn}{UNFINISHED}", std::process::id()));
    Ok(path.with_file_name(name))
}

fn prefix(path: &Path) -> io::Result<OsString> {
    let Some(file) = path.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path does not name a file"));
    };
    let mut prefix = OsString::from(".");
    prefix.push(file);
    prefix.push(".");
    Ok(prefix)
}

/// Removes temporary files of processes that were killed while they wrote `path`. Files that are
/// still being written stay.
pub fn remove_leftovers(path: &Path) {
    let (Ok(prefix), Ok(entries)) = (prefix(path), fs::read_dir(folder(path))) else { return };
    let prefix = prefix.to_string_lossy().into_owned();
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let middle = name.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(UNFINISHED));
        if middle.is_some_and(is_writer) {
            // A leftover file only takes space, so a failure to remove it is ignored.
            let _ = remove_if_abandoned(&entry.path());
        }
    }
}

fn remove_if_abandoned(path: &Path) -> io::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    file.try_lock()?;
    // Locked until the file is removed, so that a process that has just created it notices the removal.
    fs::remove_file(path)
}

/// Whether a text is a process id and a counter, as in [`name`]. Otherwise the file belongs to
/// another file whose name begins like this one: `.run.2.77-0.unfinished` belongs to `run.2`, not
/// to `run`.
fn is_writer(text: &str) -> bool {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('-').is_some_and(|(process, turn)| number(process) && number(turn))
}

/// Returns the folder of a file; the current folder for a bare name.
pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names;

    #[test]
    fn leftovers_of_this_file_only_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let others = [".other.88-0.unfinished", ".run.ckpt.2.88-0.unfinished", "run.ckpt"];
        for name in [".run.ckpt.77-0.unfinished"].iter().chain(&others) {
            fs::write(folder.path().join(name), "x").expect("written");
        }
        remove_leftovers(&folder.path().join("run.ckpt"));
        assert_eq!(names(folder.path()), others);
    }

    #[test]
    fn files_in_use_are_not_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.ckpt");
        let (name, file) = create(&path).expect("created");
        remove_leftovers(&path);
        assert!(name.exists(), "it is still locked");
        drop(file);
        remove_leftovers(&path);
        assert!(!name.exists(), "it is no longer locked");
    }
}
