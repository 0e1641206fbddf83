//! Detects the syntax of a file and reads its statements.

use pellucid_data::{Message, message};
use std::io::{self, Cursor, Read};

use oxrdf::TripleRef;
use oxrdfxml::{RdfXmlParseError, RdfXmlParser};
use oxttl::{NQuadsParser, NTriplesParser, TriGParser, TurtleParseError, TurtleParser};

use super::collect::StatementCollector;
use super::structural::Problem;
use super::track::TrackingReader;
use super::{functional, jsonld, manchester, obo, owlxml, prolog};
use crate::source::encoding::{TextEncoding, decode};
use crate::source::error::{Position, ReadError, ReadProblem, shorten};
use crate::source::load::unwrap_io_error;

/// The number of bytes to read before parsing; the prolog must be within them.
const HEAD: u64 = 256 << 10;

/// The number of stray texts to name in notes; the others are counted.
const NAMED: u64 = 5;

/// A syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Syntax {
    /// RDF/XML or OWL/XML, which the first element tells apart.
    Xml,
    Turtle,
    NTriples,
    NQuads,
    TriG,
    JsonLd,
    Functional,
    Manchester,
    Obo,
}

impl Syntax {
    fn name(self) -> &'static str {
        match self {
            Syntax::Xml => "RDF/XML",
            Syntax::Turtle => "Turtle",
            Syntax::NTriples => "N-Triples",
            Syntax::NQuads => "N-Quads",
            Syntax::TriG => "TriG",
            Syntax::JsonLd => "JSON-LD",
            Syntax::Functional => "functional syntax",
            Syntax::Manchester => "Manchester syntax",
            Syntax::Obo => "OBO",
        }
    }

    /// Detects the syntax by the content, and the forms of Turtle by the extension.
    fn of(head: &[u8], extension: &str) -> Syntax {
        let text = String::from_utf8_lossy(&head[..head.len().min(4096)]);
        if is_xml(text.trim_start()) {
            return Syntax::Xml;
        }
        match begins_as(&text) {
            Some(syntax) if extension != "trig" || syntax != Syntax::JsonLd => syntax,
            _ => match extension {
                "nt" => Syntax::NTriples,
                "nq" => Syntax::NQuads,
                "trig" => Syntax::TriG,
                _ => Syntax::Turtle,
            },
        }
    }
}

/// Whether text begins as a syntax that is recognized by its content: XML, JSON-LD, functional or
/// Manchester syntax, or OBO.
pub(super) fn is_recognized(text: &str) -> bool {
    is_xml(text.trim_start()) || begins_as(text).is_some_and(|syntax| syntax != Syntax::JsonLd)
}

/// Returns the syntax of a text, if its first line after comments tells it.
fn begins_as(text: &str) -> Option<Syntax> {
    let text = text.trim_start_matches('\u{feff}');
    let blank = |line: &&str| !line.is_empty() && !line.starts_with(['#', '!']);
    let first = text.lines().map(str::trim).find(blank)?;
    if functional::begins(first) {
        Some(Syntax::Functional)
    } else if manchester::begins(first) {
        Some(Syntax::Manchester)
    } else if obo::begins(first) {
        Some(Syntax::Obo)
    } else {
        // Turtle may begin with a bracket, but not with two, and not with one before a text.
        let json = |open, next: [char; 2]| {
            text.trim_start()
                .strip_prefix(open)
                .is_some_and(|rest| rest.trim_start().starts_with(next))
        };
        (json('{', ['"', '}']) || json('[', ['{', ']']) && !first.contains("[]"))
            .then_some(Syntax::JsonLd)
    }
}

/// Whether text begins with an XML declaration, a comment or an element. An element declares
/// namespaces after a blank; an IRI at the start of a Turtle file contains no blank.
fn is_xml(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('<') else { return false };
    let tag = rest.split('>').next().unwrap_or(rest);
    rest.starts_with(['?', '!'])
        || tag.split_whitespace().skip(1).any(|word| word.starts_with("xmlns"))
}

