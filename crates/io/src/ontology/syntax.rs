//! Syntaxes of RDF: which one a file has, and its statements one after the other.

use std::io::{self, Cursor, Read};

use oxrdf::TripleRef;
use oxrdfxml::{RdfXmlParseError, RdfXmlParser};
use oxttl::{NQuadsParser, NTriplesParser, TriGParser, TurtleParseError, TurtleParser};

use super::collect::StatementCollector;
use super::prolog;
use super::track::Tracked;
use crate::error::{Place, ReadError, ReadProblem, shorten};
use crate::source::reading_problem;

/// How many bytes are looked at before a parser sees them; a prolog must fit in.
const HEAD: u64 = 256 << 10;

/// How many stray texts are named; the rest is counted.
const NAMED: u64 = 5;

/// How RDF is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Syntax {
    RdfXml,
    Turtle,
    NTriples,
    NQuads,
    TriG,
}

impl Syntax {
    fn name(self) -> &'static str {
        match self {
            Syntax::RdfXml => "RDF/XML",
            Syntax::Turtle => "Turtle",
            Syntax::NTriples => "N-Triples",
            Syntax::NQuads => "N-Quads",
            Syntax::TriG => "TriG",
        }
    }

    /// The syntax that content and name suggest; XML is known by its content, the others are alike.
    fn of(head: &[u8], extension: &str) -> Result<Syntax, ReadError> {
        let text = String::from_utf8_lossy(&head[..head.len().min(4096)]);
        let mut lines = text.lines().zip(1..);
        let begin =
            lines.find(|(line, _)| !line.trim().is_empty() && !line.trim().starts_with('#'));
        let Some((begin, line)) = begin else { return Ok(Syntax::Turtle) };
        let begin = begin.trim();
        let refuse = |expected: &'static str| {
            let problem = ReadProblem::UnknownOntology { found: shorten(begin), expected };
            Err(ReadError::at(Place::Line(line), problem))
        };
        match begin.strip_prefix('<') {
            Some(_) if is_xml(text.trim_start()) => Ok(Syntax::RdfXml),
            None if ["Prefix(", "Ontology("].iter().any(|word| begin.starts_with(word)) => refuse(
                "the file is an ontology in OWL functional syntax; RDF/XML, Turtle or N-Triples was expected, and Protégé or ROBOT convert it",
            ),
            None if ["Prefix:", "Ontology:"].iter().any(|word| begin.starts_with(word)) => refuse(
                "the file is an ontology in Manchester syntax; RDF/XML, Turtle or N-Triples was expected, and Protégé or ROBOT convert it",
            ),
            None if ["format-version:", "[Term]", "[Typedef]", "[Instance]"]
                .iter()
                .any(|word| begin.starts_with(word)) =>
            {
                refuse(
                    "the file is an ontology in OBO format; RDF/XML, Turtle or N-Triples was expected, and ROBOT converts it",
                )
            }
            None if begin.starts_with(['{', '[']) && extension != "ttl" && extension != "trig" => {
                refuse("RDF/XML, Turtle or N-Triples was expected; convert the file from JSON-LD")
            }
            _ => Ok(match extension {
                "nt" => Syntax::NTriples,
                "nq" => Syntax::NQuads,
                "trig" => Syntax::TriG,
                _ => Syntax::Turtle,
            }),
        }
    }
}

/// Whether text begins with a declaration, a comment or an element of XML. An element names its spaces, after a blank; the IRI
/// that Turtle may begin with has no blank in it.
fn is_xml(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('<') else { return false };
    let tag = rest.split('>').next().unwrap_or(rest);
    rest.starts_with(['?', '!'])
        || tag.split_whitespace().skip(1).any(|word| word.starts_with("xmlns"))
}

