//! A file that one at a time keeps replacing.

use crate::{Content, Replacement, read_from, remove_leftovers};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

/// A file in somebody's hands: whoever else wants to take hold of it hears that it is in use.
///
/// The file itself is locked, and so is each new one before it takes over the name, so that there is no moment in between and
/// no other file that could be left behind. The lock ends with the process, however that ends.
#[derive(Debug)]
pub struct Held {
    path: PathBuf,
    file: File,
}

impl Held {
    /// Takes hold of a file that is there.
    ///
    /// # Errors
    /// [`WouldBlock`](io::ErrorKind::WouldBlock) when somebody else holds it, and whatever keeps it from being opened.
    pub fn take(path: &Path) -> io::Result<Held> {
        let path = fs::canonicalize(path)?;
        remove_leftovers(&path);
        loop {
            let file = open(&path)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
                // A disk that knows no locks: nobody can be kept out there.
                Err(TryLockError::Error(_)) | Ok(()) => {}
            }
            if is_still(&file, &path) {
                return Ok(Held { path, file });
            }
            // While it was being opened its holder replaced it, and let go of the old one.
        }
    }

    /// Writes a file that is not there yet and holds it.
    ///
    /// # Errors
    /// [`AlreadyExists`](io::ErrorKind::AlreadyExists) when somebody was quicker, and whatever keeps it from being written.
    pub fn create(path: &Path, bytes: &[u8]) -> io::Result<Held> {
        let mut new = Replacement::begin(path)?;
        new.write_all(bytes)?;
        let file = new.finish_as_first()?;
        Ok(Held { path: fs::canonicalize(path)?, file })
    }

    /// Writes a new edition in its place, in one move.
    ///
    /// # Errors
    /// When it cannot be written; the edition before is then unharmed, and still held.
    pub fn replace(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut new = Replacement::begin_beside(&self.path)?;
        new.write_all(bytes)?;
        self.file = new.finish_and_keep()?;
        Ok(())
    }

    /// What it holds: see [`read`](crate::read).
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(&self, most: u64, begins: impl FnOnce(&[u8]) -> bool) -> io::Result<Content> {
        let mut file = &self.file;
        file.rewind()?;
        read_from(file, most, begins)
    }
}

/// Some disks lock only what is open for writing; a file that may only be read can be held all the same.
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(path).or_else(|_| File::open(path))
}

/// Whether an open file is still the one that has the name.
#[cfg(unix)]
fn is_still(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(open), Ok(named)) => open.dev() == named.dev() && open.ino() == named.ino(),
        // Gone altogether: what is open is all there is.
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
    fn one_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.ckpt");
        assert_eq!(Held::take(&path).unwrap_err().kind(), io::ErrorKind::NotFound);
        let mut first = Held::create(&path, b"one").expect("nobody has it");
        let in_use = |path: &Path| Held::take(path).unwrap_err().kind();
        assert_eq!(in_use(&path), io::ErrorKind::WouldBlock);
        first.replace(b"two").expect("written");
        assert_eq!(in_use(&path), io::ErrorKind::WouldBlock);
        assert_eq!(Held::create(&path, b"x").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        drop(first);
        let second = Held::take(&path).expect("free again");
        let read = |most| second.read(most, |_| true).expect("read");
        assert_eq!(read(10), Content::Whole(b"two".to_vec()));
        assert_eq!(read(2), Content::TooLarge);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left");
    }

    #[test]
    fn what_cannot_be_replaced_is_still_held() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).expect("a folder");
        let path = inner.join("run.ckpt");
        let mut held = Held::create(&path, b"one").expect("written");
        fs::rename(&inner, folder.path().join("elsewhere")).expect("moved away");
        assert!(held.replace(b"two").is_err());
        assert_eq!(held.read(10, |_| true).expect("read"), Content::Whole(b"one".to_vec()));
    }
}
