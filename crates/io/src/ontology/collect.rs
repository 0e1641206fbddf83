//! Collects statements in the order of the file: assertions by property, and statements about
//! classes and properties.
//!
//! A file may use a name long before it declares the name. So only the vocabulary of OWL is
//! interpreted here: every name gets a number and a set of [marks](mark), and a statement consists
//! of two or three numbers.

use oxrdf::{NamedOrBlankNodeRef, TermRef, TripleRef};
use pellucid_data::{Datatype, Datum, Register};
use rustc_hash::FxHashMap;

use super::literal::datatype;
use super::vocabulary::{Namespace, Word};

/// The properties of a name, one bit each.
pub(super) mod mark {
    pub(in super::super) const CLASS: u16 = 1;
    pub(in super::super) const ROLE: u16 = 1 << 1;
    pub(in super::super) const PROPERTY: u16 = 1 << 2;
    pub(in super::super) const ANNOTATION: u16 = 1 << 3;
    pub(in super::super) const INDIVIDUAL: u16 = 1 << 4;
    pub(in super::super) const DATATYPE: u16 = 1 << 5;
    /// The ontology itself.
    pub(in super::super) const HEADER: u16 = 1 << 6;
    /// A list, a restriction or an axiom: a node that only connects others.
    pub(in super::super) const ASIDE: u16 = 1 << 7;
    /// A property whose kind the file does not declare.
    pub(in super::super) const ANY_PROPERTY: u16 = 1 << 8;
    pub(in super::super) const SYMMETRIC: u16 = 1 << 9;
    pub(in super::super) const TRANSITIVE: u16 = 1 << 10;
    pub(in super::super) const REFLEXIVE: u16 = 1 << 11;
    pub(in super::super) const FUNCTIONAL: u16 = 1 << 12;
    pub(in super::super) const ALL_DISJOINT: u16 = 1 << 13;
    /// A restriction on literals.
    pub(in super::super) const ABOUT_LITERALS: u16 = 1 << 14;
    /// Anything but an individual.
    pub(in super::super) const SCHEMA: u16 =
        CLASS | ROLE | PROPERTY | ANNOTATION | DATATYPE | HEADER | ASIDE | ANY_PROPERTY;
}

/// The object of a statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Object {
    Node(u32),
    /// A text among [`StatementCollector::literals`].
    Literal(u32, Datatype),
}

/// A statement about a class, a property, a list or a part of a class expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fact {
    pub(super) subject: u32,
    pub(super) word: Word,
    pub(super) object: Object,
}

/// The assertions of one property that the file defines.
#[derive(Debug, Default)]
pub(super) struct StatedRelation {
    pub(super) property: u32,
    pub(super) links: Vec<[u32; 2]>,
    pub(super) data: Vec<Datum>,
}

/// All statements of a file.
#[derive(Debug)]
pub(super) struct StatementCollector {
    /// The names: first the vocabulary, then those of the file. Blank nodes begin with `_:`.
    pub(super) nodes: Register,
    /// The marks of each name.
    pub(super) marks: Vec<u16>,
    pub(super) relations: Vec<StatedRelation>,
    pub(super) texts: Register,
    pub(super) types: Vec<[u32; 2]>,
    pub(super) facts: Vec<Fact>,
    pub(super) literals: Register,
    /// The number of ignored statements by name.
    pub(super) ignored: FxHashMap<u32, u64>,
    pub(super) statements: u64,
    /// The index of each property among the relations; `None` for a reserved name without a meaning.
    indices: FxHashMap<u32, Option<usize>>,
    scratch: String,
}

impl Default for StatementCollector {
    fn default() -> Self {
        let nodes = Word::register();
        Self {
            marks: vec![0; nodes.len()],
            nodes,
            relations: Vec::new(),
            texts: Register::default(),
            types: Vec::new(),
            facts: Vec::new(),
            literals: Register::default(),
            ignored: FxHashMap::default(),
            statements: 0,
            indices: FxHashMap::default(),
            scratch: String::new(),
        }
    }
}

impl StatementCollector {
    /// Adds a statement.
    pub(super) fn take(&mut self, triple: TripleRef<'_>) {
        self.statements += 1;
        let predicate = self.node(triple.predicate.as_str());
        let subject = match triple.subject {
            NamedOrBlankNodeRef::NamedNode(node) => self.node(node.as_str()),
            NamedOrBlankNodeRef::BlankNode(node) => self.blank(node.as_str()),
        };
        match Word::of(predicate) {
            Some(Word::Type) => self.take_type(subject, triple.object),
            Some(word) if is_annotation(word) => *self.ignored.entry(predicate).or_default() += 1,
            Some(word) => self.take_fact(subject, word, triple.object),
            None => self.take_assertion(subject, predicate, triple.object),
        }
    }

    /// Returns the number of an IRI.
    fn node(&mut self, iri: &str) -> u32 {
        let node = self.nodes.add(iri);
        if node as usize == self.marks.len() {
            self.marks.push(0);
        }
        node
    }

