//! The files of the project that people write, as opposed to what a build or an installation leaves behind.

use crate::tools::root;
use anyhow::{Context, Result};
use std::path::Path;

/// Folders without anything that people write.
const BUILT: [&str; 7] =
    ["target", "generated", "build", "results", "node_modules", "__pycache__", "carry"];

/// A file: its path from the top of the project with `/` between folders, and its text.
pub(crate) struct SourceFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl SourceFile {
    /// Returns the last extension, or nothing.
    pub(crate) fn extension(&self) -> &str {
        Path::new(&self.path)
            .extension()
            .and_then(|extension| extension.to_str())
            .unwrap_or_default()
    }

    /// Whether one of its folders has this name.
    pub(crate) fn is_below(&self, folder: &str) -> bool {
        self.path.rsplit('/').skip(1).any(|name| name == folder)
    }
}

/// Reads all files with one of these extensions, sorted by path. Hidden folders are skipped.
pub(crate) fn with_extensions(extensions: &[&str]) -> Result<Vec<SourceFile>> {
    let mut files = Vec::new();
    collect("", extensions, &mut files)?;
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

fn collect(folder: &str, extensions: &[&str], files: &mut Vec<SourceFile>) -> Result<()> {
    for entry in std::fs::read_dir(root().join(folder)).with_context(|| folder.to_owned())? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        if name.starts_with('.') || BUILT.contains(&name.as_str()) {
            continue;
        }
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        if entry.file_type()?.is_dir() {
            collect(&path, extensions, files)?;
        } else if Path::new(&path).extension().is_some_and(|extension| {
            extension.to_str().is_some_and(|extension| extensions.contains(&extension))
        }) {
            let bytes = std::fs::read(root().join(&path)).with_context(|| path.clone())?;
            // Test data may be in any encoding.
            let text = String::from_utf8_lossy(&bytes).into_owned();
            files.push(SourceFile { path, text });
        }
    }
    Ok(())
}
