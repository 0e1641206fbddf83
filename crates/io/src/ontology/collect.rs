//! Collects statements in the order of the file: assertions by property, and statements about
//! classes and properties.
//!
//! A file may use a name long before it declares the name. So only the vocabulary of OWL is
//! interpreted here: every name gets a number and a set of [marks](mark), and a statement consists
//! of two or three numbers.

use oxrdf::{NamedOrBlankNodeRef, TermRef, TripleRef};
use pellucid_data::{Datatype, Datum, Register};
use rustc_hash::{FxHashMap, FxHashSet};

use super::literal::datatype;
use super::vocabulary::{Namespace, Word, short};

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

/// A literal before it is stored; without a datatype or a language, it is a plain text.
#[derive(Clone, Copy, Debug)]
pub(super) struct LiteralRef<'a> {
    pub(super) text: &'a str,
    /// The IRI of the datatype.
    pub(super) datatype: &'a str,
    pub(super) language: &'a str,
}

/// The object of a statement before it is stored.
#[derive(Clone, Copy, Debug)]
pub(super) enum Term<'a> {
    Node(u32),
    Literal(LiteralRef<'a>),
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
    /// The datatypes of the data, such as `xsd:decimal`, and `@en` for texts in a language.
    pub(super) datatypes: Vec<String>,
}

impl StatedRelation {
    /// Adds the datatype of a literal. A property has few, and most literals the one before.
    fn add_datatype(&mut self, literal: &LiteralRef<'_>) {
        let is_known = |known: &String| match known.strip_prefix('@') {
            Some(language) => language.eq_ignore_ascii_case(literal.language),
            None => literal.language.is_empty() && is_short_for(known, literal.datatype),
        };
        if self.datatypes.iter().any(is_known) {
            return;
        }
        self.datatypes.push(match (literal.language, literal.datatype) {
            ("", "") => "xsd:string".to_owned(),
            ("", datatype) => short(datatype),
            (language, _) => format!("@{}", language.to_ascii_lowercase()),
        });
    }
}

/// Whether a name is the short form of the IRI of a datatype; plain texts have none.
fn is_short_for(name: &str, iri: &str) -> bool {
    match name.strip_prefix("xsd:") {
        Some(local) if iri.is_empty() => local == "string",
        Some(local) => iri.strip_prefix(Namespace::Xsd.iri()) == Some(local),
        None => name == iri,
    }
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
    /// The labels: the node, the text among the literals, and the language among them.
    pub(super) labels: Vec<[u32; 3]>,
    /// The index of each property among the relations; `None` for a reserved name without a meaning.
    indices: FxHashMap<u32, Option<usize>>,
    scratch: String,
    /// The number of nodes that are not in the file.
    unnamed: u64,
    /// The index of the file, and what its blank nodes begin with.
    file: usize,
    blank_prefix: String,
    /// The imports: the index of the file, and the ontology.
    imports: Vec<(usize, u32)>,
    /// The imports that were read.
    resolved: FxHashSet<u32>,
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
            labels: Vec::new(),
            indices: FxHashMap::default(),
            scratch: String::new(),
            unnamed: 0,
            file: 0,
            blank_prefix: "_:".to_owned(),
            imports: Vec::new(),
            resolved: FxHashSet::default(),
        }
    }
}

impl StatementCollector {
    /// Begins a file. Its blank nodes are different from those of the files before.
    pub(super) fn begin_file(&mut self, file: usize) {
        self.file = file;
        if file == 0 {
            return;
        }
        // Only the first file has labels without a prefix, which could begin like one.
        let taken = |prefix: &str| self.nodes.iter().any(|name| name.starts_with(prefix));
        let mut prefix = format!("_:f{}.", file + 1);
        while file == 1 && taken(&prefix) {
            prefix.insert(2, 'f');
        }
        if file > 1 {
            let known = self.blank_prefix.trim_start_matches("_:");
            let letters = known.chars().take_while(|&letter| letter == 'f').count();
            prefix = format!("_:{}{}.", "f".repeat(letters.max(1)), file + 1);
        }
        self.blank_prefix = prefix;
    }

    /// Returns the imports that no file has as its ontology, with the index of the importing file.
    pub(super) fn open_imports(&self) -> Vec<(usize, u32)> {
        let is_open = |(_, node): &&(usize, u32)| !self.has_import(*node);
        self.imports.iter().filter(is_open).copied().collect()
    }

    /// Records that the file of an import was found.
    pub(super) fn resolve_import(&mut self, import: u32) {
        self.resolved.insert(import);
    }

    /// Whether an import was read.
    pub(super) fn has_import(&self, import: u32) -> bool {
        self.resolved.contains(&import) || self.marks[import as usize] & mark::HEADER != 0
    }

