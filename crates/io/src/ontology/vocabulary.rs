//! The vocabulary of RDF, RDFS, OWL and XML Schema.
//!
//! These words have the first numbers of every file, so that they are recognized by number, without
//! comparing text.

use pellucid_data::Register;

/// A namespace of the vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Namespace {
    Rdf,
    Rdfs,
    Owl,
    Xsd,
    /// Rules.
    Swrl,
}

impl Namespace {
    const ALL: [Namespace; 5] =
        [Namespace::Rdf, Namespace::Rdfs, Namespace::Owl, Namespace::Xsd, Namespace::Swrl];

    pub(super) fn iri(self) -> &'static str {
        match self {
            Namespace::Rdf => "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
            Namespace::Rdfs => "http://www.w3.org/2000/01/rdf-schema#",
            Namespace::Owl => "http://www.w3.org/2002/07/owl#",
            Namespace::Xsd => "http://www.w3.org/2001/XMLSchema#",
            Namespace::Swrl => "http://www.w3.org/2003/11/swrl#",
        }
    }

    pub(super) const fn all() -> &'static [Namespace] {
        &Namespace::ALL
    }

    pub(super) fn prefix(self) -> &'static str {
        match self {
            Namespace::Rdf => "rdf",
            Namespace::Rdfs => "rdfs",
            Namespace::Owl => "owl",
            Namespace::Xsd => "xsd",
            Namespace::Swrl => "swrl",
        }
    }

    /// Returns the namespace of an IRI, and its local name.
    pub(super) fn of(iri: &str) -> Option<(Namespace, &str)> {
        Namespace::ALL
            .iter()
            .find_map(|&namespace| Some((namespace, iri.strip_prefix(namespace.iri())?)))
    }
}

/// Returns the short form of an IRI, such as `rdfs:label`; other IRIs stay as they are.
pub(super) fn short(iri: &str) -> String {
    match Namespace::of(iri) {
        Some((namespace, local)) => format!("{}:{local}", namespace.prefix()),
        None => iri.to_owned(),
    }
}

macro_rules! words {
    ($($word:ident $namespace:ident $local:literal)*) => {
        /// A word of the vocabulary.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u32)]
        pub(super) enum Word {
            $($word,)*
        }

        impl Word {
            const ALL: &[(Word, Namespace, &str)] = &[$((Word::$word, Namespace::$namespace, $local),)*];
        }
    };
}

