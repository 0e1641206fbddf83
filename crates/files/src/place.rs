//! Where a file is to lie: whether it can, and whether another name means the same place.

use crate::leftovers::{self, folder};
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Looks whether a file could be written here: better asked before hours of work than after. Nothing is left behind.
///
/// # Errors
/// Says what is in the way: a folder of that name, none to lie in, a file or folder that may not be written to.
pub fn probe(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(is_folder()),
        Ok(there) if !there.is_file() => Ok(()),
        Ok(_) => {
            OpenOptions::new().write(true).open(path)?;
            try_beside(&fs::canonicalize(path)?)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let folder = folder(path);
            if !folder.is_dir() {
                let missing = format!("there is no folder {}", folder.display());
                return Err(io::Error::new(io::ErrorKind::NotFound, missing));
            }
            try_beside(path)
        }
        Err(error) => Err(error),
    }
}

pub(crate) fn is_folder() -> io::Error {
    io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")
}

fn try_beside(path: &Path) -> io::Result<()> {
    let (name, file) = leftovers::create(path)?;
    drop(file);
    fs::remove_file(name)
}

/// Whether two names mean one plain file, or would if it were there. What is no plain file (`/dev/null`, a pipe) may be
/// named as often as one likes.
#[must_use]
pub fn is_same(left: &Path, right: &Path) -> bool {
    let is_special = |path: &Path| fs::metadata(path).is_ok_and(|there| !there.is_file());
    if is_special(left) || is_special(right) {
        return false;
    }
    match (resolved(left), resolved(right)) {
        (Some(one), Some(other)) if one == other => true,
        _ => is_one_file(left, right),
    }
}

/// The place of a name with all links followed, also of a file that is not there yet.
fn resolved(path: &Path) -> Option<PathBuf> {
    if let Ok(whole) = fs::canonicalize(path) {
        return Some(whole);
    }
    Some(fs::canonicalize(folder(path)).ok()?.join(path.file_name()?))
}

/// Whether one file has both names.
#[cfg(unix)]
fn is_one_file(left: &Path, right: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (fs::metadata(left), fs::metadata(right)) {
        (Ok(one), Ok(other)) => one.dev() == other.dev() && one.ino() == other.ino(),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_one_file(_: &Path, _: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_the_way_is_said() {
        let home = tempfile::tempdir().expect("a folder");
        let at = |name: &str| home.path().join(name);
        probe(&at("new.json")).expect("nothing is in the way");
        assert_eq!(fs::read_dir(home.path()).expect("a folder").count(), 0, "nothing is left");
        assert_eq!(probe(home.path()).unwrap_err().to_string(), "it is a folder");
        let missing = probe(&at("none/new.json")).unwrap_err().to_string();
        assert!(
            missing.starts_with("there is no folder ") && missing.ends_with("none"),
            "{missing}"
        );
        fs::write(at("file"), "old").expect("written");
        assert!(probe(&at("file/new.json")).is_err(), "a file is no folder");
        probe(&at("file")).expect("it may be replaced");
        assert_eq!(fs::read(at("file")).expect("the file"), b"old");
    }

    #[test]
    fn names_of_one_place() {
        let home = tempfile::tempdir().expect("a folder");
        let at = |name: &str| home.path().join(name);
        fs::create_dir(at("inner")).expect("a folder");
        for (left, right) in [("a", "a"), ("a", "inner/../a")] {
            assert!(is_same(&at(left), &at(right)), "{left} {right}, not there yet");
        }
        fs::write(at("a"), "x").expect("written");
        fs::hard_link(at("a"), at("b")).expect("linked");
        assert!(is_same(&at("a"), &at("inner/../a")));
        assert!(!is_same(&at("a"), &at("c")) && !is_same(&at("inner/c"), &at("c")));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("a"), at("link")).expect("linked");
            assert!(is_same(&at("a"), &at("link")) && is_same(&at("a"), &at("b")));
            assert!(!is_same(Path::new("/dev/null"), Path::new("/dev/null")));
        }
    }
}
