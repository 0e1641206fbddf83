//! The keywords of frames and sections, which end with a colon.

/// All keywords.
pub(super) const KEYWORDS: &[&str] = &[
    "Annotations:",
    "AnnotationProperty:",
    "Characteristics:",
    "Class:",
    "DataProperty:",
    "Datatype:",
    "DifferentFrom:",
    "DifferentIndividuals:",
    "DisjointClasses:",
    "DisjointProperties:",
    "DisjointUnionOf:",
    "DisjointWith:",
    "Domain:",
    "EquivalentClasses:",
    "EquivalentProperties:",
    "EquivalentTo:",
    "Facts:",
    "HasKey:",
    "Import:",
    "Individual:",
    "InverseOf:",
    "ObjectProperty:",
    "Ontology:",
    "Prefix:",
    "Range:",
    "Rule:",
    "SameAs:",
    "SameIndividual:",
    "SubClassOf:",
    "SubPropertyChain:",
    "SubPropertyOf:",
    "SuperClassOf:",
    "SuperPropertyOf:",
    "Types:",
];

/// Words of class expressions, which are no names.
const RESERVED: [&str; 14] = [
    "and", "or", "not", "that", "some", "only", "value", "min", "max", "exactly", "Self",
    "inverse", "o", "onlysome",
];

pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// Whether a word without a prefix has a meaning of its own.
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}
