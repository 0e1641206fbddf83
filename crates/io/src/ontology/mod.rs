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
mod imports;
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
use std::path::{Path, PathBuf};

use crate::source::error::{ReadError, ReadProblem};
use crate::source::load::DecompressedReader;
use crate::source::options::Limits;
use crate::source::path::stem_and_extension;
use collect::StatementCollector;
use pellucid_data::{Message, Ontology, message};

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
    read_ontologies(&[path], limits)
}

/// Reads several files as one ontology, with the local files that they import.
///
/// The ontology has the name of the first file. An import, `owl:imports`, is a file that the catalog
/// `catalog-v001.xml` beside the importing file names, or a file in the same folder with the name of
/// the last part of the IRI. Nothing is fetched: [`Ontology::notes`] names the imports without a
/// file. Nodes without a name are different nodes in different files.
///
/// # Errors
/// As [`read_ontology`], for any of the files.
pub fn read_ontologies(paths: &[&Path], limits: &Limits) -> Result<Ontology, ReadError> {
    let mut files: Vec<PathBuf> = paths.iter().map(|path| path.to_path_buf()).collect();
    let mut collector = StatementCollector::default();
    let mut notes = Vec::new();
    let mut next = 0;
    while let Some(path) = files.get(next).cloned() {
        let name = match path == Path::new("-") {
            true => "standard input".to_owned(),
            false => path.display().to_string(),
        };
        collector.begin_file(next);
        let before = notes.len();
        let read = match path == Path::new("-") {
            true => collect(&mut io::stdin().lock(), &name, *limits, &mut collector, &mut notes),
            false => {
                File::open(&path).map_err(|error| ReadError::from(ReadProblem::Io(error))).and_then(
                    |mut file| collect(&mut file, &name, *limits, &mut collector, &mut notes),
                )
            }
        };
        read.map_err(|error| error.in_file(&name))?;
        if next > 0 {
            for note in &mut notes[before..] {
                *note = message!("{name}: ", note.clone());
            }
        }
        next += 1;
        // The files that were named may contain what others import.
        if next >= paths.len() {
            add_imports(&mut collector, &mut files, &mut notes);
        }
    }
    let name = files.first().map(|path| path.display().to_string()).unwrap_or_default();
    let name = if name == "-" { "standard input" } else { name.as_str() };
    build(collector, name, notes).map_err(|error| error.in_file(name))
}

/// Finds the files of imports that have not been read, and adds them to the files to read.
fn add_imports(
    collector: &mut StatementCollector,
    files: &mut Vec<PathBuf>,
    notes: &mut Vec<Message>,
) {
    for (file, import) in collector.open_imports() {
        let iri = collector.nodes.get(import).to_owned();
        let Some(found) = imports::locate(&iri, &files[file], notes) else { continue };
        let known = files.iter().any(|known| imports::is_same(known, &found));
        collector.resolve_import(import);
        if !known {
            let file = found.display();
            notes.push(message!("read the import {iri} from {file}"));
            files.push(found);
        }
    }
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

fn read_bytes(reader: &mut dyn Read, name: &str, limits: Limits) -> Result<Ontology, ReadError> {
    let mut collector = StatementCollector::default();
    let mut notes = Vec::new();
    collect(reader, name, limits, &mut collector, &mut notes)?;
    build(collector, name, notes)
}

/// Collects the statements of a file. Not generic over the reader, because that would duplicate the
/// large parsers.
fn collect(
    reader: &mut dyn Read,
    name: &str,
    limits: Limits,
    collector: &mut StatementCollector,
    notes: &mut Vec<Message>,
) -> Result<(), ReadError> {
    let (_, extension) = stem_and_extension(name);
    let mut reader = DecompressedReader::new(reader, limits)?;
    syntax::read(&mut reader, &extension, prefixes::BASE, collector, notes)
}

fn build(
    collector: StatementCollector,
    name: &str,
    notes: Vec<Message>,
) -> Result<Ontology, ReadError> {
    if collector.statements == 0 {
        return Err(ReadProblem::NoStatements.into());
    }
    let (stem, _) = stem_and_extension(name);
    Ok(finish::finish(collector, stem, notes))
}
