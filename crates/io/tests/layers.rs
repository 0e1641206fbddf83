//! The modules of the crate form layers: a module imports only from its own layer and from lower ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of `src`, from the lowest layer to the highest.
const LAYERS: [&str; 12] = [
    "source", "cells", "columns", "formats", "typing", "assembly", "describe", "ontology",
    "problem", "graph", "context", "write",
];

fn level(name: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| *layer == name)
}

/// Returns all Rust files below a folder.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// Returns the modules that a line of code imports from the root of the crate.
fn imports(line: &str) -> Vec<&str> {
    let code = line.split("//").next().unwrap_or_default();
    let paths = code.split("crate::").skip(1);
    paths
        .map(|path| {
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
            path.split(|letter| !is_part(letter)).next().unwrap_or_default()
        })
        .collect()
}

#[test]
fn lower_layers_do_not_import_higher_ones() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    let mut checked = 0;
    for (own, layer) in LAYERS.iter().enumerate() {
        for file in rust_files(&src.join(layer)) {
            let text = fs::read_to_string(&file).expect("a source file");
            for (number, line) in (1..).zip(text.lines()) {
                for module in imports(line) {
                    checked += 1;
                    // A name that is no layer is an export of the crate, which may come from any layer.
                    if level(module).is_none_or(|other| other > own) {
                        wrong.push(format!("{}:{number}: {}", file.display(), line.trim()));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "imports from a higher layer:\n{}", wrong.join("\n"));
    assert!(checked > 100, "only {checked} imports found");
}

/// The modules that a module of a layer imports, by name: `source::error`.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// Returns the modules that a line of code imports, with their layers; `use crate::a::{b, c}` has two.
fn modules(line: &str) -> Vec<String> {
    let code = line.split("//").next().unwrap_or_default();
    let mut found = Vec::new();
    for path in code.split("crate::").skip(1) {
        let Some((layer, rest)) = path.split_once("::") else { continue };
        let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        let names: Vec<&str> = match rest.strip_prefix('{') {
            Some(list) => list.trim_end().trim_end_matches("};").split(',').collect(),
            None => vec![rest],
        };
        for name in names {
            let name = name.trim().split(|letter| !is_name(letter)).next().unwrap_or_default();
            found.push(format!("{layer}::{name}"));
        }
    }
    found
}

fn graph(src: &Path) -> Graph {
    let mut graph = Graph::new();
    for layer in LAYERS {
        for file in rust_files(&src.join(layer)) {
            let inside = file.strip_prefix(src.join(layer)).expect("below the layer");
            let first = inside.components().next().expect("a file").as_os_str().to_string_lossy();
            let own = format!("{layer}::{}", first.trim_end_matches(".rs"));
            let text = fs::read_to_string(&file).expect("a source file");
            let imported = text.lines().flat_map(modules).filter(|module| *module != own);
            graph.entry(own.clone()).or_default().extend(imported);
        }
    }
    graph
}

/// Follows the imports of a module; returns a circle of imports, if there is one.
fn circle(graph: &Graph, path: &mut Vec<String>, done: &mut BTreeSet<String>) -> Option<String> {
    let own = path.last()?.clone();
    for next in graph.get(&own).into_iter().flatten() {
        if path.contains(next) {
            return Some(format!("{} -> {next}", path.join(" -> ")));
        }
        if !done.contains(next) {
            path.push(next.clone());
            let found = circle(graph, path, done);
            if found.is_some() {
                return found;
            }
            path.pop();
        }
    }
    done.insert(own);
    None
}

#[test]
fn modules_do_not_import_each_other_in_a_circle() {
    let graph = graph(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(graph["assembly::read"].contains("assembly::load"), "{graph:?}");
    let mut done = BTreeSet::new();
    for module in graph.keys() {
        let found = circle(&graph, &mut vec![module.clone()], &mut done);
        assert_eq!(found, None, "modules import each other in a circle");
    }
}

#[test]
fn every_module_belongs_to_a_layer() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(&src).expect("a folder").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(name == "lib.rs" || level(&name).is_some(), "{name} belongs to no layer");
    }
}

#[test]
fn imports_are_found() {
    assert_eq!(imports("use crate::source::error::ReadError;"), ["source"]);
    assert_eq!(imports("    crate::formats::columnar::read(path) // crate::write"), ["formats"]);
    assert_eq!(
        modules("use crate::source::{parallel, signature};"),
        ["source::parallel", "source::signature"]
    );
    assert_eq!(imports("/// See [`describe`](crate::describe)."), [""; 0]);
}