    /// Returns the number of a blank node.
    fn blank(&mut self, label: &str) -> u32 {
        let mut name = std::mem::take(&mut self.scratch);
        name.clear();
        name.push_str("_:");
        name.push_str(label);
        let node = self.node(&name);
        self.scratch = name;
        node
    }

    fn take_type(&mut self, subject: u32, object: TermRef<'_>) {
        let class = match object {
            TermRef::NamedNode(node) => self.node(node.as_str()),
            TermRef::BlankNode(node) => self.blank(node.as_str()),
            TermRef::Literal(_) => {
                *self.ignored.entry(Word::Type.number()).or_default() += 1;
                return;
            }
        };
        match Word::of(class) {
            None if Namespace::of(self.nodes.get(class)).is_some() => {
                *self.ignored.entry(class).or_default() += 1;
            }
            None => self.types.push([subject, class]),
            Some(word) => {
                let (marks, used) = declared(word);
                self.marks[subject as usize] |= marks;
                if !used {
                    *self.ignored.entry(class).or_default() += 1;
                }
            }
        }
    }

    fn take_fact(&mut self, subject: u32, word: Word, object: TermRef<'_>) {
        let object = match object {
            TermRef::NamedNode(node) => Object::Node(self.node(node.as_str())),
            TermRef::BlankNode(node) => Object::Node(self.blank(node.as_str())),
            TermRef::Literal(literal) => Object::Literal(
                self.literals.add(literal.value()),
                datatype(literal.datatype().as_str()),
            ),
        };
        self.facts.push(Fact { subject, word, object });
    }

    fn take_assertion(&mut self, subject: u32, predicate: u32, object: TermRef<'_>) {
        let nodes = &self.nodes;
        let relations = &mut self.relations;
        let index = *self.indices.entry(predicate).or_insert_with(|| {
            Namespace::of(nodes.get(predicate)).is_none().then(|| {
                relations.push(StatedRelation { property: predicate, ..StatedRelation::default() });
                relations.len() - 1
            })
        });
        let Some(index) = index else {
            *self.ignored.entry(predicate).or_default() += 1;
            return;
        };
        let object = match object {
            TermRef::NamedNode(node) => self.node(node.as_str()),
            TermRef::BlankNode(node) => self.blank(node.as_str()),
            TermRef::Literal(literal) => {
                let text = self.texts.add(literal.value());
                let datatype = datatype(literal.datatype().as_str());
                self.relations[index].data.push(Datum { subject, text, datatype });
                return;
            }
        };
        self.relations[index].links.push([subject, object]);
    }

    /// Whether a name is a blank node.
    pub(super) fn is_blank(&self, node: u32) -> bool {
        self.nodes.get(node).starts_with("_:")
    }
}

/// Whether a word is an annotation.
fn is_annotation(word: Word) -> bool {
    use Word::*;
    matches!(
        word,
        Label
            | Comment
            | SeeAlso
            | IsDefinedBy
            | VersionInfo
            | VersionIri
            | PriorVersion
            | BackwardCompatibleWith
            | IncompatibleWith
            | Deprecated
    )
}

/// Returns the marks of a name that is declared as one of these, and whether the declaration is
/// fully supported.
fn declared(word: Word) -> (u16, bool) {
    use Word::*;
    match word {
        Class | RdfsClass | DeprecatedClass => (mark::CLASS, true),
        Restriction | List => (mark::ASIDE, true),
        DataRange | Datatype => (mark::DATATYPE, true),
        ObjectProperty => (mark::ROLE, true),
        DatatypeProperty => (mark::PROPERTY, true),
        AnnotationProperty | OntologyProperty => (mark::ANNOTATION, true),
        Property | DeprecatedProperty => (mark::ANY_PROPERTY, true),
        SymmetricProperty => (mark::ROLE | mark::SYMMETRIC, true),
        TransitiveProperty => (mark::ROLE | mark::TRANSITIVE, true),
        ReflexiveProperty => (mark::ROLE | mark::REFLEXIVE, true),
        FunctionalProperty => (mark::ANY_PROPERTY | mark::FUNCTIONAL, true),
        // OWL 1 also allows inverse functional data properties.
        InverseFunctionalProperty => (mark::ANY_PROPERTY, false),
        AsymmetricProperty | IrreflexiveProperty => (mark::ROLE, false),
        NamedIndividual | Thing | Resource => (mark::INDIVIDUAL, true),
        Ontology => (mark::HEADER, true),
        AllDisjointClasses => (mark::ASIDE | mark::ALL_DISJOINT, true),
        // Different names are always different individuals.
        AllDifferent => (mark::ASIDE, true),
        AllDisjointProperties | Axiom | Annotation | Statement | NegativePropertyAssertion => {
            (mark::ASIDE, false)
        }
        _ => (0, false),
    }
}