words! {
    Type Rdf "type"
    First Rdf "first"
    Rest Rdf "rest"
    Nil Rdf "nil"
    List Rdf "List"
    Property Rdf "Property"
    Statement Rdf "Statement"
    PlainLiteral Rdf "PlainLiteral"
    LangString Rdf "langString"
    XmlLiteral Rdf "XMLLiteral"
    RdfsClass Rdfs "Class"
    Resource Rdfs "Resource"
    Literal Rdfs "Literal"
    Datatype Rdfs "Datatype"
    SubClassOf Rdfs "subClassOf"
    SubPropertyOf Rdfs "subPropertyOf"
    Domain Rdfs "domain"
    Range Rdfs "range"
    Label Rdfs "label"
    Comment Rdfs "comment"
    SeeAlso Rdfs "seeAlso"
    IsDefinedBy Rdfs "isDefinedBy"
    Thing Owl "Thing"
    Nothing Owl "Nothing"
    Class Owl "Class"
    DeprecatedClass Owl "DeprecatedClass"
    Restriction Owl "Restriction"
    DataRange Owl "DataRange"
    ObjectProperty Owl "ObjectProperty"
    DatatypeProperty Owl "DatatypeProperty"
    AnnotationProperty Owl "AnnotationProperty"
    OntologyProperty Owl "OntologyProperty"
    DeprecatedProperty Owl "DeprecatedProperty"
    SymmetricProperty Owl "SymmetricProperty"
    TransitiveProperty Owl "TransitiveProperty"
    ReflexiveProperty Owl "ReflexiveProperty"
    FunctionalProperty Owl "FunctionalProperty"
    InverseFunctionalProperty Owl "InverseFunctionalProperty"
    AsymmetricProperty Owl "AsymmetricProperty"
    IrreflexiveProperty Owl "IrreflexiveProperty"
    NamedIndividual Owl "NamedIndividual"
    Ontology Owl "Ontology"
    AllDisjointClasses Owl "AllDisjointClasses"
    AllDisjointProperties Owl "AllDisjointProperties"
    AllDifferent Owl "AllDifferent"
    Axiom Owl "Axiom"
    Annotation Owl "Annotation"
    NegativePropertyAssertion Owl "NegativePropertyAssertion"
    EquivalentClass Owl "equivalentClass"
    DisjointWith Owl "disjointWith"
    DisjointUnionOf Owl "disjointUnionOf"
    ComplementOf Owl "complementOf"
    DatatypeComplementOf Owl "datatypeComplementOf"
    IntersectionOf Owl "intersectionOf"
    UnionOf Owl "unionOf"
    OneOf Owl "oneOf"
    OnProperty Owl "onProperty"
    SomeValuesFrom Owl "someValuesFrom"
    AllValuesFrom Owl "allValuesFrom"
    HasValue Owl "hasValue"
    HasSelf Owl "hasSelf"
    MinCardinality Owl "minCardinality"
    MaxCardinality Owl "maxCardinality"
    Cardinality Owl "cardinality"
    MinQualifiedCardinality Owl "minQualifiedCardinality"
    MaxQualifiedCardinality Owl "maxQualifiedCardinality"
    QualifiedCardinality Owl "qualifiedCardinality"
    OnClass Owl "onClass"
    OnDataRange Owl "onDataRange"
    OnDatatype Owl "onDatatype"
    WithRestrictions Owl "withRestrictions"
    EquivalentProperty Owl "equivalentProperty"
    InverseOf Owl "inverseOf"
    PropertyChainAxiom Owl "propertyChainAxiom"
    SameAs Owl "sameAs"
    DifferentFrom Owl "differentFrom"
    Members Owl "members"
    DistinctMembers Owl "distinctMembers"
    Imports Owl "imports"
    VersionInfo Owl "versionInfo"
    VersionIri Owl "versionIRI"
    PriorVersion Owl "priorVersion"
    BackwardCompatibleWith Owl "backwardCompatibleWith"
    IncompatibleWith Owl "incompatibleWith"
    Deprecated Owl "deprecated"
    AnnotatedSource Owl "annotatedSource"
    AnnotatedProperty Owl "annotatedProperty"
    AnnotatedTarget Owl "annotatedTarget"
    SourceIndividual Owl "sourceIndividual"
    AssertionProperty Owl "assertionProperty"
    TargetIndividual Owl "targetIndividual"
    TargetValue Owl "targetValue"
    TopObjectProperty Owl "topObjectProperty"
    TopDataProperty Owl "topDataProperty"
    MinInclusive Xsd "minInclusive"
    MinExclusive Xsd "minExclusive"
    MaxInclusive Xsd "maxInclusive"
    MaxExclusive Xsd "maxExclusive"
}

impl Word {
    /// The number of words; names of the file begin at this number.
    #[expect(clippy::cast_possible_truncation, reason = "there are about a hundred")]
    pub(super) const COUNT: u32 = Word::ALL.len() as u32;

    /// Returns the word with a number.
    pub(super) fn of(node: u32) -> Option<Word> {
        Word::ALL.get(node as usize).map(|&(word, _, _)| word)
    }

    /// Returns the number of the word.
    pub(super) fn number(self) -> u32 {
        self as u32
    }

    /// Returns a register that begins with all words.
    pub(super) fn register() -> Register {
        let mut register = Register::default();
        for (_, namespace, local) in Word::ALL {
            register.add(&format!("{}{local}", namespace.iri()));
        }
        register
    }
}

#[cfg(test)]
mod tests {
    use super::{Word, short};

    #[test]
    fn words_are_numbered_in_order() {
        let register = Word::register();
        assert_eq!(register.len(), Word::ALL.len());
        for &(word, namespace, local) in Word::ALL {
            assert_eq!(Word::of(word.number()), Some(word));
            assert_eq!(register.get(word.number()), format!("{}{local}", namespace.iri()));
        }
        assert_eq!(Word::of(Word::COUNT), None);
    }

    #[test]
    fn known_namespaces_are_shortened() {
        assert_eq!(short("http://www.w3.org/2000/01/rdf-schema#label"), "rdfs:label");
        assert_eq!(short("http://example.org/a"), "http://example.org/a");
    }
}
