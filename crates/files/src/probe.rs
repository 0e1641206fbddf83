//! Checks of output paths: whether a file can be written, and whether two paths are the same file.

use crate::leftovers::{self, folder};
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Checks whether a file could be written here, before hours of work. Leaves no file behind.
///
/// # Errors
/// Fails if the path is a folder, if its folder does not exist, or if the file or folder is not writable.
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
                let missing = format!("the folder {} does not exist", folder.display());
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

/// Whether two paths are the same regular file, existing or not. Other files, such as `/dev/null`
/// or a pipe, may be used several times, so they are never the same.
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

/// Resolves all links of a path, even if the file does not exist yet.
fn resolved(path: &Path) -> Option<PathBuf> {
    if let Ok(whole) = fs::canonicalize(path) {
        return Some(whole);
    }
    Some(fs::canonicalize(folder(path)).ok()?.join(path.file_name()?))
}

/// Whether both paths are links to one file.
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
    fn unwritable_paths_are_reported() {
        let home = tempfile::tempdir().expect("a folder");
        let at = |name: &str| home.path().join(name);
        probe(&at("new.json")).expect("it can be written");
        assert_eq!(fs::read_dir(home.path()).expect("a folder").count(), 0, "nothing is left");
        assert_eq!(probe(home.path()).unwrap_err().to_string(), "it is a folder");
        let missing = probe(&at("none/new.json")).unwrap_err().to_string();
        assert!(
            missing.starts_with("the folder ") && missing.ends_with("none does not exist"),
            "{missing}"
        );
        fs::write(at("file"), "old").expect("written");
        assert!(probe(&at("file/new.json")).is_err(), "a file is not a folder");
        probe(&at("file")).expect("it may be replaced");
        assert_eq!(fs::read(at("file")).expect("the file"), b"old");
    }

    #[test]
    fn equal_paths_are_recognized() {
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