    /// Adds a statement of an RDF file.
    pub(super) fn take(&mut self, triple: TripleRef<'_>) {
        self.statements += 1;
        let predicate = self.name(triple.predicate.as_str());
        let subject = match triple.subject {
            NamedOrBlankNodeRef::NamedNode(node) => self.name(node.as_str()),
            NamedOrBlankNodeRef::BlankNode(node) => self.blank(node.as_str()),
        };
        let object = match triple.object {
            TermRef::NamedNode(node) => Term::Node(self.name(node.as_str())),
            TermRef::BlankNode(node) => Term::Node(self.blank(node.as_str())),
            TermRef::Literal(literal) => Term::Literal(LiteralRef {
                text: literal.value(),
                datatype: literal.datatype().as_str(),
                language: literal.language().unwrap_or_default(),
            }),
        };
        self.state(subject, predicate, object);
    }

    /// Adds a statement whose names have numbers. It does not count as a statement of the file,
    /// because an axiom may consist of several.
    pub(super) fn state(&mut self, subject: u32, predicate: u32, object: Term<'_>) {
        match Word::of(predicate) {
            Some(Word::Type) => self.state_type(subject, object),
            Some(Word::Label) if let Term::Literal(literal) = object => {
                let text = self.literals.add(literal.text);
                let language = self.literals.add(&literal.language.to_ascii_lowercase());
                self.labels.push([subject, text, language]);
            }
            Some(word) if is_annotation(word) => self.ignore(predicate),
            Some(word) => self.state_fact(subject, word, object),
            None => self.state_assertion(subject, predicate, object),
        }
    }

    /// Counts a statement that is not used.
    pub(super) fn ignore(&mut self, name: u32) {
        *self.ignored.entry(name).or_default() += 1;
    }

    /// Adds marks to a name of the file; the vocabulary of OWL has fixed meanings.
    pub(super) fn mark(&mut self, node: u32, marks: u16) {
        if node >= Word::COUNT {
            self.marks[node as usize] |= marks;
        }
    }

    /// Returns the number of an IRI.
    pub(super) fn name(&mut self, iri: &str) -> u32 {
        let node = self.nodes.add(iri);
        if node as usize == self.marks.len() {
            self.marks.push(0);
        }
        node
    }

    /// Returns the number of a blank node.
    pub(super) fn blank(&mut self, label: &str) -> u32 {
        let mut name = std::mem::take(&mut self.scratch);
        name.clear();
        name.push_str(&self.blank_prefix);
        name.push_str(label);
        let node = self.name(&name);
        self.scratch = name;
        node
    }

    /// Returns the number of a new node without a name.
    pub(super) fn fresh(&mut self) -> u32 {
        self.unnamed += 1;
        // No syntax allows a blank in a label.
        let label = format!(" {}", self.unnamed);
        self.blank(&label)
    }

    fn state_type(&mut self, subject: u32, object: Term<'_>) {
        let Term::Node(class) = object else {
            self.ignore(Word::Type.number());
            return;
        };
        match Word::of(class) {
            None if let Some((namespace, local)) = Namespace::of(self.nodes.get(class)) => {
                if namespace != Namespace::Swrl || local == "Imp" {
                    self.ignore(class);
                }
                // A rule counts once, however many variables and atoms it has.
                if namespace == Namespace::Swrl {
                    self.mark(subject, mark::ASIDE);
                }
            }
            None => self.types.push([subject, class]),
            Some(word) => {
                let (marks, used) = declared(word);
                self.marks[subject as usize] |= marks;
                if !used {
                    self.ignore(class);
                }
            }
        }
    }

    fn state_fact(&mut self, subject: u32, word: Word, object: Term<'_>) {
        let object = match object {
            Term::Node(node) => Object::Node(node),
            Term::Literal(literal) => {
                Object::Literal(self.literals.add(literal.text), datatype(literal.datatype))
            }
        };
        if let (Word::Imports, Object::Node(import)) = (word, object) {
            self.imports.push((self.file, import));
        }
        self.facts.push(Fact { subject, word, object });
    }

    fn state_assertion(&mut self, subject: u32, predicate: u32, object: Term<'_>) {
        let nodes = &self.nodes;
        let relations = &mut self.relations;
        let index = *self.indices.entry(predicate).or_insert_with(|| {
            Namespace::of(nodes.get(predicate)).is_none().then(|| {
                relations.push(StatedRelation { property: predicate, ..StatedRelation::default() });
                relations.len() - 1
            })
        });
        let Some(index) = index else {
            if !self.nodes.get(predicate).starts_with(Namespace::Swrl.iri()) {
                self.ignore(predicate);
            }
            return;
        };
        match object {
            Term::Node(object) => self.relations[index].links.push([subject, object]),
            Term::Literal(literal) => {
                let text = self.texts.add(literal.text);
                self.relations[index].add_datatype(&literal);
                let datatype = datatype(literal.datatype);
                self.relations[index].data.push(Datum { subject, text, datatype });
            }
        }
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
