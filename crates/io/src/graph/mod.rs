//! Dependency graphs from files and from folders of source code.
//!
//! A file has edges: pairs, a table, DOT, `GraphML`, or what `cargo metadata` prints. A folder has the
//! imports of Python files, or the includes of files in C or C++. Each becomes one [`DependencyGraph`].

mod builder;
mod c_code;
mod c_includes;
mod cargo;
mod dot;
mod dot_tokens;
mod edge_table;
mod folder;
mod graphml;
mod options;
pub(crate) mod pairs;
mod partition;
mod python;
mod python_code;

pub use options::{GraphFormat, GraphOptions};
pub use partition::{NamedClusters, read_partition, read_partition_from};

use crate::source::error::{Position, ReadError, ReadProblem, shorten};
use crate::source::load::load_text;
use crate::source::path::stem_and_extension;
use pellucid_data::{DependencyGraph, Message, message};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The number of lines to detect the form from.
const LINES: usize = 32;

/// Reads a graph from a file or a folder, or from standard input if the path is `-`.
///
/// The form is detected from the extension (`.mdg .pairs`; `.csv .tsv`; `.dot .gv`; `.graphml .xml`;
/// `.json`; each also with `.gz`) or else from the content. A folder is read in the language that most of
/// its source files are in.
///
/// # Errors
/// Describes the problem and its position in the file.
pub fn read_graph(path: &Path, options: &GraphOptions) -> Result<DependencyGraph, ReadError> {
    if path.is_dir() {
        let shown = path.display().to_string();
        return read_folder(path, options).map_err(|error| error.in_file(&shown));
    }
    open(path, |reader, name| read_graph_from(reader, name, options))
}

/// Opens a file, or standard input if the path is `-`.
fn open<T>(
    path: &Path,
    read: impl FnOnce(&mut dyn Read, &str) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    if path == Path::new("-") {
        return read(&mut io::stdin().lock(), "standard input");
    }
    let name = path.display().to_string();
    let opened = File::open(path);
    let mut file =
        opened.map_err(|error| ReadError::from(ReadProblem::Io(error)).in_file(&name))?;
    read(&mut file, &name)
}

/// Reads a graph from any reader; `name` appears in messages, and its extension helps to detect the form.
///
/// ```
/// use pellucid_io::{GraphOptions, read_graph_from};
/// let graph = "main parser\nmain lexer 3\nparser lexer\n";
/// let graph = read_graph_from(graph.as_bytes(), "graph.mdg", &GraphOptions::default())?;
/// assert_eq!((graph.modules.len(), graph.edges().len()), (3, 3));
/// assert!(graph.is_weighted() && graph.edges()[1].weight == 3.0);
/// # Ok::<(), pellucid_io::ReadError>(())
/// ```
///
/// # Errors
/// Describes the problem and its position in the input.
pub fn read_graph_from(
    mut reader: impl Read,
    name: &str,
    options: &GraphOptions,
) -> Result<DependencyGraph, ReadError> {
    let mut read = || {
        let text = load_text(&mut reader, &options.limits)?;
        let (stem, extension) = stem_and_extension(name);
        let format = options.format.map_or_else(|| format_of(&text, &extension), Ok)?;
        match format {
            GraphFormat::Pairs => pairs::read(&text, stem),
            GraphFormat::EdgeTable => edge_table::read(&text, stem, &extension, options),
            GraphFormat::Dot => dot::read(&text, stem),
            GraphFormat::GraphMl => graphml::read(&text, stem),
            GraphFormat::CargoMetadata => cargo::read(&text, stem, options.external),
            GraphFormat::PythonImports | GraphFormat::CIncludes => {
                Err(ReadProblem::Options(message!("found a file; expected {format}")).into())
            }
        }
    };
    read().map_err(|error| error.in_file(name))
}

/// Reads the imports or includes of a folder.
fn read_folder(path: &Path, options: &GraphOptions) -> Result<DependencyGraph, ReadError> {
    // `.` and `..` have no name of their own.
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name =
        whole.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let (format, assumed) = match options.format {
        Some(format) => (format, None),
        None => {
            let format = folder::language(path)?;
            (format, Some(message!("read {format}")))
        }
    };
    let mut graph = match format {
        GraphFormat::PythonImports => {
            python::read(folder::python(path, &options.limits)?, &name, options.external)?
        }
        GraphFormat::CIncludes => {
            c_includes::read(folder::c(path, &options.limits)?, &name, options.external)?
        }
        other => {
            let problem = message!("found a folder; expected {other}");
            return Err(ReadProblem::Options(problem).into());
        }
    };
    graph.notes.splice(0..0, assumed.into_iter().collect::<Vec<Message>>());
    Ok(graph)
}

/// Detects the form from the extension and the content.
fn format_of(text: &str, extension: &str) -> Result<GraphFormat, ReadError> {
    match extension {
        "mdg" | "pairs" => return Ok(GraphFormat::Pairs),
        "csv" | "tsv" => return Ok(GraphFormat::EdgeTable),
        "dot" | "gv" => return Ok(GraphFormat::Dot),
        "graphml" | "xml" => return Ok(GraphFormat::GraphMl),
        "json" => return Ok(GraphFormat::CargoMetadata),
        _ => {}
    }
    let start = text.trim_start();
    let begins = |word: &str| {
        start.get(..word.len()).is_some_and(|found| found.eq_ignore_ascii_case(word))
            && start.contains('{')
    };
    if start.starts_with('<') {
        return Ok(GraphFormat::GraphMl);
    }
    if start.starts_with('{') {
        return Ok(GraphFormat::CargoMetadata);
    }
    let is_comment = start.starts_with("//") || start.starts_with("/*");
    if is_comment || ["digraph", "graph", "strict"].into_iter().any(begins) {
        return Ok(GraphFormat::Dot);
    }
    let filled = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let head: Vec<(&str, u64)> = filled.take(LINES).collect();
    let Some(&(first, line)) = head.first() else { return Err(ReadProblem::NoEdges.into()) };
    if head.iter().all(|(line, _)| pairs::is_pair(line)) {
        Ok(GraphFormat::Pairs)
    } else if first.contains([',', ';', '\t', '|']) {
        Ok(GraphFormat::EdgeTable)
    } else {
        let expected = "expected pairs FROM TO, a table of edges (CSV), DOT, GraphML or the output \
                        of cargo metadata; or specify the format";
        let found = shorten(first.trim());
        Err(ReadError::at(Position::Line(line), ReadProblem::UnknownGraph { found, expected }))
    }
}
