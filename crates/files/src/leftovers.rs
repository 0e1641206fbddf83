//! Unfinished files: how they are called, whose they are, and who may remove them.
//!
//! An unfinished file lies beside the file it is to replace, is called after it, its process and a number, and is locked for
//! as long as somebody writes it. The lock ends with the process, however that ends, so it tells the living from the dead
//! on any machine that shares the disk; the number of a process would not.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// How the names of unfinished files end.
const UNFINISHED: &str = ".unfinished";

/// A new unfinished file for `path`, locked.
pub(crate) fn create(path: &Path) -> io::Result<(PathBuf, File)> {
    loop {
        let name = name(path)?;
        let file = match OpenOptions::new().read(true).write(true).create_new(true).open(&name) {
            // A process of this number died here before, and somebody has not cleaned up yet.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            other => other?,
        };
        // Where a disk knows no locks nobody removes what cannot be locked, so nothing is lost.
        let _ = file.lock();
        // Between the two steps it looked abandoned, and a cleaner may have taken it.
        if name.try_exists()? {
            return Ok((name, file));
        }
    }
}

/// A name in the same folder (renaming does not cross disks) that no other process or thread uses.
fn name(path: &Path) -> io::Result<PathBuf> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let mut name = prefix(path)?;
    let turn = COUNTER.fetch_add(1, Ordering::Relaxed);
    name.push(format!("{}-{turn}{UNFINISHED}", std::process::id()));
    Ok(path.with_file_name(name))
}

fn prefix(path: &Path) -> io::Result<OsString> {
    let Some(file) = path.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"));
    };
    let mut prefix = OsString::from(".");
    prefix.push(file);
    prefix.push(".");
    Ok(prefix)
}

/// Removes what processes that were killed while writing `path` left beside it. What a living one writes stays.
pub fn remove_leftovers(path: &Path) {
    let (Ok(prefix), Ok(entries)) = (prefix(path), fs::read_dir(folder(path))) else { return };
    let prefix = prefix.to_string_lossy().into_owned();
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let middle = name.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(UNFINISHED));
        if middle.is_some_and(is_writer) {
            // A leftover only takes room; failing to remove it is no reason to stop.
            let _ = remove_if_abandoned(&entry.path());
        }
    }
}

fn remove_if_abandoned(path: &Path) -> io::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    file.try_lock()?;
    // Held until the name is gone, so that a writer who has just made it waits and sees that it is.
    fs::remove_file(path)
}

/// Whether this is a process and a turn, as [`name`] writes them. Anything else belongs to a file whose name
/// only begins like this one: `.run.2.77-0.unfinished` is of `run.2`, not of `run`.
fn is_writer(text: &str) -> bool {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('-').is_some_and(|(process, turn)| number(process) && number(turn))
}

/// The folder of a file; a bare name lies in the current one.
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
    fn what_a_living_one_writes_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.ckpt");
        let (name, file) = create(&path).expect("created");
        remove_leftovers(&path);
        assert!(name.exists(), "somebody writes it");
        drop(file);
        remove_leftovers(&path);
        assert!(!name.exists(), "nobody writes it any more");
    }
}
