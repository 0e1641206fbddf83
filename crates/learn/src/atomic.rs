//! Files that are replaced whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// How the names of unfinished files end.
const UNFINISHED: &str = ".unfinished";

/// Writes a file so that at every moment its name holds either all of the old content or all of the
/// new.
///
/// The bytes go to a file beside it, are forced to the disk, and then take over the name. On any
/// error the old content stays and the unfinished file is removed. What is not a plain file (a
/// pipe, `/dev/stdout`) has no old content to protect and is written to directly; a link is
/// followed.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| old.is_dir()) {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let path = if old.is_some() { fs::canonicalize(path)? } else { path.to_owned() };
    let unfinished = unfinished_name(&path)?;
    let result = write_beside(&unfinished, bytes, old.map(|old| old.permissions()))
        .and_then(|()| fs::rename(&unfinished, &path))
        .and_then(|()| sync_folder(&path));
    if result.is_err() {
        // The first error is the one worth telling.
        let _ = fs::remove_file(&unfinished);
    }
    result
}

fn write_beside(path: &Path, bytes: &[u8], permissions: Option<fs::Permissions>) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    file.write_all(bytes)?;
    file.sync_all()
}

/// A name in the same folder (renaming does not cross disks) that no other process or thread uses.
fn unfinished_name(path: &Path) -> io::Result<PathBuf> {
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

/// Removes what processes that were killed while writing `path` left beside it.
pub(crate) fn remove_leftovers(path: &Path) {
    let (Ok(prefix), Ok(entries)) = (prefix(path), fs::read_dir(folder(path))) else { return };
    let prefix = prefix.to_string_lossy().into_owned();
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let middle = name.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(UNFINISHED));
        if middle.is_some_and(is_writer) {
            // A leftover only takes room; failing to remove it is no reason to stop.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether this is a process and a turn, as [`unfinished_name`] writes them. Anything else belongs to a file whose name
/// only begins like this one: `.run.2.77-0.unfinished` is of `run.2`, not of `run`.
fn is_writer(text: &str) -> bool {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('-').is_some_and(|(process, turn)| number(process) && number(turn))
}

/// The folder of a file; a bare name lies in the current one.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
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

/// Reads a file of at most `most` bytes; `None` when it is larger.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    use std::io::Read;
    let file = File::open(path)?;
    let mut bytes = Vec::new();
    // The length is not asked for beforehand: it may be wrong for pipes and files that grow.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

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
    fn a_failure_leaves_the_old_content() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(write(&folder.path().join("missing/model.json"), b"x").is_err());
        assert!(write(folder.path(), b"x").is_err(), "a folder is no file");
        assert!(write(Path::new("/"), b"x").is_err());
        assert!(names(folder.path()).is_empty());
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
    fn large_files_are_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, [7; 10]).expect("written");
        assert_eq!(read(&path, 10).expect("read"), Some(vec![7; 10]));
        assert_eq!(read(&path, 9).expect("read"), None);
    }
}
