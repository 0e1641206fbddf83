//! A table in several files: a folder, or a pattern such as `part-*.csv`.

use crate::source::error::{ReadError, ReadProblem, counted};
use std::path::{Path, PathBuf};

/// Returns the files of a table in order: the file itself, the files of a folder, or the files that
/// match a pattern; then those of `more`.
pub(crate) fn expand(path: &Path, more: &[PathBuf]) -> Result<Vec<PathBuf>, ReadError> {
    let mut files = Vec::new();
    for path in std::iter::once(path).chain(more.iter().map(PathBuf::as_path)) {
        let found = files_of(path)
            .map_err(|problem| ReadError::from(problem).in_file(&path.display().to_string()))?;
        files.extend(found);
    }
    Ok(files)
}

fn files_of(path: &Path) -> Result<Vec<PathBuf>, ReadProblem> {
    if path.is_dir() {
        let files = list(path, |_| true)?;
        return if files.is_empty() { Err(none("the folder has no files")) } else { Ok(files) };
    }
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let pattern = name.filter(|name| name.contains(['*', '?']) && !path.exists());
    let Some(pattern) = pattern else { return Ok(vec![path.to_owned()]) };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let files = list(folder.unwrap_or(Path::new(".")), |name| matches(&pattern, name))?;
    let files = match folder {
        Some(_) => files,
        None => files.iter().filter_map(|file| file.file_name()).map(PathBuf::from).collect(),
    };
    if files.is_empty() { Err(none("no file matches the pattern")) } else { Ok(files) }
}

fn none(what: &str) -> ReadProblem {
    ReadProblem::Options(format!("{what}; expected a table").into())
}

/// Returns the files of a folder by name. Programs mark files that are not data by a first dot or
/// underscore, such as `_SUCCESS`.
fn list(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>, ReadProblem> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(ReadProblem::Io)? {
        let path = entry.map_err(ReadProblem::Io)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !name.starts_with(['.', '_']) && is_wanted(&name) && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a name matches a pattern, in which `*` stands for any text and `?` for one character.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut here) = (0, 0);
    // The last star, and the first character after the text that it stands for.
    let mut star: Option<(usize, usize)> = None;
    while here < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, here));
                at += 1;
            }
            Some(&letter) if letter == '?' || letter == name[here] => {
                at += 1;
                here += 1;
            }
            _ => match star {
                Some((position, until)) => {
                    star = Some((position, until + 1));
                    at = position + 1;
                    here = until + 1;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|&letter| letter == '*')
}

/// Returns how a table in several files is named in messages.
pub(crate) fn shown(files: &[PathBuf]) -> String {
    match files {
        [first, .., last] => {
            format!("{} ({} to {})", counted(files.len(), "file"), first.display(), last.display())
        }
        _ => files.iter().map(|file| file.display().to_string()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::{expand, matches};
    use std::path::PathBuf;

    #[test]
    fn patterns_match_names() {
        for (pattern, name) in [
            ("part-*.csv", "part-01.csv"),
            ("*", "x"),
            ("a?c", "abc"),
            ("*a*b", "xaab"),
            ("a*", "a"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("part-*.csv", "part-1.tsv"), ("a?c", "ac"), ("*a", "ab"), ("", "x")]
        {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn folders_and_patterns_become_files_in_order() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["part-2.csv", "part-1.csv", "_SUCCESS", ".part-1.csv.crc", "other.txt"] {
            std::fs::write(folder.path().join(name), "a\n").expect("room on the disk");
        }
        let names = |path: PathBuf| -> Vec<String> {
            let files = expand(&path, &[]).expect("files");
            files
                .iter()
                .map(|file| file.file_name().unwrap_or_default().display().to_string())
                .collect()
        };
        assert_eq!(names(folder.path().into()), ["other.txt", "part-1.csv", "part-2.csv"]);
        assert_eq!(names(folder.path().join("part-*.csv")), ["part-1.csv", "part-2.csv"]);
        let error = expand(&folder.path().join("x*"), &[]).expect_err("no file").to_string();
        assert!(error.ends_with("x*: no file matches the pattern; expected a table"), "{error}");
    }
}