/// Reads all statements, and notes what was ignored.
pub(super) fn read(
    reader: &mut dyn Read,
    extension: &str,
    base: &str,
    collector: &mut StatementCollector,
    notes: &mut Vec<Message>,
) -> Result<(), ReadError> {
    let mut head = Vec::new();
    Read::take(&mut *reader, HEAD).read_to_end(&mut head).map_err(unwrap_io_error)?;
    if head.starts_with(b"\xef\xbb\xbf") {
        head.drain(..3);
    }
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        let problem = ReadProblem::NotUtf8 { at: 1, byte: head[0] };
        return Err(ReadError::at(Position::Line(1), problem));
    }
    let syntax = Syntax::of(&head, extension);
    let mut whole = |head: Vec<u8>, parse: Parse| {
        let text = load(head, reader, false, notes)?;
        parse(&text, collector).map_err(|problem| problem.into_error(&text, syntax.name()))
    };
    match syntax {
        Syntax::Functional => whole(head, functional::read),
        Syntax::Manchester => whole(head, manchester::read),
        Syntax::Obo => whole(head, obo::read),
        Syntax::JsonLd => jsonld::read(Cursor::new(head).chain(reader), base, collector),
        Syntax::Xml => read_xml(head, reader, base, collector, notes),
        Syntax::Turtle => {
            let parser = TurtleParser::new().lenient().with_base_iri(base);
            let Ok(parser) = parser else { return Err(unnamed(base)) };
            read_text(parser.for_reader(Cursor::new(head).chain(reader)), syntax, |triple| {
                collector.take(triple.as_ref())
            })
        }
        Syntax::TriG => {
            let parser = TriGParser::new().lenient().with_base_iri(base);
            let Ok(parser) = parser else { return Err(unnamed(base)) };
            read_text(parser.for_reader(Cursor::new(head).chain(reader)), syntax, |quad| {
                let quad = quad.as_ref();
                collector.take(TripleRef::new(quad.subject, quad.predicate, quad.object));
            })
        }
        Syntax::NTriples => {
            let parser = NTriplesParser::new().lenient();
            read_text(parser.for_reader(Cursor::new(head).chain(reader)), syntax, |triple| {
                collector.take(triple.as_ref())
            })
        }
        Syntax::NQuads => {
            let parser = NQuadsParser::new().lenient();
            read_text(parser.for_reader(Cursor::new(head).chain(reader)), syntax, |quad| {
                let quad = quad.as_ref();
                collector.take(TripleRef::new(quad.subject, quad.predicate, quad.object));
            })
        }
    }
}

/// Parses a text and adds its statements.
type Parse = fn(&str, &mut StatementCollector) -> Result<(), Problem>;

/// Loads the rest of a file as text.
fn load(
    mut head: Vec<u8>,
    reader: &mut dyn Read,
    latin: bool,
    notes: &mut Vec<Message>,
) -> Result<String, ReadError> {
    reader.read_to_end(&mut head).map_err(unwrap_io_error)?;
    if latin {
        return Ok(head.into_iter().map(char::from).collect());
    }
    decode(head, Some(TextEncoding::Utf8), notes)
}

pub(super) fn unnamed(base: &str) -> ReadError {
    let found = shorten(base);
    ReadProblem::Options(message!("found '{found}'; expected a base IRI")).into()
}

/// Reads Turtle, `TriG`, N-Triples and N-Quads.
fn read_text<T>(
    statements: impl Iterator<Item = Result<T, TurtleParseError>>,
    syntax: Syntax,
    mut take: impl FnMut(T),
) -> Result<(), ReadError> {
    for statement in statements {
        match statement {
            Ok(statement) => take(statement),
            Err(TurtleParseError::Io(error)) => return Err(unwrap_io_error(error).into()),
            Err(TurtleParseError::Syntax(error)) => {
                let start = error.location().start;
                let position =
                    Position::Character { line: start.line + 1, column: start.column + 1 };
                let message = error.message().to_owned();
                return Err(ReadError::at(
                    position,
                    ReadProblem::Rdf { syntax: syntax.name(), message },
                ));
            }
        }
    }
    Ok(())
}

