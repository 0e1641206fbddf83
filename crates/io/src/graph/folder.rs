//! The source files of a folder.

use super::options::GraphFormat;
use crate::source::error::{ReadError, ReadProblem, counted};
use crate::source::options::Limits;
use pellucid_data::{Message, message};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The most files of a folder.
const MOST_FILES: usize = 1 << 20;

const PYTHON: [&str; 3] = ["py", "pyi", "pyx"];
const C: [&str; 19] = [
    "c", "h", "cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "inc", "inl", "ipp", "tcc",
    "m", "mm", "cu", "cuh", "y",
];

/// A source file: its path below the folder, with slashes, and its text.
#[derive(Debug)]
pub(super) struct SourceText {
    pub(super) path: String,
    pub(super) text: String,
}

/// The source files of a folder in the order of their paths, and notes on what was left out.
#[derive(Debug)]
pub(super) struct SourceTree {
    pub(super) files: Vec<SourceText>,
    pub(super) notes: Vec<Message>,
}

/// Returns the language that most source files of a folder are in.
pub(super) fn language(folder: &Path) -> Result<GraphFormat, ReadError> {
    let count = |extensions: &[&str]| paths(folder, extensions).map(|found| found.len());
    let (python, c) = (count(&PYTHON)?, count(&C)?);
    if python == 0 && c == 0 {
        return Err(ReadProblem::Form {
            found: "a folder without source files in Python, C or C++".to_owned(),
            expected: "such a folder, or a file with a graph; for Rust, the output of \
                       cargo metadata"
                .to_owned(),
        }
        .into());
    }
    Ok(if python >= c { GraphFormat::PythonImports } else { GraphFormat::CIncludes })
}

/// Reads the Python files of a folder.
pub(super) fn python(folder: &Path, limits: &Limits) -> Result<SourceTree, ReadError> {
    read(folder, &PYTHON, limits)
}

/// Reads the C and C++ files of a folder.
pub(super) fn c(folder: &Path, limits: &Limits) -> Result<SourceTree, ReadError> {
    read(folder, &C, limits)
}

fn read(folder: &Path, extensions: &[&str], limits: &Limits) -> Result<SourceTree, ReadError> {
    let mut files = Vec::new();
    let (mut bytes, mut unreadable) = (0_u64, 0);
    for path in paths(folder, extensions)? {
        let mut content = Vec::new();
        let left = limits.max_bytes - bytes;
        let opened = File::open(&path);
        // A file may vanish, or be readable for others only; the rest of the folder still counts.
        let Ok(read) = opened.and_then(|file| file.take(left + 1).read_to_end(&mut content)) else {
            unreadable += 1;
            continue;
        };
        bytes += read as u64;
        if bytes > limits.max_bytes {
            return Err(ReadProblem::TooLarge { limit: limits.max_bytes }.into());
        }
        let below = path.strip_prefix(folder).unwrap_or(&path);
        let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
        // Only names matter, and those are nearly always ASCII.
        let text = String::from_utf8_lossy(&content).into_owned();
        files.push(SourceText { path: parts.join("/"), text });
    }
    let mut notes = Vec::new();
    if unreadable > 0 {
        let files = counted(unreadable, "file");
        notes.push(message!("skipped {files} that cannot be read"));
    }
    Ok(SourceTree { files, notes })
}

/// Returns the files below a folder with one of the extensions, sorted. Links are not followed, and hidden
/// folders, caches and environments of Python are skipped.
fn paths(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>, ReadError> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    let mut is_top = true;
    while let Some(next) = folders.pop() {
        let entries = match fs::read_dir(&next) {
            Ok(entries) => entries,
            Err(error) if is_top => return Err(ReadProblem::Io(error).into()),
            // A folder below that cannot be listed is as good as empty.
            Err(_) => continue,
        };
        is_top = false;
        let is_marked = ["pyvenv.cfg", "CACHEDIR.TAG"].iter().any(|mark| next.join(mark).exists());
        if is_marked && next != folder {
            continue;
        }
        for entry in entries.flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            let is_skipped =
                name.starts_with('.') || matches!(&*name, "__pycache__" | "node_modules");
            let Ok(kind) = entry.file_type() else { continue };
            let extension = path.extension().map(|extension| extension.to_string_lossy());
            let is_source =
                extension.is_some_and(|found| extensions.contains(&&*found.to_ascii_lowercase()));
            if kind.is_dir() && !is_skipped {
                folders.push(path);
            } else if kind.is_file() && is_source {
                found.push(path);
            }
            if found.len() + folders.len() > MOST_FILES {
                return Err(ReadProblem::Form {
                    found: format!("more than {MOST_FILES} files"),
                    expected: "a smaller folder".to_owned(),
                }
                .into());
            }
        }
    }
    found.sort();
    Ok(found)
}
