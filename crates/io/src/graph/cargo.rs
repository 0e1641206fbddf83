//! What `cargo metadata` prints: packages and the packages that they depend on.

use super::builder::GraphBuilder;
use crate::source::error::{ReadError, counted, json_error};
use pellucid_data::{DependencyGraph, message, parameter};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    #[serde(default)]
    workspace_members: Vec<String>,
    resolve: Option<Resolve>,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    #[serde(default)]
    version: String,
    #[serde(default)]
    dependencies: Vec<Declared>,
}

/// A dependency as a package declares it.
#[derive(Deserialize)]
struct Declared {
    name: String,
    kind: Option<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    #[serde(default)]
    deps: Vec<Resolved>,
}

/// A dependency as cargo resolved it.
#[derive(Deserialize)]
struct Resolved {
    pkg: String,
    #[serde(default)]
    dep_kinds: Vec<Kind>,
}

#[derive(Deserialize)]
struct Kind {
    kind: Option<String>,
}

/// Whether a dependency is needed for tests only.
fn is_for_tests(kind: Option<&String>) -> bool {
    kind.is_some_and(|kind| kind == "dev")
}

/// Reads the packages of the workspace, or all packages if there are fewer than two or if `external`.
pub(super) fn read(text: &str, name: &str, external: bool) -> Result<DependencyGraph, ReadError> {
    let metadata: Metadata = serde_json::from_str(text).map_err(|error| json_error(&error))?;
    let members: FxHashSet<&str> = metadata.workspace_members.iter().map(String::as_str).collect();
    let is_all = external || members.len() < 2;
    let packages: Vec<&Package> = metadata
        .packages
        .iter()
        .filter(|package| is_all || members.contains(package.id.as_str()))
        .collect();
    let mut versions: FxHashMap<&str, u32> = FxHashMap::default();
    packages.iter().for_each(|package| *versions.entry(&package.name).or_default() += 1);
    let mut builder = GraphBuilder::default();
    let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
    let mut by_name: FxHashMap<&str, u32> = FxHashMap::default();
    for package in &packages {
        let Package { id, name, version, .. } = package;
        let number = match versions.get(name.as_str()) {
            Some(1) => builder.module(name)?,
            _ => builder.module(&format!("{name} {version}"))?,
        };
        numbers.insert(id, number);
        by_name.insert(name, number);
    }
    match &metadata.resolve {
        Some(resolve) => add_resolved(resolve, &numbers, &mut builder)?,
        None => add_declared(&packages, &by_name, &mut builder)?,
    }
    let read = counted(packages.len(), "package");
    let left = metadata.packages.len() - packages.len();
    builder.notes.push(match left {
        0 => message!("read {read}, without dependencies of tests"),
        _ => message!(
            "read {read} of the workspace, without dependencies of tests; use `",
            parameter("external"),
            "` to include the other {left}"
        ),
    });
    builder.finish(name)
}

/// Adds the dependencies that cargo resolved.
fn add_resolved(
    resolve: &Resolve,
    numbers: &FxHashMap<&str, u32>,
    builder: &mut GraphBuilder,
) -> Result<(), ReadError> {
    for node in &resolve.nodes {
        let Some(&from) = numbers.get(node.id.as_str()) else { continue };
        for dependency in &node.deps {
            let kinds = &dependency.dep_kinds;
            let is_used =
                kinds.is_empty() || !kinds.iter().all(|kind| is_for_tests(kind.kind.as_ref()));
            if let Some(&to) = numbers.get(dependency.pkg.as_str()).filter(|_| is_used) {
                builder.edge(from, to, None)?;
            }
        }
    }
    Ok(())
}

/// Adds the dependencies that packages declare, without the help of cargo.
fn add_declared(
    packages: &[&Package],
    numbers: &FxHashMap<&str, u32>,
    builder: &mut GraphBuilder,
) -> Result<(), ReadError> {
    for package in packages {
        let Some(&from) = numbers.get(package.name.as_str()) else { continue };
        let used = package.dependencies.iter().filter(|one| !is_for_tests(one.kind.as_ref()));
        for dependency in used {
            if let Some(&to) = numbers.get(dependency.name.as_str()) {
                builder.edge(from, to, None)?;
            }
        }
    }
    Ok(())
}
