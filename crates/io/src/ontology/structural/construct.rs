//! Constructs: the terms of functional syntax and the elements of OWL/XML.

/// A construct such as `SubClassOf(a b)`.
#[derive(Debug)]
pub(in super::super) struct Construct {
    /// Its constructor, one of [`CONSTRUCTORS`].
    pub(in super::super) name: &'static str,
    pub(in super::super) parts: Vec<Part>,
    /// The byte offset in the file.
    pub(in super::super) at: usize,
}

/// A part of a construct.
#[derive(Debug)]
pub(in super::super) enum Part {
    /// The number of a name or of an anonymous individual.
    Node(u32),
    Literal(Box<Literal>),
    Construct(Box<Construct>),
}

/// A literal, or a cardinality.
#[derive(Debug, Default)]
pub(in super::super) struct Literal {
    pub(in super::super) text: String,
    /// The IRI of the datatype; empty for a plain text.
    pub(in super::super) datatype: String,
    pub(in super::super) language: String,
}

/// All constructors, sorted.
const CONSTRUCTORS: &[&str] = &[
    "Annotation",
    "AnnotationAssertion",
    "AnnotationProperty",
    "AnnotationPropertyDomain",
    "AnnotationPropertyRange",
    "AsymmetricObjectProperty",
    "Body",
    "BuiltInAtom",
    "Class",
    "ClassAssertion",
    "ClassAtom",
    "DLSafeRule",
    "DataAllValuesFrom",
    "DataComplementOf",
    "DataExactCardinality",
    "DataHasValue",
    "DataIntersectionOf",
    "DataMaxCardinality",
    "DataMinCardinality",
    "DataOneOf",
    "DataProperty",
    "DataPropertyAssertion",
    "DataPropertyAtom",
    "DataPropertyDomain",
    "DataPropertyRange",
    "DataRangeAtom",
    "DataSomeValuesFrom",
    "DataUnionOf",
    "Datatype",
    "DatatypeDefinition",
    "DatatypeRestriction",
    "Declaration",
    "DifferentIndividuals",
    "DifferentIndividualsAtom",
    "DisjointClasses",
    "DisjointDataProperties",
    "DisjointObjectProperties",
    "DisjointUnion",
    "EquivalentClasses",
    "EquivalentDataProperties",
    "EquivalentObjectProperties",
    "FacetRestriction",
    "FunctionalDataProperty",
    "FunctionalObjectProperty",
    "HasKey",
    "Head",
    "Import",
    "InverseFunctionalObjectProperty",
    "InverseObjectProperties",
    "IrreflexiveObjectProperty",
    "NamedIndividual",
    "NegativeDataPropertyAssertion",
    "NegativeObjectPropertyAssertion",
    "ObjectAllValuesFrom",
    "ObjectComplementOf",
    "ObjectExactCardinality",
    "ObjectHasSelf",
    "ObjectHasValue",
    "ObjectIntersectionOf",
    "ObjectInverseOf",
    "ObjectMaxCardinality",
    "ObjectMinCardinality",
    "ObjectOneOf",
    "ObjectProperty",
    "ObjectPropertyAssertion",
    "ObjectPropertyAtom",
    "ObjectPropertyChain",
    "ObjectPropertyDomain",
    "ObjectPropertyRange",
    "ObjectSomeValuesFrom",
    "ObjectUnionOf",
    "Ontology",
    "ReflexiveObjectProperty",
    "SameIndividual",
    "SameIndividualAtom",
    "SubAnnotationPropertyOf",
    "SubClassOf",
    "SubDataPropertyOf",
    "SubObjectPropertyOf",
    "SymmetricObjectProperty",
    "TransitiveObjectProperty",
    "Variable",
];

/// Returns the constructor with a name.
pub(in super::super) fn constructor(name: &str) -> Option<&'static str> {
    // Draft versions of OWL 2 had other names for chains.
    let name = match name {
        "SubObjectPropertyChain" | "PropertyChain" => "ObjectPropertyChain",
        "SameIndividuals" => "SameIndividual",
        "Literal" | "Constant" => return None,
        name => name,
    };
    CONSTRUCTORS.binary_search(&name).ok().map(|at| CONSTRUCTORS[at])
}

/// Returns a hint with the most similar of some words: `; did you mean 'SubClassOf'?`.
pub(in super::super) fn similar<'a>(name: &str, words: impl Iterator<Item = &'a str>) -> String {
    const NEAR: f64 = 0.75;
    let near = words.map(|word| (strsim::jaro_winkler(name, word), word));
    match near.max_by(|one, other| one.0.total_cmp(&other.0)) {
        Some((likeness, word)) if likeness >= NEAR => format!("; did you mean '{word}'?"),
        _ => String::new(),
    }
}

impl Construct {
    /// Returns the hint for an unknown constructor.
    pub(in super::super) fn hint(name: &str) -> String {
        similar(name, CONSTRUCTORS.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::{CONSTRUCTORS, constructor};

    #[test]
    fn constructors_are_sorted() {
        assert!(CONSTRUCTORS.is_sorted());
        assert_eq!(constructor("SubClassOf"), Some("SubClassOf"));
        assert_eq!(constructor("Subclassof"), None);
    }
}
