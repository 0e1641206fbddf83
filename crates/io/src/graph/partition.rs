//! Partitions of modules: the format of Bunch, or a table of modules and clusters.

use crate::formats::delimited::guess;
use crate::formats::delimited::record::{DelimitedRecord, Records};
use crate::formats::delimited::span::TextSpan;
use crate::source::error::{Position, ReadError, ReadProblem, shorten};
use crate::source::load::load_text;
use crate::source::options::{Limits, ReadOptions};
use crate::source::path::stem_and_extension;
use rustc_hash::FxHashMap;
use std::io::Read;
use std::path::Path;

/// The clusters of a file in its order, each with the names of its modules.
pub type NamedClusters = Vec<(String, Vec<String>)>;

/// Reads a partition from a file, or from standard input if the path is `-`.
///
/// Lines `SS(parser)=lexer, tree` are in the format of Bunch. Otherwise the file is a table with a line
/// `module,cluster` for each module.
///
/// # Errors
/// Describes the problem and its position in the file.
pub fn read_partition(path: &Path, limits: &Limits) -> Result<NamedClusters, ReadError> {
    super::open(path, |reader, name| read_partition_from(reader, name, limits))
}

/// Reads a partition from any reader; `name` appears in messages.
///
/// ```
/// use pellucid_io::{Limits, read_partition_from};
/// let read = |text: &str| read_partition_from(text.as_bytes(), "p", &Limits::default());
/// let clusters = read("SS(front.ss)= lexer, tree\nSS(back.ss)= code\n")?;
/// assert_eq!(clusters, read("module,cluster\nlexer,front.ss\ntree,front.ss\ncode,back.ss\n")?);
/// # Ok::<(), pellucid_io::ReadError>(())
/// ```
///
/// # Errors
/// Describes the problem and its position in the input.
pub fn read_partition_from(
    mut reader: impl Read,
    name: &str,
    limits: &Limits,
) -> Result<NamedClusters, ReadError> {
    let mut read = || {
        let text = load_text(&mut reader, limits)?;
        let (_, extension) = stem_and_extension(name);
        let first = text.lines().map(str::trim).find(|line| !is_comment(line));
        let clusters = match first {
            None => return Err(ReadProblem::NoClusters.into()),
            Some(first) if first.starts_with("SS(") || extension == "bunch" => bunch(&text)?,
            Some(_) => table(&text, &extension, limits)?,
        };
        if clusters.is_empty() { Err(ReadProblem::NoClusters.into()) } else { Ok(clusters) }
    };
    read().map_err(|error: ReadError| error.in_file(name))
}

fn is_comment(line: &str) -> bool {
    line.is_empty() || line.starts_with("//")
}

/// Reads lines `SS(name)=a, b`.
fn bunch(text: &str) -> Result<NamedClusters, ReadError> {
    let mut clusters = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.trim();
        if is_comment(content) {
            continue;
        }
        let parts = content.strip_prefix("SS(").and_then(|rest| {
            let (name, modules) = rest.split_once('=')?;
            Some((name.trim_end().strip_suffix(')')?, modules))
        });
        let Some((name, modules)) = parts else {
            let expected = "a cluster such as SS(name)=a, b".to_owned();
            let problem = ReadProblem::Form { found: shorten(content), expected };
            return Err(ReadError::at(Position::Line(line), problem));
        };
        let modules = modules.split(',').map(str::trim).filter(|module| !module.is_empty());
        clusters.push((name.trim().to_owned(), modules.map(str::to_owned).collect()));
    }
    Ok(clusters)
}

/// Reads lines `module,cluster`; a first line with these words is a header.
fn table(text: &str, extension: &str, limits: &Limits) -> Result<NamedClusters, ReadError> {
    let known = ReadOptions::default().limits(*limits);
    let (dialect, titles) = guess::dialect(text, extension, &known, &mut Vec::new())?;
    let span = TextSpan { text, line: 1 }.without_lines(titles);
    let mut records = Records::starting_at(span.text, dialect, limits.max_line_bytes, span.line);
    let mut record = DelimitedRecord::default();
    let mut clusters: NamedClusters = Vec::new();
    let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
    let mut is_first = true;
    while records.next(&mut record)? {
        let [module, cluster] = &*record.values else {
            let expected = "two columns, module and cluster".to_owned();
            let found = record.values.join(", ");
            let problem = ReadProblem::Form { found: shorten(&found), expected };
            return Err(ReadError::at(Position::Line(record.line), problem));
        };
        let is_header =
            module.eq_ignore_ascii_case("module") && cluster.eq_ignore_ascii_case("cluster");
        if std::mem::take(&mut is_first) && is_header {
            continue;
        }
        let number = *numbers.entry(cluster.to_string()).or_insert_with(|| {
            clusters.push((cluster.to_string(), Vec::new()));
            clusters.len() - 1
        });
        clusters[number].1.push(module.to_string());
    }
    Ok(clusters)
}
