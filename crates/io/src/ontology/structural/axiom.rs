//! The axioms of functional syntax and OWL/XML.

use super::super::vocabulary::{Namespace, Word};
use super::nodes::{at_least, exactly};
use super::{AxiomWriter, Construct, Part, Problem};

impl AxiomWriter<'_> {
    /// Writes an axiom.
    pub(in super::super) fn axiom(&mut self, construct: &Construct) -> Result<(), Problem> {
        self.collector.statements += 1;
        let annotations = construct.parts.iter().take_while(|part| is_annotation(part)).count();
        if annotations > 0 && construct.name != "Declaration" {
            self.collector.ignore(Word::Axiom.number());
        }
        let parts = &construct.parts[annotations..];
        if self.class_axiom(construct, parts)?
            || self.property_axiom(construct, parts)?
            || self.assertion(construct, parts)?
            || self.annotation(construct, parts)?
        {
            return Ok(());
        }
        match construct.name {
            "DLSafeRule" => {
                self.rule();
                Ok(())
            }
            "Import" => {
                let [other] = exactly(parts, "Import", construct.at)?;
                let other = other.name("the IRI of an ontology", construct.at)?;
                self.import(other);
                Ok(())
            }
            name => Err(Problem::new(construct.at, format!("found {name}; expected an axiom"))),
        }
    }

    /// Counts a rule, which is not used.
    pub(in super::super) fn rule(&mut self) {
        self.ignore(Namespace::Swrl, "Imp");
    }

    /// Names the ontology of the file.
    pub(in super::super) fn ontology(&mut self, name: u32) {
        self.header = name;
        self.declare(name, Word::Ontology);
    }

    /// Adds an ontology to read as well.
    pub(in super::super) fn import(&mut self, other: u32) {
        self.state(self.header, Word::Imports, other);
    }

    /// Writes an axiom about classes; returns whether it is one.
    fn class_axiom(&mut self, construct: &Construct, parts: &[Part]) -> Result<bool, Problem> {
        let (name, at) = (construct.name, construct.at);
        match name {
            "Declaration" => {
                let [Part::Construct(kind)] = exactly(parts, name, at)? else {
                    return Err(Problem::new(at, "found a name; expected Class(…) or the like"));
                };
                self.declaration(kind)?;
            }
            "SubClassOf" => {
                let [lower, upper] = exactly(parts, name, at)?;
                let (lower, upper) = (self.class(lower, at)?, self.class(upper, at)?);
                self.state(lower, Word::SubClassOf, upper);
            }
            "EquivalentClasses" => {
                at_least(parts, 2, construct)?;
                let classes = self.classes(parts, at)?;
                self.chain(&classes, Word::EquivalentClass);
            }
            "DisjointClasses" => {
                at_least(parts, 2, construct)?;
                let classes = self.classes(parts, at)?;
                self.disjoint(&classes);
            }
            "DisjointUnion" => {
                at_least(parts, 2, construct)?;
                let whole = self.class(&parts[0], at)?;
                let classes = self.classes(&parts[1..], at)?;
                let list = self.node_list(&classes);
                self.state(whole, Word::DisjointUnionOf, list);
            }
            "DatatypeDefinition" => {
                let [datatype, range] = exactly(parts, name, at)?;
                let datatype = datatype.name("a datatype", at)?;
                self.declare(datatype, Word::Datatype);
                let range = self.class(range, at)?;
                self.state(datatype, Word::EquivalentClass, range);
            }
            "HasKey" => self.ignore(Namespace::Owl, "hasKey"),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn declaration(&mut self, kind: &Construct) -> Result<(), Problem> {
        let word = match kind.name {
            "Class" => Word::Class,
            "Datatype" => Word::Datatype,
            "ObjectProperty" => Word::ObjectProperty,
            "DataProperty" => Word::DatatypeProperty,
            "AnnotationProperty" => Word::AnnotationProperty,
            "NamedIndividual" => Word::NamedIndividual,
            other => {
                let message = format!(
                    "found {other}; expected one of Class, Datatype, ObjectProperty, DataProperty, \
                     AnnotationProperty, NamedIndividual"
                );
                return Err(Problem::new(kind.at, message));
            }
        };
        let [name] = kind.exactly()?;
        let name = name.name("a name", kind.at)?;
        self.declare(name, word);
        Ok(())
    }

    /// States that each node of a sequence is related to the next one.
    pub(in super::super) fn chain(&mut self, nodes: &[u32], word: Word) {
        for pair in nodes.windows(2) {
            self.state(pair[0], word, pair[1]);
        }
    }

    /// States that classes are disjoint.
    pub(in super::super) fn disjoint(&mut self, classes: &[u32]) {
        if let [one, other] = *classes {
            self.state(one, Word::DisjointWith, other);
        } else {
            self.all_of(Word::AllDisjointClasses, Word::Members, classes);
        }
    }

    /// Adds a node with members.
    pub(in super::super) fn all_of(&mut self, kind: Word, word: Word, members: &[u32]) {
        let node = self.collector.fresh();
        self.declare(node, kind);
        let list = self.node_list(members);
        self.state(node, word, list);
    }
}

/// Whether a part is an annotation of its axiom.
pub(super) fn is_annotation(part: &Part) -> bool {
    matches!(part, Part::Construct(construct) if construct.name == "Annotation")
}
