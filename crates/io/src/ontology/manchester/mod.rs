//! Manchester syntax: frames of sections.

mod annotations;
mod classes;
mod frames;
mod keywords;
mod literals;
mod names;
mod properties;

use super::collect::StatementCollector;
use super::prefixes::Prefixes;
use super::structural::{AxiomWriter, Problem};
use super::tokens::Tokens;

/// Whether the first line of a file is in this syntax.
pub(super) fn begins(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(keywords::is_keyword)
}

/// Reads all frames of a document.
pub(super) fn read(text: &str, collector: &mut StatementCollector) -> Result<(), Problem> {
    let tokens = Tokens::new(text)?;
    let writer = AxiomWriter::new(collector);
    let mut reader = ManchesterReader { tokens, prefixes: Prefixes::default(), writer };
    reader.document()
}

struct ManchesterReader<'a> {
    tokens: Tokens<'a>,
    prefixes: Prefixes,
    writer: AxiomWriter<'a>,
}

impl<'a> ManchesterReader<'a> {
    /// Reads the items of a section, each with optional annotations.
    fn items(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        loop {
            self.axiom_annotations()?;
            self.writer.collector.statements += 1;
            item(self)?;
            if !self.tokens.skip(",")? {
                return Ok(());
            }
        }
    }

    /// Reads a list of two or more things of a frame such as `DisjointClasses:`.
    fn members(
        &mut self,
        mut member: impl FnMut(&mut Self) -> Result<u32, Problem>,
    ) -> Result<Vec<u32>, Problem> {
        self.axiom_annotations()?;
        self.writer.collector.statements += 1;
        let mut members = vec![member(self)?];
        while self.tokens.skip(",")? {
            members.push(member(self)?);
        }
        if members.len() < 2 {
            return Err(self.tokens.unexpected("',' and at least one more"));
        }
        Ok(members)
    }
}
