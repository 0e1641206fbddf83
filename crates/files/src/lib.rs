//! Atomic replacement of files, locked files, and removal of temporary files.
//!
//! A [`Replacement`] writes to a temporary file and renames it when it is complete, so that readers
//! never see a partial file. [`remove_leftovers`] removes temporary files of processes that were
//! killed. [`FileLock`] locks a file that only one process at a time may replace.
//!
//! ```
//! use std::io::Write;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("model.json");
//! let mut file = pellucid_files::Replacement::begin(&path)?;
//! write!(file, "{{}}")?;
//! assert!(!path.exists(), "not visible before it is complete");
//! file.finish()?;
//! assert_eq!(std::fs::read_to_string(&path)?, "{}");
//! # Ok::<(), std::io::Error>(())
//! ```

#![forbid(unsafe_code)]

mod leftovers;
mod lock;
mod probe;
mod replacement;

pub use leftovers::remove_leftovers;
pub use lock::FileLock;
pub use probe::{is_same, probe};
pub use replacement::{Replacement, write};

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The number of bytes that identify the type of a file.
const GLANCE: u64 = 64;

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The whole content.
    Whole(Vec<u8>),
    /// The first bytes of a file of another type.
    Foreign(Vec<u8>),
    /// The file is larger than the limit.
    TooLarge,
}

/// Reads a file of at most `most` bytes if `begins` accepts its first bytes, so that large files of
/// another type are not read.
///
/// # Errors
/// Fails if the file cannot be read.
pub fn read(path: &Path, most: u64, begins: impl FnOnce(&[u8]) -> bool) -> io::Result<Content> {
    read_from(&File::open(path)?, most, begins)
}

fn read_from(
    mut file: &File,
    most: u64,
    begins: impl FnOnce(&[u8]) -> bool,
) -> io::Result<Content> {
    let mut bytes = Vec::new();
    file.take(GLANCE).read_to_end(&mut bytes)?;
    if !begins(&bytes) {
        return Ok(Content::Foreign(bytes));
    }
    // Only regular files have a length, and a file may grow, so the size is checked again after reading.
    if file.metadata().is_ok_and(|there| there.is_file() && there.len() > most) {
        return Ok(Content::TooLarge);
    }
    let left = most.saturating_sub(bytes.len() as u64);
    file.by_ref().take(left.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(if bytes.len() as u64 <= most { Content::Whole(bytes) } else { Content::TooLarge })
}

/// Returns the names of the files in a folder, for tests.
#[cfg(test)]
fn names(folder: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_files_are_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        std::fs::write(&path, [7; 1000]).expect("written");
        let read = |most, first: u8| read(&path, most, |bytes| bytes[0] == first).expect("read");
        assert_eq!(read(1000, 7), Content::Whole(vec![7; 1000]));
        assert_eq!(read(999, 7), Content::TooLarge);
        assert_eq!(read(3, 7), Content::TooLarge);
        assert_eq!(read(1000, 8), Content::Foreign(vec![7; 64]));
    }
}
