//! JSON-LD. Contexts are read from the file only; a remote one is an error.

use std::io::Read;

use oxjsonld::{JsonLdParseError, JsonLdParser};
use oxrdf::TripleRef;

use super::collect::StatementCollector;
use super::syntax::unnamed;
use crate::source::error::{Position, ReadError, ReadProblem};
use crate::source::load::unwrap_io_error;

/// Reads all statements.
pub(super) fn read(
    reader: impl Read,
    base: &str,
    collector: &mut StatementCollector,
) -> Result<(), ReadError> {
    let Ok(parser) = JsonLdParser::new().lenient().with_base_iri(base) else {
        return Err(unnamed(base));
    };
    for statement in parser.for_reader(reader) {
        match statement {
            Ok(quad) => {
                let quad = quad.as_ref();
                collector.take(TripleRef::new(quad.subject, quad.predicate, quad.object));
            }
            Err(JsonLdParseError::Io(error)) => return Err(unwrap_io_error(error).into()),
            Err(JsonLdParseError::Syntax(error)) => {
                let mut message = error.to_string();
                if message.contains("LoadDocumentCallback") || message.contains("remote") {
                    message = "found the address of a context; expected the context itself in the \
                               file, because nothing is fetched"
                        .to_owned();
                }
                let position = match error.location() {
                    Some(range) => Position::Character {
                        line: range.start.line + 1,
                        column: range.start.column + 1,
                    },
                    None => Position::WholeFile,
                };
                let problem = ReadProblem::Rdf { syntax: "JSON-LD", message };
                return Err(ReadError::at(position, problem));
            }
        }
    }
    Ok(())
}
