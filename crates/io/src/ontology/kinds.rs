//! Infers the kind of each name from declarations or else from its use.

use pellucid_data::{Message, message};
use rustc_hash::FxHashSet;

use super::collect::{Fact, Object, StatementCollector, mark};
use super::facts::Facts;
use super::vocabulary::{Namespace, Word, short};

/// The maximum number of passes over undeclared properties.
const ROUNDS: usize = 16;

/// Whether a name is a datatype, of XML Schema or of the file.
pub(super) fn is_datatype(collector: &StatementCollector, node: u32) -> bool {
    match Word::of(node) {
        Some(word) => {
            use Word::*;
            matches!(word, Literal | PlainLiteral | LangString | XmlLiteral)
        }
        None => {
            let iri = collector.nodes.get(node);
            let known = matches!(
                Namespace::of(iri),
                Some((Namespace::Xsd, _) | (Namespace::Owl, "real" | "rational"))
            );
            known || collector.marks[node as usize] & mark::DATATYPE != 0
        }
    }
}

/// Marks every name with its kind, and removes assertions that are not about individuals.
pub(super) fn infer(collector: &mut StatementCollector, facts: &Facts, notes: &mut Vec<Message>) {
    let mut inference = KindInference { collector, facts };
    inference.expressions();
    inference.types();
    inference.relations(notes);
    inference.properties();
}

struct KindInference<'a> {
    collector: &'a mut StatementCollector,
    facts: &'a Facts,
}

