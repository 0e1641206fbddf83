//! A file that one process at a time may replace.

use crate::{Content, Replacement, read_from, remove_leftovers};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

/// A locked file; another process that tries to lock it gets an error.
///
/// The lock is on the file itself, and each new file is locked before it replaces the old one, so
/// the name is locked at every moment and there is no separate lock file. The lock ends with the
/// process, even if that crashes.
#[derive(Debug)]
pub struct FileLock {
    path: PathBuf,
    file: File,
}

impl FileLock {
    /// Locks an existing file.
    ///
    /// # Errors
    /// [`WouldBlock`](io::ErrorKind::WouldBlock) if another process holds the lock, and any error
    /// of opening the file.
    pub fn take(path: &Path) -> io::Result<FileLock> {
        let path = fs::canonicalize(path)?;
        remove_leftovers(&path);
        loop {
            let file = open(&path)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
                // The file system does not support locks, so no process can be excluded.
                Err(TryLockError::Error(_)) | Ok(()) => {}
            }
            if is_still(&file, &path) {
                return Ok(FileLock { path, file });
            }
            // The holder replaced the file while it was being opened, and released the old one.
        }
    }

    /// Creates and locks a new file.
    ///
    /// # Errors
    /// [`AlreadyExists`](io::ErrorKind::AlreadyExists) if the file exists, and any error of writing the file.
    pub fn create(path: &Path, bytes: &[u8]) -> io::Result<FileLock> {
        let mut new = Replacement::begin(path)?;
        new.write_all(bytes)?;
        let file = new.finish_as_first()?;
        Ok(FileLock { path: fs::canonicalize(path)?, file })
    }

    /// Replaces the content atomically.
    ///
    /// # Errors
    /// Fails if the file cannot be written; the old content then stays, and stays locked.
    pub fn replace(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut new = Replacement::begin_beside(&self.path)?;
        new.write_all(bytes)?;
        self.file = new.finish_and_keep()?;
        Ok(())
    }

    /// Reads the content: see [`read`](crate::read).
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn read(&self, most: u64, begins: impl FnOnce(&[u8]) -> bool) -> io::Result<Content> {
        let mut file = &self.file;
        file.rewind()?;
        read_from(file, most, begins)
    }
}

/// Opens a file for writing, because some file systems lock only such files, or else for reading.
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(path).or_else(|_| File::open(path))
}

/// Whether an open file is still the one at the path.
#[cfg(unix)]
fn is_still(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(open), Ok(named)) => open.dev() == named.dev() && open.ino() == named.ino(),
        // The file was removed, so only the open one is left.
        _ => true,
    }
}

#[cfg(not(unix))]
fn is_still(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_process_holds_the_lock() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.ckpt");
        assert_eq!(FileLock::take(&path).unwrap_err().kind(), io::ErrorKind::NotFound);
        let mut first = FileLock::create(&path, b"one").expect("not locked");
        let in_use = |path: &Path| FileLock::take(path).unwrap_err().kind();
        assert_eq!(in_use(&path), io::ErrorKind::WouldBlock);
        first.replace(b"two").expect("written");
        assert_eq!(in_use(&path), io::ErrorKind::WouldBlock);
        assert_eq!(FileLock::create(&path, b"x").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        drop(first);
        let second = FileLock::take(&path).expect("free again");
        let read = |most| second.read(most, |_| true).expect("read");
        assert_eq!(read(10), Content::Whole(b"two".to_vec()));
        assert_eq!(read(2), Content::TooLarge);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left");
    }

    #[test]
    fn the_lock_survives_a_failed_replacement() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).expect("a folder");
        let path = inner.join("run.ckpt");
        let mut held = FileLock::create(&path, b"one").expect("written");
        fs::rename(&inner, folder.path().join("elsewhere")).expect("moved away");
        assert!(held.replace(b"two").is_err());
        assert_eq!(held.read(10, |_| true).expect("read"), Content::Whole(b"one".to_vec()));
    }
}
