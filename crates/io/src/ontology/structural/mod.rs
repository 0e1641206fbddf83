//! Axioms in the structure of the OWL 2 specification, and the statements that stand for them.
//!
//! Functional syntax, OWL/XML, Manchester syntax and OBO have axioms, RDF has statements. These
//! readers write each axiom as the statements that the OWL 2 mapping to RDF graphs gives it, so that
//! one place interprets statements, whatever the syntax.

mod annotation;
mod assertion;
mod axiom;
mod class;
mod construct;
mod nodes;
mod property;

pub(super) use class::Filler;
pub(super) use construct::{Construct, Literal, Part, constructor, similar};
pub(super) use nodes::Member;

use super::collect::StatementCollector;
use crate::source::error::{Position, ReadError, ReadProblem};

/// The maximum nesting depth of a construct.
pub(super) const DEEPEST: usize = 1000;

/// What is wrong with a text, and where.
#[derive(Debug)]
pub(super) struct Problem {
    /// The byte offset.
    pub(super) at: usize,
    pub(super) message: String,
}

impl Problem {
    pub(super) fn new(at: usize, message: impl Into<String>) -> Problem {
        Problem { at, message: message.into() }
    }

    /// Returns the error of a reader of `text`.
    pub(super) fn into_error(self, text: &str, syntax: &'static str) -> ReadError {
        let before = &text.as_bytes()[..self.at.min(text.len())];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let column = (before.len() - start) as u64 + 1;
        let problem = ReadProblem::Rdf { syntax, message: self.message };
        ReadError::at(Position::Character { line, column }, problem)
    }
}

/// Writes axioms as statements.
#[derive(Debug)]
pub(super) struct AxiomWriter<'a> {
    pub(super) collector: &'a mut StatementCollector,
    /// The ontology of the file.
    header: u32,
}

impl<'a> AxiomWriter<'a> {
    pub(super) fn new(collector: &'a mut StatementCollector) -> AxiomWriter<'a> {
        let header = collector.fresh();
        AxiomWriter { collector, header }
    }
}
