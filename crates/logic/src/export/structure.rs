//! The structure of OWL 2 expressions, which functional syntax and OWL/XML print.

use super::graph::{Graph, RdfNode, Statements, full};

/// An expression of the structural specification.
#[derive(Clone, Debug)]
pub(super) enum Structure {
    /// A named entity: its kind, such as `Class`, and its IRI or the label of a blank node.
    Entity(&'static str, String),
    /// A constructor with its operands.
    Of(&'static str, Vec<Structure>),
    /// A restriction to a number of fillers.
    Count(&'static str, String, Vec<Structure>),
    Literal {
        text: String,
        /// An IRI; empty for a plain text.
        datatype: String,
        language: String,
    },
    /// A bound of a datatype: the IRI of the facet, and a literal.
    Facet(String, Box<Structure>),
}

/// Returns the definition of a graph as a structure.
pub(super) fn definition(graph: &Graph) -> Option<Structure> {
    let properties = graph.declarations.iter();
    let properties = properties.filter(|(kind, ..)| kind == "owl:DatatypeProperty");
    let reader = Reader { properties: properties.map(|(_, name, _)| name.as_str()).collect() };
    graph.definition.as_ref().map(|definition| reader.class(definition))
}

/// The kind of a declared entity.
pub(super) fn kind(declared: &str) -> &'static str {
    match declared {
        "owl:Class" => "Class",
        "owl:ObjectProperty" => "ObjectProperty",
        "owl:DatatypeProperty" => "DataProperty",
        _ => "NamedIndividual",
    }
}

struct Reader<'g> {
    /// The data properties.
    properties: Vec<&'g str>,
}

impl Reader<'_> {
    fn class(&self, node: &RdfNode) -> Structure {
        let (RdfNode::Block(statements) | RdfNode::Inline(statements)) = node else {
            return Structure::Entity("Class", name(node));
        };
        let each = |node: &RdfNode| members(node).iter().map(|one| self.class(one)).collect();
        if let Some(property) = find(statements, "owl:onProperty") {
            return self.restriction(property, statements);
        }
        let (word, object) = last(statements);
        match word {
            "owl:complementOf" => Structure::Of("ObjectComplementOf", vec![self.class(object)]),
            "owl:unionOf" => Structure::Of("ObjectUnionOf", each(object)),
            "owl:oneOf" => {
                let individuals = members(object).iter().map(individual).collect();
                Structure::Of("ObjectOneOf", individuals)
            }
            _ => Structure::Of("ObjectIntersectionOf", each(object)),
        }
    }

