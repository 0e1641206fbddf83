//! Ontologies from files: individuals, what is asserted of them, and what holds in general.
//!
//! Picture a heap of slips, each with one statement: "anna is a Mother", "anna hasChild bert", "a Mother is a Parent". The
//! slips come in any order, and what a name stands for may be said on the last one. So the reader takes one slip after the
//! other, turns it into numbers and lays it on a pile: assertions by property, the rest apart. Then it decides what each name
//! stands for, gives out numbers by kind, and puts the class expressions together.

mod axioms;
mod collect;
mod expression;
mod facts;
mod finish;
mod kinds;
mod literal;
mod prolog;
mod range;
mod recognise;
mod syntax;
mod track;
mod vocabulary;

pub use recognise::is_ontology;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::error::{ReadError, ReadProblem};
use crate::options::Limits;
use crate::read::stem_and_extension;
use crate::source::Unpacked;
use pellucid_data::Ontology;

/// Reads an ontology from a file, or from standard input if the path is `-`.
///
/// RDF/XML (`.owl .rdf .xml`), Turtle (`.ttl`), N-Triples (`.nt`), N-Quads (`.nq`) and `TriG` (`.trig`), each also with `.gz`.
/// What is XML is known by its content, whatever the name says; the names tell the others apart.
///
/// A name that the file does not declare is what it is used as: whoever is in a class or has a property is an individual, a
/// property that leads to literals is a data property. Labels, comments and other annotations are not assertions. What was met
/// and not made use of is counted in [`Ontology::ignored`]; what was assumed is said in [`Ontology::notes`].
///
/// # Errors
/// Says what is wrong with the file and where.
pub fn read_ontology(path: &Path) -> Result<Ontology, ReadError> {
    read_ontology_with(path, &Limits::default())
}

/// The same within other limits; a line may be of any length.
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

/// Reads an ontology from anything that yields bytes; `name` stands in messages, and its extension helps to tell the syntax.
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
/// Says what is wrong with the input and where.
pub fn read_ontology_from(reader: impl Read, name: &str) -> Result<Ontology, ReadError> {
    read_ontology_from_with(reader, name, &Limits::default())
}

/// The same within other limits.
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

/// Not one for every kind of reader: the parsers within are large.
fn read_bytes(reader: &mut dyn Read, name: &str, limits: Limits) -> Result<Ontology, ReadError> {
    let (stem, extension) = stem_and_extension(name);
    let mut collector = collect::StatementCollector::default();
    let mut notes = Vec::new();
    let mut reader = Unpacked::new(reader, limits)?;
    // Names that the file gives as relative ones are relative to it.
    let base = "file:///ontology";
    syntax::read(&mut reader, &extension, base, &mut collector, &mut notes)?;
    if collector.statements == 0 {
        return Err(ReadProblem::NoStatements.into());
    }
    Ok(finish::finish(collector, stem, notes))
}
