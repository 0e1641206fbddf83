//! Lines `FROM TO`, optionally with a weight, separated by blanks.

use super::builder::{GraphBuilder, weight};
use crate::cells::number;
use crate::source::error::{Position, ReadError, ReadProblem, shorten};
use pellucid_data::DependencyGraph;

/// Reads a graph; blank lines are skipped.
pub(super) fn read(text: &str, name: &str) -> Result<DependencyGraph, ReadError> {
    let mut builder = GraphBuilder::default();
    each_pair(text, |pair| {
        let weight =
            pair.weight.map(|text| weight(text, Position::Value { line: pair.line, column: 3 }));
        let (from, to) = (builder.module(pair.from)?, builder.module(pair.to)?);
        Ok(builder.edge(from, to, weight.transpose()?)?)
    })?;
    builder.finish(name)
}

/// A line of a file of pairs.
pub(crate) struct PairLine<'a> {
    pub(crate) line: u64,
    pub(crate) from: &'a str,
    pub(crate) to: &'a str,
    /// The third word, which is a number.
    pub(crate) weight: Option<&'a str>,
}

/// Calls `visit` with every line that is not blank.
pub(crate) fn each_pair<'a>(
    text: &'a str,
    mut visit: impl FnMut(PairLine<'a>) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    for (line, words) in (1..).zip(text.lines()) {
        let mut words = words.split_ascii_whitespace();
        let Some(from) = words.next() else { continue };
        let Some(to) = words.next() else { return Err(not_a_pair(line, 1)) };
        let weight = words.next();
        if let Some(weight) = weight {
            if words.next().is_some() {
                return Err(not_a_pair(line, 4 + words.count()));
            }
            if number::parse(weight).is_none() {
                let expected = "a weight (a number) or the end of the line".to_owned();
                let problem = ReadProblem::Form { found: shorten(weight), expected };
                return Err(ReadError::at(Position::Value { line, column: 3 }, problem));
            }
        }
        visit(PairLine { line, from, to, weight })?;
    }
    Ok(())
}

fn not_a_pair(line: u64, found: usize) -> ReadError {
    ReadError::at(Position::Line(line), ReadProblem::NotPair { found })
}

/// Whether a line may be `FROM TO` or `FROM TO WEIGHT`. A comma at the end of a word indicates a
/// table with blanks.
pub(crate) fn is_pair(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    let listed = |word: &str| word.ends_with([',', ';', '|']);
    let (Some(from), Some(to)) = (words.next(), words.next()) else { return false };
    let weighted = words.next().is_none_or(|weight| number::parse(weight).is_some());
    weighted && words.next().is_none() && !listed(from) && !listed(to)
}