    fn restriction(&self, property: &RdfNode, statements: &Statements) -> Structure {
        let inverse = match property {
            RdfNode::Inline(of) => Some(name(last(of).1)),
            _ => None,
        };
        let values = self.properties.contains(&name(property).as_str());
        let property = match inverse {
            Some(of) => {
                Structure::Of("ObjectInverseOf", vec![Structure::Entity("ObjectProperty", of)])
            }
            None if values => Structure::Entity("DataProperty", name(property)),
            None => Structure::Entity("ObjectProperty", name(property)),
        };
        let filler = |node| if values { range(node) } else { self.class(node) };
        for (word, words) in FILLERS {
            if let Some(node) = find(statements, word) {
                return Structure::Of(words[usize::from(values)], vec![property, filler(node)]);
            }
        }
        if let Some(one) = find(statements, "owl:hasValue") {
            return match values {
                true => Structure::Of("DataHasValue", vec![property, literal(one)]),
                false => Structure::Of("ObjectHasValue", vec![property, individual(one)]),
            };
        }
        let on = find(statements, "owl:onClass").or_else(|| find(statements, "owl:onDataRange"));
        let operands = [Some(property), on.map(filler)].into_iter().flatten().collect();
        let counted = |(words, names): &([&str; 2], [&'static str; 2])| {
            let count = words.iter().find_map(|word| find(statements, word))?;
            Some((names[usize::from(values)], count))
        };
        match COUNTS.iter().find_map(counted) {
            Some((name, RdfNode::Literal { text, .. })) => {
                Structure::Count(name, text.clone(), operands)
            }
            _ => unreachable!("a restriction has a filler, a value or a number"),
        }
    }
}

/// The restrictions with a filler: for object properties and for data properties.
const FILLERS: [(&str, [&str; 2]); 2] = [
    ("owl:someValuesFrom", ["ObjectSomeValuesFrom", "DataSomeValuesFrom"]),
    ("owl:allValuesFrom", ["ObjectAllValuesFrom", "DataAllValuesFrom"]),
];

/// The restrictions to a number, without and with a filler.
const COUNTS: [([&str; 2], [&str; 2]); 3] = [
    (
        ["owl:minCardinality", "owl:minQualifiedCardinality"],
        ["ObjectMinCardinality", "DataMinCardinality"],
    ),
    (
        ["owl:maxCardinality", "owl:maxQualifiedCardinality"],
        ["ObjectMaxCardinality", "DataMaxCardinality"],
    ),
    (
        ["owl:cardinality", "owl:qualifiedCardinality"],
        ["ObjectExactCardinality", "DataExactCardinality"],
    ),
];

fn range(node: &RdfNode) -> Structure {
    let RdfNode::Block(statements) = node else { return Structure::Entity("Datatype", name(node)) };
    let each = |node: &RdfNode| members(node).iter().map(range).collect();
    if let Some(datatype) = find(statements, "owl:onDatatype") {
        let mut operands = vec![Structure::Entity("Datatype", name(datatype))];
        let facets = find(statements, "owl:withRestrictions").map(members).unwrap_or_default();
        operands.extend(facets.iter().map(facet));
        return Structure::Of("DatatypeRestriction", operands);
    }
    let (word, object) = last(statements);
    match word {
        "owl:oneOf" => Structure::Of("DataOneOf", members(object).iter().map(literal).collect()),
        "owl:datatypeComplementOf" => Structure::Of("DataComplementOf", vec![range(object)]),
        "owl:unionOf" => Structure::Of("DataUnionOf", each(object)),
        _ => Structure::Of("DataIntersectionOf", each(object)),
    }
}

fn facet(node: &RdfNode) -> Structure {
    match node {
        RdfNode::Inline(statements) | RdfNode::Block(statements) => {
            let (word, bound) = last(statements);
            Structure::Facet(full(word), Box::new(literal(bound)))
        }
        other => literal(other),
    }
}

fn individual(node: &RdfNode) -> Structure {
    match node {
        RdfNode::Literal { .. } => literal(node),
        _ => Structure::Entity("NamedIndividual", name(node)),
    }
}

fn literal(node: &RdfNode) -> Structure {
    match node {
        RdfNode::Literal { text, datatype, language } => Structure::Literal {
            text: text.clone(),
            datatype: if datatype.is_empty() { String::new() } else { full(datatype) },
            language: language.clone(),
        },
        other => Structure::Entity("NamedIndividual", name(other)),
    }
}

/// The IRI of a node with a name.
fn name(node: &RdfNode) -> String {
    match node {
        RdfNode::Iri(name) | RdfNode::Name(name) => full(name),
        _ => String::new(),
    }
}

fn members(node: &RdfNode) -> &[RdfNode] {
    match node {
        RdfNode::List(members) | RdfNode::Row(members) => members,
        _ => &[],
    }
}

fn find<'n>(statements: &'n Statements, word: &str) -> Option<&'n RdfNode> {
    statements.iter().find(|(other, _)| *other == word).map(|(_, object)| object)
}

/// The last statement, which has the content of an expression; the first one is its type.
fn last(statements: &Statements) -> (&'static str, &RdfNode) {
    let (word, object) = statements.last().expect("an expression has a statement");
    (*word, object)
}
