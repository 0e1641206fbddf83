//! The imports between the modules of a folder of Python files.
//!
//! A module is named by its package as in an import: the folders above it that have an `__init__.py`. Files
//! outside of packages are named by their path. The weight of an edge is the number of imported names.
//! Imports within functions and conditions count like all others.

use super::builder::GraphBuilder;
use super::folder::SourceTree;
use super::python_code::{ImportStatement, imports};
use crate::source::error::{ReadError, counted};
use pellucid_data::{DependencyGraph, message, parameter};
use rustc_hash::FxHashSet;

/// The modules of a folder.
struct PythonModules {
    /// The name of the module of each file, and whether the file is the `__init__` of a package.
    of_file: Vec<(String, bool)>,
    known: FxHashSet<String>,
}

/// Reads the imports of the files of a folder.
pub(super) fn read(
    tree: SourceTree,
    name: &str,
    external: bool,
) -> Result<DependencyGraph, ReadError> {
    let modules = PythonModules::new(&tree, name);
    let mut builder = GraphBuilder::default();
    for (module, _) in &modules.of_file {
        builder.module(module)?;
    }
    let mut outside = 0;
    for (file, (module, is_package)) in tree.files.iter().zip(&modules.of_file) {
        let from = builder.module(module)?;
        for statement in imports(&file.text) {
            for target in modules.targets(&statement, module, *is_package) {
                let to = match target {
                    Ok(inside) => builder.module(inside)?,
                    Err(top) if external => builder.module(&top)?,
                    Err(_) => {
                        outside += 1;
                        continue;
                    }
                };
                builder.edge(from, to, Some(1.0))?;
            }
        }
    }
    let read = counted(tree.files.len(), "file");
    builder.notes.extend(tree.notes);
    builder.notes.push(message!("read the imports of {read}; an edge weighs the names imported"));
    if outside > 0 {
        let imports = counted(outside, "import");
        builder.notes.push(message!(
            "ignored {imports} from outside of the folder; use `",
            parameter("external"),
            "` to include them"
        ));
    }
    builder.finish(name)
}

impl PythonModules {
    fn new(tree: &SourceTree, name: &str) -> PythonModules {
        let folder = |path: &str| {
            path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned())
        };
        let is_init =
            |path: &str| path.rsplit('/').next().is_some_and(|file| file.starts_with("__init__."));
        let packages: FxHashSet<String> = tree
            .files
            .iter()
            .filter(|file| is_init(&file.path))
            .map(|file| folder(&file.path))
            .collect();
        let mut seen = FxHashSet::default();
        let of_file: Vec<(String, bool)> = tree
            .files
            .iter()
            .map(|file| {
                let stem = file.path.rsplit_once('.').map_or(&*file.path, |(stem, _)| stem);
                let is_init = is_init(&file.path);
                let path = if is_init { folder(&file.path) } else { stem.to_owned() };
                let mut module = within_package(&path, &folder(&file.path), &packages, name);
                // A stub beside a file is the same module; another file of that name is not.
                if seen.contains(&module) && !has_twin(tree, &file.path) {
                    module = path.replace('/', ".");
                }
                seen.insert(module.clone());
                (module, is_init)
            })
            .collect();
        let known = of_file.iter().map(|(module, _)| module.clone()).collect();
        PythonModules { of_file, known }
    }

    /// Returns the modules that an import statement uses: those of the folder, or the first part of the name
    /// of an outside one.
    fn targets<'a>(
        &'a self,
        statement: &ImportStatement,
        importer: &str,
        is_package: bool,
    ) -> Vec<Result<&'a str, String>> {
        let base = match statement.dots {
            0 => statement.module.clone(),
            dots => {
                let up = dots - usize::from(is_package);
                let mut parts: Vec<&str> = importer.split('.').collect();
                if up > parts.len() {
                    return Vec::new();
                }
                parts.truncate(parts.len() - up);
                let module = Some(&*statement.module).filter(|module| !module.is_empty());
                parts.extend(module);
                parts.join(".")
            }
        };
        // Files outside of packages import the files beside them without dots.
        let beside =
            importer.rsplit_once('.').filter(|_| statement.dots == 0).map(|(above, _)| above);
        let resolve = |name: &str| {
            let near =
                beside.and_then(|above| self.deepest(&format!("{above}.{name}"), Some(above)));
            self.deepest(name, None).or(near)
        };
        let outside = || base.split('.').next().unwrap_or_default().to_owned();
        if statement.names.is_empty() {
            return vec![resolve(&base).ok_or_else(outside)];
        }
        let names = statement.names.iter().map(|name| match name.as_str() {
            "*" => base.clone(),
            name if base.is_empty() => name.to_owned(),
            name => format!("{base}.{name}"),
        });
        names.map(|name| resolve(&name).ok_or_else(outside)).collect()
    }

    /// Returns the longest known module that a name is or is in, deeper than another one.
    fn deepest(&self, name: &str, above: Option<&str>) -> Option<&str> {
        let mut name = name;
        loop {
            if above.is_some_and(|above| name.len() <= above.len()) {
                return None;
            }
            if let Some(known) = self.known.get(name) {
                return Some(known);
            }
            name = name.rsplit_once('.')?.0;
        }
    }
}

/// Whether the other kind of file with the same path exists.
fn has_twin(tree: &SourceTree, path: &str) -> bool {
    let Some((stem, extension)) = path.rsplit_once('.') else { return false };
    let others = ["py", "pyi", "pyx"].into_iter().filter(|other| *other != extension);
    let mut twins = others.map(|other| format!("{stem}.{other}"));
    twins.any(|twin| tree.files.binary_search_by(|file| file.path.cmp(&twin)).is_ok())
}

/// Returns the dotted name of a path below the outermost package around it. The folder itself may be that
/// package, which has the name `name`.
fn within_package(path: &str, folder: &str, packages: &FxHashSet<String>, name: &str) -> String {
    let above = |path: &'_ str| path.rsplit_once('/').map_or(0, |(above, _)| above.len());
    // Folders without an `__init__.py` may lie in a package all the same.
    let mut inner = folder;
    while !packages.contains(inner) && !inner.is_empty() {
        inner = &inner[..above(inner)];
    }
    if !packages.contains(inner) {
        return path.replace('/', ".");
    }
    let mut outer = inner;
    while !outer.is_empty() && packages.contains(&outer[..above(outer)]) {
        outer = &outer[..above(outer)];
    }
    if outer.is_empty() {
        let below = if path.is_empty() { String::new() } else { format!("/{path}") };
        return format!("{name}{below}").replace('/', ".");
    }
    let start = outer.rsplit_once('/').map_or(0, |(above, _)| above.len() + 1);
    path.get(start..).unwrap_or(path).replace('/', ".")
}