impl KindInference<'_> {
    fn has(&self, node: u32, marks: u16) -> bool {
        self.collector.marks[node as usize] & marks != 0
    }

    /// Marks a name of the file; the vocabulary of OWL has fixed meanings.
    fn mark(&mut self, node: u32, marks: u16) {
        if node >= Word::COUNT {
            self.collector.marks[node as usize] |= marks;
        }
    }

    /// Marks a name that is used as a class.
    fn class(&mut self, node: u32) {
        let kind = if self.collector.is_blank(node) { mark::ASIDE } else { mark::CLASS };
        if !is_datatype(self.collector, node) {
            self.mark(node, kind);
        }
    }

    /// Marks a name that is used as a property.
    fn property(&mut self, node: u32, kind: u16) {
        let kind = if self.collector.is_blank(node) { mark::ASIDE } else { kind };
        self.mark(node, kind);
    }

    /// Marks the subjects and objects of statements about classes and properties.
    fn expressions(&mut self) {
        let facts = self.facts;
        for fact in facts.all() {
            if matches!(
                fact.word,
                Word::OnDatatype | Word::WithRestrictions | Word::DatatypeComplementOf
            ) {
                self.mark(fact.subject, mark::DATATYPE | mark::ASIDE);
            }
        }
        let mut walked = FxHashSet::default();
        for &Fact { subject, word, object } in facts.all() {
            if self.concerns_literals(word, object) {
                self.mark(subject, mark::ABOUT_LITERALS);
            }
            let node = match object {
                Object::Node(node) => Some(node),
                Object::Literal(..) => None,
            };
            use Word::*;
            match word {
                SubClassOf | EquivalentClass | DisjointWith | ComplementOf => {
                    self.class(subject);
                    node.into_iter().for_each(|node| self.class(node));
                }
                IntersectionOf | UnionOf | DisjointUnionOf => self.class(subject),
                OneOf => {
                    self.class(subject);
                    node.into_iter().for_each(|node| self.members(node, &mut walked));
                }
                OnProperty => {
                    self.mark(subject, mark::ASIDE);
                    node.into_iter().for_each(|node| self.property(node, mark::ANY_PROPERTY));
                }
                HasValue => node.into_iter().for_each(|node| self.mark(node, mark::INDIVIDUAL)),
                SomeValuesFrom | AllValuesFrom | OnClass => {
                    node.into_iter().for_each(|node| self.class(node));
                }
                InverseOf => {
                    self.property(subject, mark::ROLE);
                    node.into_iter().for_each(|node| self.property(node, mark::ROLE));
                }
                PropertyChainAxiom => self.property(subject, mark::ROLE),
                SubPropertyOf | EquivalentProperty => {
                    self.property(subject, mark::ANY_PROPERTY);
                    node.into_iter().for_each(|node| self.property(node, mark::ANY_PROPERTY));
                }
                Domain => {
                    self.property(subject, mark::ANY_PROPERTY);
                    node.into_iter().for_each(|node| self.class(node));
                }
                Range => {
                    self.property(subject, mark::ANY_PROPERTY);
                    node.into_iter().for_each(|node| self.class(node));
                }
                Imports => self.mark(subject, mark::HEADER),
                SameAs => {
                    for node in [Some(subject), node].into_iter().flatten() {
                        if !self.has(node, mark::SCHEMA) {
                            self.mark(node, mark::INDIVIDUAL);
                        }
                    }
                }
                First | Rest | Members | DistinctMembers | MinInclusive | MinExclusive
                | MaxInclusive | MaxExclusive => self.mark(subject, mark::ASIDE),
                _ => {}
            }
        }
    }

    /// Marks the members of classes as individuals.
    fn types(&mut self) {
        for at in 0..self.collector.types.len() {
            let [subject, class] = self.collector.types[at];
            self.class(class);
            if !self.has(subject, mark::HEADER | mark::ASIDE) {
                self.mark(subject, mark::INDIVIDUAL);
            }
        }
    }

    /// Removes annotations, and distinguishes object properties from data properties by their use.
    fn relations(&mut self, notes: &mut Vec<Message>) {
        let mut relations = std::mem::take(&mut self.collector.relations);
        for relation in &mut relations {
            let property = relation.property;
            let declared = self.has(property, mark::ROLE | mark::PROPERTY);
            let annotates = !declared && self.has(property, mark::ANNOTATION);
            // An undeclared property of a class is an annotation.
            let others = mark::HEADER | mark::ASIDE;
            let others = if declared { others } else { others | mark::SCHEMA };
            let marks = &self.collector.marks;
            let kept = |subject: u32| {
                let found = marks[subject as usize];
                subject >= Word::COUNT
                    && !annotates
                    && (found & others == 0 || found & mark::INDIVIDUAL != 0)
            };
            let before = relation.links.len() + relation.data.len();
            relation.links.retain(|&[subject, object]| kept(subject) && object >= Word::COUNT);
            relation.data.retain(|datum| kept(datum.subject));
            let dropped = before - relation.links.len() - relation.data.len();
            if dropped > 0 {
                *self.collector.ignored.entry(property).or_default() += dropped as u64;
            }
            for &[subject, object] in &relation.links {
                self.mark(subject, mark::INDIVIDUAL);
                self.mark(object, mark::INDIVIDUAL);
            }
            relation.data.iter().for_each(|datum| self.mark(datum.subject, mark::INDIVIDUAL));
            self.use_of(property, relation.links.len(), relation.data.len(), notes);
        }
        self.collector.relations = relations;
    }

    fn use_of(&mut self, property: u32, links: usize, data: usize, notes: &mut Vec<Message>) {
        let name = short(self.collector.nodes.get(property));
        let declared = self.collector.marks[property as usize] & (mark::ROLE | mark::PROPERTY);
        if links > 0 && data > 0 {
            notes.push(message!(
                "read {name} as an object property and a data property, because it has {links} individuals \
                 and {data} literals as objects"
            ));
        } else if links > 0 && declared == mark::PROPERTY {
            notes.push(message!(
                "read {name} also as an object property: it is declared as a data property, but has \
                 individuals as objects"
            ));
        } else if data > 0 && declared == mark::ROLE {
            notes.push(message!(
                "read {name} also as a data property: it is declared as an object property, but has \
                 literals as objects"
            ));
        }
        if links > 0 {
            self.mark(property, mark::ROLE);
        }
        if data > 0 {
            self.mark(property, mark::PROPERTY);
        }
    }

    /// Infers the kinds of properties without assertions from their ranges, restrictions and
    /// related properties.
    fn properties(&mut self) {
        const KINDS: u16 = mark::ROLE | mark::PROPERTY | mark::ANNOTATION;
        let facts = self.facts;
        for _ in 0..ROUNDS {
            let mut changed = false;
            for &Fact { subject, word, object } in facts.all() {
                let Object::Node(node) = object else { continue };
                let (one, other) = match word {
                    Word::Range | Word::SubPropertyOf | Word::EquivalentProperty => (subject, node),
                    Word::OnProperty => (node, subject),
                    _ => continue,
                };
                let mut learn = |inference: &mut Self, node: u32, kinds: u16| {
                    if node >= Word::COUNT && !inference.has(node, KINDS) && kinds != 0 {
                        inference.property(node, kinds);
                        changed |= inference.has(node, KINDS);
                    }
                };
                match word {
                    Word::Range if is_datatype(self.collector, other) => {
                        learn(self, one, mark::PROPERTY);
                    }
                    Word::Range => learn(self, one, mark::ROLE),
                    Word::OnProperty => {
                        let literal = self.has(other, mark::ABOUT_LITERALS);
                        learn(self, one, if literal { mark::PROPERTY } else { 0 });
                    }
                    _ => {
                        let kinds = self.collector.marks[other as usize] & KINDS;
                        learn(self, one, kinds);
                        let kinds = self.collector.marks[one as usize] & KINDS;
                        learn(self, other, kinds);
                    }
                }
            }
            if !changed {
                break;
            }
        }
        for marks in &mut self.collector.marks {
            if *marks & mark::ANY_PROPERTY != 0 && *marks & KINDS == 0 {
                *marks |= mark::ROLE;
            }
        }
    }

    /// Whether a part of a restriction is about literals.
    fn concerns_literals(&self, word: Word, object: Object) -> bool {
        match (word, object) {
            (Word::OnDataRange, _) | (Word::HasValue, Object::Literal(..)) => true,
            (Word::SomeValuesFrom | Word::AllValuesFrom, Object::Node(filler)) => {
                is_datatype(self.collector, filler)
            }
            _ => false,
        }
    }

    /// Marks the members of an enumeration as individuals. Lists may share their ends, so each node
    /// is visited once.
    fn members(&mut self, list: u32, walked: &mut FxHashSet<u32>) {
        let mut node = Some(list);
        while let Some(list) = node.filter(|&list| walked.insert(list)) {
            if let Some(member) = self.facts.node(list, Word::First) {
                self.mark(member, mark::INDIVIDUAL);
            }
            node = self.facts.node(list, Word::Rest);
        }
    }
}
