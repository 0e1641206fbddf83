//! The includes between the files of a folder in C or C++.
//!
//! Files that differ only in their extension are one module: a header and its source. A path in quotes is
//! searched beside the file first. Other paths, and those not found, name the file of the folder whose path
//! ends with them; of several, the one with the most folders in common with the file that includes it.

use super::builder::GraphBuilder;
use super::c_code::{IncludeDirective, includes};
use super::folder::SourceTree;
use crate::source::error::{ReadError, counted};
use pellucid_data::{DependencyGraph, message, parameter};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Reads the includes of the files of a folder.
pub(super) fn read(
    tree: SourceTree,
    name: &str,
    external: bool,
) -> Result<DependencyGraph, ReadError> {
    let mut builder = GraphBuilder::default();
    let mut by_file: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
    for file in &tree.files {
        builder.module(module_of(&file.path))?;
        by_file.entry(last_part(&file.path)).or_default().push(&file.path);
    }
    let mut outside = 0;
    for file in &tree.files {
        let from = builder.module(module_of(&file.path))?;
        for include in includes(&file.text) {
            let to = match resolve(&include, &file.path, &by_file) {
                Some(path) => builder.module(module_of(path))?,
                None if external => builder.module(&include.path)?,
                None => {
                    outside += 1;
                    continue;
                }
            };
            // A source that includes its own header.
            if from != to {
                builder.edge(from, to, Some(1.0))?;
            }
        }
    }
    let files = counted(tree.files.len(), "file");
    builder.notes.extend(tree.notes);
    builder.notes.push(message!(
        "read the includes of {files}; a header and a source that differ only in the extension are one module"
    ));
    if outside > 0 {
        let includes = counted(outside, "include");
        builder.notes.push(message!(
            "ignored {includes} of files outside of the folder; use `",
            parameter("external"),
            "` to add them as modules"
        ));
    }
    builder.finish(name)
}

/// Returns the module of a file: its path without the extension.
fn module_of(path: &str) -> &str {
    match path.rsplit_once('.') {
        Some((stem, extension)) if !extension.contains('/') && !stem.is_empty() => stem,
        _ => path,
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the file that an include directive names.
fn resolve<'a>(
    include: &IncludeDirective,
    from: &str,
    by_file: &FxHashMap<&str, Vec<&'a str>>,
) -> Option<&'a str> {
    let candidates = by_file.get(last_part(&include.path))?;
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    if include.is_quoted {
        let beside = joined(folder, &include.path);
        if let Some(found) = candidates.iter().find(|path| beside.as_deref() == Some(**path)) {
            return Some(found);
        }
    }
    // The parts that lead up from the folder of the file say nothing about other folders.
    let parts = include.path.split('/').filter(|part| !matches!(*part, "" | "." | ".."));
    let tail = parts.collect::<Vec<_>>().join("/");
    let is_end = |path: &&&str| {
        path.strip_suffix(&*tail).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    let common = |path: &str| {
        let pairs = folder.split('/').zip(path.split('/'));
        pairs.take_while(|(one, other)| one == other).count()
    };
    let best = candidates.iter().filter(is_end);
    best.min_by_key(|path| (Reverse(common(path)), path.len(), **path)).copied()
}

/// Returns a path relative to a folder; `None` if it leads out of the tree.
fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
