//! Atomic replacement of files.

use crate::leftovers::{self, folder, remove_leftovers};
use crate::probe;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that is being replaced: at every moment the path has either all of the old content or all
/// of the new content.
///
/// The bytes go to a temporary file, which is synced to the disk and then renamed. If anything
/// fails before that, the old content stays and the temporary file is removed. A file that is not
/// regular (a pipe, `/dev/stdout`) is written directly; a symbolic link is followed.
#[derive(Debug)]
pub struct Replacement {
    file: File,
    /// The temporary file and the path it will replace; `None` for a file that is written directly.
    names: Option<(PathBuf, PathBuf)>,
}

impl Replacement {
    /// Begins to replace `path`, and removes temporary files that killed processes left behind.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn begin(path: &Path) -> io::Result<Replacement> {
        let replacement = Replacement::begin_beside(path)?;
        if let Some((_, target)) = &replacement.names {
            remove_leftovers(target);
        }
        Ok(replacement)
    }

    /// Like [`Replacement::begin`], without removing temporary files.
    pub(crate) fn begin_beside(path: &Path) -> io::Result<Replacement> {
        let old = fs::metadata(path).ok();
        if old.as_ref().is_some_and(|old| old.is_dir()) {
            return Err(probe::is_folder());
        }
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            let file = OpenOptions::new().write(true).open(path)?;
            return Ok(Replacement { file, names: None });
        }
        let target = if old.is_some() { fs::canonicalize(path)? } else { path.to_owned() };
        let (unfinished, file) = leftovers::create(&target)?;
        let replacement = Replacement { file, names: Some((unfinished, target)) };
        if let Some(old) = old {
            replacement.file.set_permissions(old.permissions())?;
        }
        Ok(replacement)
    }

    /// Replaces the old content with the new content.
    ///
    /// # Errors
    /// Fails if the disk reports an error; the old content then stays.
    pub fn finish(self) -> io::Result<()> {
        self.finish_and_keep().map(drop)
    }

    /// Like [`Replacement::finish`]; returns the file, still locked.
    pub(crate) fn finish_and_keep(mut self) -> io::Result<File> {
        let Some((unfinished, target)) = &self.names else { return self.file.try_clone() };
        self.file.sync_all()?;
        let file = self.file.try_clone()?;
        fs::rename(unfinished, target)?;
        let synced = sync_folder(target);
        // The file was renamed, so there is nothing to remove.
        self.names = None;
        synced.map(|()| file)
    }

    /// Moves the new content to the path, unless a file exists there.
    pub(crate) fn finish_as_first(self) -> io::Result<File> {
        let Some((unfinished, target)) = &self.names else { return self.file.try_clone() };
        self.file.sync_all()?;
        let file = self.file.try_clone()?;
        match fs::hard_link(unfinished, target) {
            // Dropping the replacement removes the temporary name.
            Ok(()) => sync_folder(target).map(|()| file),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            // The file system does not support hard links.
            Err(_) if !target.try_exists()? => self.finish_and_keep(),
            Err(error) => Err(error),
        }
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some((unfinished, _)) = &self.names {
            // The caller already has a more important error to report.
            let _ = fs::remove_file(unfinished);
        }
    }
}

/// Writes a file atomically: see [`Replacement`].
///
/// # Errors
/// Fails if the file cannot be written; the old content then stays.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = Replacement::begin(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// Syncs the folder, so that the new name survives a power failure.
///
/// At this point the file is complete. A system that cannot open or sync a folder (Windows, some
/// network disks) is not a failure; a disk that reports an error is.
fn sync_folder(path: &Path) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    let Ok(folder) = File::open(folder(path)) else { return Ok(()) };
    match folder.sync_all() {
        Err(e) if !matches!(e.kind(), InvalidInput | PermissionDenied | Unsupported) => Err(e),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names;

    #[test]
    fn a_file_is_replaced_without_leftovers() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("model.json");
        write(&path, b"old").expect("written");
        write(&path, b"new").expect("written");
        assert_eq!(fs::read(&path).expect("the file"), b"new");
        assert_eq!(names(folder.path()), ["model.json"]);
    }

    #[test]
    fn an_unfinished_replacement_changes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("model.json");
        write(&path, b"old").expect("written");
        let mut file = Replacement::begin(&path).expect("begun");
        file.write_all(b"half of the new").expect("written");
        assert_eq!(fs::read(&path).expect("the file"), b"old");
        drop(file);
        assert_eq!(fs::read(&path).expect("the file"), b"old");
        assert_eq!(names(folder.path()), ["model.json"]);
    }

    #[test]
    fn a_failure_leaves_the_old_content() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(write(&folder.path().join("missing/model.json"), b"x").is_err());
        assert!(write(folder.path(), b"x").is_err(), "a folder is not a file");
        assert!(write(Path::new("/"), b"x").is_err());
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn only_the_first_of_two_writers_creates_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.ckpt");
        let both = [Replacement::begin(&path), Replacement::begin(&path)];
        let finished = both.map(|one| one.expect("begun").finish_as_first().is_ok());
        assert_eq!(finished, [true, false]);
        assert_eq!(names(folder.path()), ["run.ckpt"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_permissions_kept() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").expect("written");
        fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).expect("set");
        std::os::unix::fs::symlink(&real, &link).expect("linked");
        write(&link, b"new").expect("written");
        assert_eq!(fs::read(&real).expect("the file"), b"new");
        assert_eq!(fs::metadata(&real).expect("the file").permissions().mode() & 0o777, 0o600);
        assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error() {
        let error = write(Path::new("/dev/full"), b"x").expect_err("always full");
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        write(Path::new("/dev/null"), b"x").expect("takes anything");
    }
}
