//! Files that are replaced whole or not at all.

use crate::leftovers::{self, folder, remove_leftovers};
use crate::place;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file under way: at every moment its name holds either all of the old content or all of the new.
///
/// The bytes go to a file beside it, are forced to the disk, and then take over the name. Whatever goes wrong before, the old
/// content stays and the unfinished file is removed. What is not a plain file (a pipe, `/dev/stdout`) has no old content to
/// protect and is written to directly; a link is followed.
#[derive(Debug)]
pub struct Replacement {
    file: File,
    /// The unfinished file and the name it is to take over; none where there is nothing to protect.
    names: Option<(PathBuf, PathBuf)>,
}

impl Replacement {
    /// Begins to write in place of `path`, after clearing away what the dead left there.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn begin(path: &Path) -> io::Result<Replacement> {
        let replacement = Replacement::begin_beside(path)?;
        if let Some((_, target)) = &replacement.names {
            remove_leftovers(target);
        }
        Ok(replacement)
    }

    /// The same for one who has cleared away before.
    pub(crate) fn begin_beside(path: &Path) -> io::Result<Replacement> {
        let old = fs::metadata(path).ok();
        if old.as_ref().is_some_and(|old| old.is_dir()) {
            return Err(place::is_folder());
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

    /// The new content takes over the name.
    ///
    /// # Errors
    /// When the disk does not take it; the old content then stays.
    pub fn finish(self) -> io::Result<()> {
        self.finish_and_keep().map(drop)
    }

    /// The same; the file is given back, still locked.
    pub(crate) fn finish_and_keep(mut self) -> io::Result<File> {
        let Some((unfinished, target)) = &self.names else { return self.file.try_clone() };
        self.file.sync_all()?;
        let file = self.file.try_clone()?;
        fs::rename(unfinished, target)?;
        let synced = sync_folder(target);
        // It has its name now; there is nothing left to remove.
        self.names = None;
        synced.map(|()| file)
    }

    /// The new content takes the name, unless somebody has it already.
    pub(crate) fn finish_as_first(self) -> io::Result<File> {
        let Some((unfinished, target)) = &self.names else { return self.file.try_clone() };
        self.file.sync_all()?;
        let file = self.file.try_clone()?;
        match fs::hard_link(unfinished, target) {
            // The other name goes with the rest.
            Ok(()) => sync_folder(target).map(|()| file),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            // A disk without second names.
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
            // Whoever drops it has an error to tell that is worth more than this one.
            let _ = fs::remove_file(unfinished);
        }
    }
}

/// Writes all of a file in one move: see [`Replacement`].
///
/// # Errors
/// When it cannot be written; what was there is then unharmed.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = Replacement::begin(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// Makes the new name itself survive a power failure, where the system can do that.
///
/// By now the file is whole and in place. Systems that cannot open or sync a folder (Windows, some
/// network disks) are no reason to call that a failure; a disk that reports an error is.
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
    fn a_file_is_replaced_and_nothing_is_left_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("model.json");
        write(&path, b"old").expect("written");
        write(&path, b"new").expect("written");
        assert_eq!(fs::read(&path).expect("the file"), b"new");
        assert_eq!(names(folder.path()), ["model.json"]);
    }

    #[test]
    fn what_is_not_finished_was_never_there() {
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
        assert!(write(folder.path(), b"x").is_err(), "a folder is no file");
        assert!(write(Path::new("/"), b"x").is_err());
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn the_first_one_has_the_name() {
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
