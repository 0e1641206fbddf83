//! OBO: stanzas of tags and values, as the ontologies of biology have them.
//!
//! Tags become axioms as in the OBO 1.4 mapping to OWL. Tags without a meaning for learners, such as
//! synonyms and definitions, are counted.

mod clause;
mod identifiers;
mod instances;
mod terms;
mod typedefs;

use rustc_hash::FxHashMap;

use super::collect::StatementCollector;
use super::functional;
use super::prefixes::{BASE, Prefixes};
use super::structural::{AxiomWriter, Problem};
use clause::{Clause, Stanza, stanzas, unescape};

/// Whether the first line of a file is in this syntax.
pub(super) fn begins(line: &str) -> bool {
    const TAGS: [&str; 10] = [
        "format-version:",
        "data-version:",
        "date:",
        "saved-by:",
        "auto-generated-by:",
        "default-namespace:",
        "subsetdef:",
        "synonymtypedef:",
        "ontology:",
        "idspace:",
    ];
    ["[Term]", "[Typedef]", "[Instance]"].contains(&line)
        || TAGS.iter().any(|tag| line.starts_with(tag))
}

/// Reads all stanzas of a document.
pub(super) fn read(text: &str, collector: &mut StatementCollector) -> Result<(), Problem> {
    let (header, stanzas) = stanzas(text)?;
    // Axioms without a form in OBO are in the header, in functional syntax.
    for clause in header.iter().filter(|clause| clause.tag == "owl-axioms") {
        functional::read(&unescape(clause.raw), collector).map_err(|problem| {
            Problem::new(clause.at, format!("in the axioms of owl-axioms: {}", problem.message))
        })?;
    }
    let mut reader = OboReader {
        writer: AxiomWriter::new(collector),
        spaces: FxHashMap::default(),
        shorthands: FxHashMap::default(),
        home: format!("{BASE}#"),
        prefixes: Prefixes::default(),
    };
    reader.header(&header)?;
    reader.find_shorthands(&stanzas);
    for stanza in &stanzas {
        match stanza.kind {
            "Term" => reader.term(stanza)?,
            "Typedef" => reader.typedef(stanza)?,
            "Instance" => reader.instance(stanza)?,
            kind => {
                let name = format!("[{kind}]");
                let name = reader.writer.collector.name(&name);
                reader.writer.collector.ignore(name);
            }
        }
    }
    Ok(())
}

struct OboReader<'a> {
    writer: AxiomWriter<'a>,
    /// The IRIs of the prefixes that the header declares.
    spaces: FxHashMap<String, String>,
    /// The identifiers that short names of relations stand for.
    shorthands: FxHashMap<String, String>,
    /// The IRI before identifiers without a prefix.
    home: String,
    prefixes: Prefixes,
}

impl OboReader<'_> {
    fn header(&mut self, clauses: &[Clause<'_>]) -> Result<(), Problem> {
        for clause in clauses {
            match clause.tag {
                "ontology" => {
                    let value = clause.value();
                    let (iri, home) = if value.contains("://") {
                        (value.to_owned(), value.to_owned())
                    } else {
                        let home = format!("{}{value}", identifiers::OBO);
                        (format!("{home}.owl"), home)
                    };
                    let name = self.writer.collector.name(&iri);
                    self.writer.ontology(name);
                    self.home = format!("{home}#");
                }
                "idspace" => {
                    let mut words = clause.value().split_whitespace();
                    if let (Some(prefix), Some(iri)) = (words.next(), words.next()) {
                        self.spaces.insert(prefix.to_owned(), iri.to_owned());
                    }
                }
                "import" => {
                    let iri = self.prefixes.resolve(clause.value());
                    let other = self.writer.collector.name(&iri);
                    self.writer.collector.statements += 1;
                    self.writer.import(other);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Counts a clause that is not used.
    fn ignore(&mut self, clause: &Clause<'_>) {
        let name = self.writer.collector.name(clause.tag);
        self.writer.collector.ignore(name);
    }

    /// Returns the first clause with a tag that a stanza must have.
    fn required<'c>(stanza: &'c Stanza<'_>, tag: &str) -> Result<&'c Clause<'c>, Problem> {
        stanza.clauses.iter().find(|clause| clause.tag == tag).ok_or_else(|| {
            Problem::new(stanza.at, format!("[{}] has no '{tag}:'; expected one", stanza.kind))
        })
    }
}