/// Reads RDF/XML. Stray text between elements is ignored.
fn read_xml(
    mut head: Vec<u8>,
    reader: &mut dyn Read,
    base: &str,
    collector: &mut StatementCollector,
    notes: &mut Vec<Message>,
) -> Result<(), ReadError> {
    let whole = (head.len() as u64) < HEAD;
    let prolog = prolog::convert(&mut head)?;
    let Some(root) = prolog.root else {
        let message = if whole {
            "found no element; expected <rdf:RDF>".to_owned()
        } else {
            format!("found no element in the first {HEAD} bytes; expected <rdf:RDF>")
        };
        return Err(ReadProblem::Rdf { syntax: Syntax::Xml.name(), message }.into());
    };
    if root == "Ontology" || root.ends_with(":Ontology") && root != "owl:Ontology" {
        let text = load(head, reader, prolog.latin, notes)?;
        return owlxml::read(&text, collector)
            .map_err(|problem| problem.into_error(&text, "OWL/XML"));
    }
    let bytes = Cursor::new(head).chain(reader);
    let (reader, tracker) = TrackingReader::new(Latin { inner: bytes, on: prolog.latin });
    let Ok(parser) = RdfXmlParser::new().lenient().with_base_iri(base) else {
        return Err(unnamed(base));
    };
    let mut parser = parser.for_reader(reader);
    let mut stray = 0u64;
    while let Some(statement) = parser.next() {
        let error = match statement {
            Ok(triple) => {
                collector.take(triple.as_ref());
                continue;
            }
            Err(RdfXmlParseError::Io(error)) => return Err(unwrap_io_error(error).into()),
            Err(RdfXmlParseError::Syntax(error)) => error.to_string(),
        };
        let position = parser.buffer_position();
        let Some(text) = error.strip_prefix("Unexpected text event: '") else {
            let problem = ReadProblem::Rdf { syntax: Syntax::Xml.name(), message: error };
            return Err(ReadError::at(tracker.borrow().at(position), problem));
        };
        stray += 1;
        if stray <= NAMED {
            let text = text.strip_suffix('\'').unwrap_or(text).trim_start();
            let below = text.bytes().filter(|&byte| byte == b'\n').count() as u64;
            let line = tracker.borrow().line(position).saturating_sub(below).max(1);
            notes.push(
                format!(
                    "line {line}: ignored the text '{}' between elements",
                    shorten(text.trim_end())
                )
                .into(),
            );
        }
    }
    if stray > NAMED {
        notes.push(format!("ignored {} more texts between elements", stray - NAMED).into());
    }
    let tracker = tracker.borrow();
    if collector.statements > 0 && !tracker.saw(format!("</{root}").as_bytes()) {
        let message = format!("unexpected end of file; expected </{root}>");
        return Err(ReadError::at(
            tracker.end(),
            ReadProblem::Rdf { syntax: Syntax::Xml.name(), message },
        ));
    }
    Ok(())
}

/// A reader that converts ISO 8859-1 to UTF-8 if `on` is set.
struct Latin<R> {
    inner: R,
    on: bool,
}

impl<R: Read> Read for Latin<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.on || buffer.len() < 2 {
            return self.inner.read(buffer);
        }
        // One byte becomes at most two, so half of the buffer is filled and then expanded from its end.
        let half = buffer.len() / 2;
        let taken = self.inner.read(&mut buffer[..half])?;
        let high = buffer[..taken].iter().filter(|byte| !byte.is_ascii()).count();
        let mut to = taken + high;
        for from in (0..taken).rev() {
            let byte = buffer[from];
            if byte.is_ascii() {
                to -= 1;
                buffer[to] = byte;
            } else {
                to -= 2;
                buffer[to] = 0xc0 | (byte >> 6);
                buffer[to + 1] = 0x80 | (byte & 0x3f);
            }
        }
        Ok(taken + high)
    }
}

#[cfg(test)]
mod tests {
    use super::Latin;
    use std::io::Read;

    #[test]
    fn latin_becomes_utf8() {
        let mut text = String::new();
        let mut latin = Latin { inner: &b"caf\xe9 \xff\xc4 end"[..], on: true };
        latin.read_to_string(&mut text).expect("valid UTF-8");
        assert_eq!(text, "caf\u{e9} \u{ff}\u{c4} end");
    }
}
