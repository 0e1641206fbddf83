//! Ontologies from files: individuals, assertions about them, and axioms.
//!
//! Statements such as "anna is a Mother", "anna hasChild bert" or "Mother is a subclass of Parent"
//! come in any order, and the last one may declare a name. So the reader first collects all
//! statements as numbers, then infers the kind of each name, numbers the names by kind, and builds
//! the class expressions.

mod axioms;
mod collect;
mod entities;
mod expression;
mod facts;
mod finish;
mod functional;
mod jsonld;
mod kinds;
mod literal;
mod manchester;
mod obo;
mod owlxml;
mod prefixes;
mod prolog;
mod range;
mod recognise;
mod structural;
mod syntax;
mod tokens;
mod track;
mod vocabulary;

pub use recognise::is_ontology;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::source::error::{ReadError, ReadProblem};
use crate::source::load::DecompressedReader;
use crate::source::options::Limits;
use crate::source::path::stem_and_extension;
use pellucid_data::Ontology;

/// Reads an ontology from a file, or from standard input if the path is `-`.
///
/// RDF/XML, OWL/XML, functional and Manchester syntax, OBO and JSON-LD are recognized by their
/// content; Turtle (`.ttl`), N-Triples (`.nt`), N-Quads (`.nq`) and `TriG` (`.trig`) by the extension.
/// Each may be compressed.
///
/// The kind of an undeclared name is inferred from its use: the member of a class or the subject of
/// a property is an individual, and a property with literals is a data property. Labels, comments
/// and other annotations are not assertions. [`Ontology::ignored`] counts statements that were not
/// used, and [`Ontology::notes`] lists the assumptions.
///
/// # Errors
/// Describes the problem and its position in the file.
pub fn read_ontology(path: &Path) -> Result<Ontology, ReadError> {
    read_ontology_with(path, &Limits::default())
}

/// Like [`read_ontology`], with the given limits; lines may have any length.
///
/// # Errors
/// As [`read_ontology`].
pub fn read_ontology_with(path: &Path, limits: &Limits) -> Result<Ontology, ReadError> {
    if path == Path::new("-") {
        return read_ontology_from_with(io::stdin().lock(), "standard input", limits);
    }
    let name = path.display().to_string();
    let file =
        File::open(path).map_err(|error| ReadError::from(ReadProblem::Io(error)).in_file(&name))?;
    read_ontology_from_with(file, &name, limits)
}

/// Reads an ontology from any reader; `name` appears in messages, and its extension helps to detect
/// the syntax.
///
/// ```
/// use pellucid_io::read_ontology_from;
/// let text = "@prefix : <http://example.org/#> .\n:anna a :Mother ; :hasChild :bert ; :age 31 .\n";
/// let ontology = read_ontology_from(text.as_bytes(), "family.ttl")?;
/// assert_eq!((ontology.individuals.len(), ontology.classes.len()), (2, 1));
/// assert_eq!(ontology.roles.get(0), "http://example.org/#hasChild");
/// assert_eq!(ontology.properties.get(0), "http://example.org/#age");
/// # Ok::<(), pellucid_io::ReadError>(())
/// ```
///
/// # Errors
/// Describes the problem and its position in the input.
pub fn read_ontology_from(reader: impl Read, name: &str) -> Result<Ontology, ReadError> {
    read_ontology_from_with(reader, name, &Limits::default())
}

/// Like [`read_ontology_from`], with the given limits.
///
/// # Errors
/// As [`read_ontology_from`].
pub fn read_ontology_from_with(
    mut reader: impl Read,
    name: &str,
    limits: &Limits,
) -> Result<Ontology, ReadError> {
    read_bytes(&mut reader, name, *limits).map_err(|error| error.in_file(name))
}

/// Not generic over the reader, because that would duplicate the large parsers.
fn read_bytes(reader: &mut dyn Read, name: &str, limits: Limits) -> Result<Ontology, ReadError> {
    let (stem, extension) = stem_and_extension(name);
    let mut collector = collect::StatementCollector::default();
    let mut notes = Vec::new();
    let mut reader = DecompressedReader::new(reader, limits)?;
    syntax::read(&mut reader, &extension, prefixes::BASE, &mut collector, &mut notes)?;
    if collector.statements == 0 {
        return Err(ReadProblem::NoStatements.into());
    }
    Ok(finish::finish(collector, stem, notes))
}
