//! Files as others may see them at any moment: whole, in nobody else's hands, and with nothing left over.
//!
//! Picture a shelf that several people use at once. Who wants to put a new edition of a book there writes it on a table beside
//! the shelf and, when the last page is done, swaps the books in one move: no reader ever takes home half a book. That is a
//! [`Replacement`]. A table at which somebody sits is left alone; one that was abandoned is cleared by the next who comes
//! ([`remove_leftovers`]). A book that only one may continue is [`Held`].
//!
//! ```
//! use std::io::Write;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("model.json");
//! let mut file = pellucid_files::Replacement::begin(&path)?;
//! write!(file, "{{}}")?;
//! assert!(!path.exists(), "nothing to be seen before it is whole");
//! file.finish()?;
//! assert_eq!(std::fs::read_to_string(&path)?, "{}");
//! # Ok::<(), std::io::Error>(())
//! ```

#![forbid(unsafe_code)]

mod held;
mod leftovers;
mod place;
mod replacement;

pub use held::Held;
pub use leftovers::remove_leftovers;
pub use place::{is_same, probe};
pub use replacement::{Replacement, write};

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// How many bytes tell what a file is.
const GLANCE: u64 = 64;

/// What a file was found to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// All of it.
    Whole(Vec<u8>),
    /// Something else; how it begins.
    Foreign(Vec<u8>),
    /// More than is read.
    TooLarge,
}

/// Reads a file of at most `most` bytes, if its first ones are those of what is looked for: nobody waits for gigabytes of
/// something else.
///
/// # Errors
/// When the file cannot be read.
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
    // Of what is no plain file the length says nothing, and a file may grow: it is looked at again behind.
    if file.metadata().is_ok_and(|there| there.is_file() && there.len() > most) {
        return Ok(Content::TooLarge);
    }
    let left = most.saturating_sub(bytes.len() as u64);
    file.by_ref().take(left.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(if bytes.len() as u64 <= most { Content::Whole(bytes) } else { Content::TooLarge })
}

/// What lies in a folder, for tests.
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
