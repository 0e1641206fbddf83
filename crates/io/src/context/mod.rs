//! Formal contexts from files in four formats.
//!
//! Burmeister's `.cxt` has names and rows of crosses, a FIMI `.dat` lists the attribute numbers of
//! each object, a CSV has a cell for every object and attribute, and a dependency graph has a line
//! `FROM TO` for every cross. Each format becomes one [`Context`].

mod burmeister;
mod cross_table;
mod fimi;
mod options;
mod pairs;
mod rows;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

pub use options::{ContextFormat, ContextOptions};

use crate::graph::pairs::is_pair;
use crate::source::error::{Position, ReadError, ReadProblem, shorten};
use crate::source::load::load_text;
use crate::source::path::stem_and_extension;
use pellucid_data::{Context, message};

/// The number of lines to detect the format from.
const LINES: usize = 32;

/// Reads a formal context from a file, or from standard input if the path is `-`.
///
/// The format is detected from the extension (`.cxt`; `.dat .fimi`; `.csv .tsv`; `.mdg .pairs`;
/// each also with `.gz`) or else from the content: a first line `B` begins a Burmeister context,
/// lines of two words and an optional weight are pairs, numbers are FIMI transactions, and commas,
/// semicolons, tabs or bars make a table of crosses.
///
/// # Errors
/// Describes the problem and its position in the file.
pub fn read_context(path: &Path, options: &ContextOptions) -> Result<Context, ReadError> {
    if path == Path::new("-") {
        return read_context_from(io::stdin().lock(), "standard input", options);
    }
    let name = path.display().to_string();
    let file =
        File::open(path).map_err(|error| ReadError::from(ReadProblem::Io(error)).in_file(&name))?;
    read_context_from(file, &name, options)
}

/// Reads a formal context from any reader; `name` appears in messages, and its extension helps to
/// detect the format.
///
/// ```
/// use pellucid_io::{ContextOptions, read_context_from};
/// let graph = "main parser\nmain lexer 3\nparser lexer\n";
/// let options = ContextOptions::default().symmetric(true);
/// let context = read_context_from(graph.as_bytes(), "graph.mdg", &options)?;
/// assert_eq!((context.objects.len(), context.relation.crosses()), (3, 6));
/// assert_eq!(context.attributes.get(1), "parser");
/// # Ok::<(), pellucid_io::ReadError>(())
/// ```
///
/// # Errors
/// Describes the problem and its position in the input.
pub fn read_context_from(
    mut reader: impl Read,
    name: &str,
    options: &ContextOptions,
) -> Result<Context, ReadError> {
    read_text(&mut reader, name, options).map_err(|error| error.in_file(name))
}

fn read_text(
    reader: &mut dyn Read,
    name: &str,
    options: &ContextOptions,
) -> Result<Context, ReadError> {
    let text = load_text(reader, &options.limits)?;
    if text.is_empty() {
        return Err(ReadProblem::EmptyContext.into());
    }
    let (stem, extension) = stem_and_extension(name);
    let format = options.format.map_or_else(|| format_of(&text, &extension), Ok)?;
    if options.symmetric && format != ContextFormat::Pairs {
        return Err(ReadProblem::Options(message!(
            "found {format}; expected pairs FROM TO, because only a graph can be made symmetric"
        ))
        .into());
    }
    match format {
        ContextFormat::Burmeister => burmeister::read(&text, stem),
        ContextFormat::Fimi => fimi::read(&text, stem),
        ContextFormat::CrossTable => cross_table::read(&text, stem, &extension, options),
        ContextFormat::Pairs => pairs::read(&text, stem, options.symmetric),
    }
}

/// Detects the format from the extension and the content.
fn format_of(text: &str, extension: &str) -> Result<ContextFormat, ReadError> {
    let table = matches!(extension, "csv" | "tsv");
    if !table && text.lines().next().is_some_and(|first| first.trim_end() == "B") {
        return Ok(ContextFormat::Burmeister);
    }
    match extension {
        "cxt" => Ok(ContextFormat::Burmeister),
        "dat" | "fimi" => Ok(ContextFormat::Fimi),
        "csv" | "tsv" => Ok(ContextFormat::CrossTable),
        "mdg" | "pairs" => Ok(ContextFormat::Pairs),
        _ => format_of_content(text),
    }
}

fn format_of_content(text: &str) -> Result<ContextFormat, ReadError> {
    let filled = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let head: Vec<(&str, u64)> = filled.take(LINES).collect();
    let Some(&(first, line)) = head.first() else { return Err(ReadProblem::EmptyContext.into()) };
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    if head.iter().all(|(line, _)| is_pair(line)) {
        Ok(ContextFormat::Pairs)
    } else if head.iter().all(|(line, _)| line.split_ascii_whitespace().all(is_number)) {
        Ok(ContextFormat::Fimi)
    } else if first.contains([',', ';', '\t', '|']) {
        Ok(ContextFormat::CrossTable)
    } else {
        let expected = "expected a line 'B' (Burmeister), item numbers (FIMI), a table of crosses \
                        (CSV) or pairs FROM TO; or specify the format";
        let found = shorten(first.trim());
        Err(ReadError::at(Position::Line(line), ReadProblem::UnknownContext { found, expected }))
    }
}
