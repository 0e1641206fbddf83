//! A small graph of statements, which Turtle and RDF/XML print.

/// The ontology of a learned class.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// The kind, the IRI and the label of everything the class refers to.
    pub(super) declarations: Vec<(String, String, Option<String>)>,
    /// The IRI of the class.
    pub(super) class: String,
    /// What it is equivalent to.
    pub(super) definition: Option<RdfNode>,
}

/// Predicates with a prefix, and objects.
pub(super) type Statements = Vec<(&'static str, RdfNode)>;

/// An object of a statement.
#[derive(Clone, Debug)]
pub(super) enum RdfNode {
    /// An IRI, or a blank node with a label: `_:x`.
    Iri(String),
    /// A name with a prefix.
    Name(String),
    Literal {
        text: String,
        /// A name with a prefix or an IRI; empty for a plain text.
        datatype: String,
        language: String,
    },
    /// A node without a name, one statement per line.
    Block(Statements),
    /// A node without a name on one line.
    Inline(Statements),
    /// A list, one member per line.
    List(Vec<RdfNode>),
    /// A list on one line.
    Row(Vec<RdfNode>),
}

impl RdfNode {
    /// Returns a literal with a datatype.
    pub(super) fn literal(text: String, datatype: &str) -> RdfNode {
        RdfNode::Literal { text, datatype: datatype.to_owned(), language: String::new() }
    }
}

/// The prefixes that are used, and their namespaces.
pub(super) const PREFIXES: [(&str, &str); 4] = [
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
];

/// Returns the IRI of a name with one of the prefixes; others are IRIs.
pub(super) fn full(name: &str) -> String {
    let found = name.split_once(':').and_then(|(prefix, local)| {
        let (_, namespace) = PREFIXES.iter().find(|(known, _)| *known == prefix)?;
        Some(format!("{namespace}{local}"))
    });
    found.unwrap_or_else(|| name.to_owned())
}