/// Reads all statements; what was passed over is said in the notes.
pub(super) fn read(
    reader: &mut dyn Read,
    extension: &str,
    base: &str,
    collector: &mut StatementCollector,
    notes: &mut Vec<String>,
) -> Result<(), ReadError> {
    let mut head = Vec::new();
    Read::take(&mut *reader, HEAD).read_to_end(&mut head).map_err(reading_problem)?;
    if head.starts_with(b"\xef\xbb\xbf") {
        head.drain(..3);
    }
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        let problem = ReadProblem::NotUtf8 { at: 1, byte: head[0] };
        return Err(ReadError::at(Place::Line(1), problem));
    }
    let syntax = Syntax::of(&head, extension)?;
    match syntax {
        Syntax::RdfXml => read_xml(head, reader, base, collector, notes),
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

fn unnamed(base: &str) -> ReadError {
    ReadProblem::Options(format!("'{}' is no base for names", shorten(base))).into()
}

/// Turtle and its relatives.
fn read_text<T>(
    statements: impl Iterator<Item = Result<T, TurtleParseError>>,
    syntax: Syntax,
    mut take: impl FnMut(T),
) -> Result<(), ReadError> {
    for statement in statements {
        match statement {
            Ok(statement) => take(statement),
            Err(TurtleParseError::Io(error)) => return Err(reading_problem(error).into()),
            Err(TurtleParseError::Syntax(error)) => {
                let start = error.location().start;
                let place = Place::Character { line: start.line + 1, column: start.column + 1 };
                let message = error.message().to_owned();
                return Err(ReadError::at(
                    place,
                    ReadProblem::Rdf { syntax: syntax.name(), message },
                ));
            }
        }
    }
    Ok(())
}

/// RDF/XML. Text between elements, where none belongs, is passed over.
fn read_xml(
    mut head: Vec<u8>,
    reader: &mut dyn Read,
    base: &str,
    collector: &mut StatementCollector,
    notes: &mut Vec<String>,
) -> Result<(), ReadError> {
    let whole = (head.len() as u64) < HEAD;
    let prolog = prolog::mend(&mut head)?;
    let Some(root) = prolog.root else {
        let message = if whole {
            "there is no element; <rdf:RDF> was expected".to_owned()
        } else {
            format!("no element was found in the first {HEAD} bytes; <rdf:RDF> was expected")
        };
        return Err(ReadProblem::Rdf { syntax: Syntax::RdfXml.name(), message }.into());
    };
    if root == "Ontology" || root.ends_with(":Ontology") && root != "owl:Ontology" {
        let expected =
            "RDF/XML, Turtle or N-Triples was expected; convert the file from OWL/XML syntax";
        return Err(ReadProblem::UnknownOntology { found: format!("<{root}"), expected }.into());
    }
    let bytes = Cursor::new(head).chain(reader);
    let (tracked, track) = Tracked::new(Latin { inner: bytes, on: prolog.latin });
    let Ok(parser) = RdfXmlParser::new().lenient().with_base_iri(base) else {
        return Err(unnamed(base));
    };
    let mut parser = parser.for_reader(tracked);
    let mut stray = 0u64;
    while let Some(statement) = parser.next() {
        let error = match statement {
            Ok(triple) => {
                collector.take(triple.as_ref());
                continue;
            }
            Err(RdfXmlParseError::Io(error)) => return Err(reading_problem(error).into()),
            Err(RdfXmlParseError::Syntax(error)) => error.to_string(),
        };
        let position = parser.buffer_position();
        let Some(text) = error.strip_prefix("Unexpected text event: '") else {
            let problem = ReadProblem::Rdf { syntax: Syntax::RdfXml.name(), message: error };
            return Err(ReadError::at(track.borrow().place(position), problem));
        };
        stray += 1;
        if stray <= NAMED {
            let text = text.strip_suffix('\'').unwrap_or(text).trim_start();
            let below = text.bytes().filter(|&byte| byte == b'\n').count() as u64;
            let line = track.borrow().line(position).saturating_sub(below).max(1);
            notes.push(format!(
                "line {line}: the text '{}' between elements was passed over",
                shorten(text.trim_end())
            ));
        }
    }
    if stray > NAMED {
        notes.push(format!("{} more texts between elements were passed over", stray - NAMED));
    }
    let track = track.borrow();
    if collector.statements > 0 && !track.saw(format!("</{root}").as_bytes()) {
        let message = format!("the file ends and </{root}> was expected");
        return Err(ReadError::at(
            track.end(),
            ReadProblem::Rdf { syntax: Syntax::RdfXml.name(), message },
        ));
    }
    Ok(())
}

/// ISO 8859-1 as UTF-8, if that is on.
struct Latin<R> {
    inner: R,
    on: bool,
}

impl<R: Read> Read for Latin<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.on || buffer.len() < 2 {
            return self.inner.read(buffer);
        }
        // One byte becomes two at most, so half of the room is filled and spread from its end.
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
        latin.read_to_string(&mut text).expect("it is UTF-8 now");
        assert_eq!(text, "caf\u{e9} \u{ff}\u{c4} end");
    }
}
