//! Writes axioms in functional syntax and OWL/XML, which have the same structure.

use super::axioms::*;

enum Tree {
    Node(&'static str, Vec<Tree>),
    /// The kind and the name.
    Name(&'static str, String),
    Literal(Literal),
    Number(u32),
    Facet(&'static str, Literal),
}
use Tree::{Name, Node};

/// Returns the facet of a comparison.
pub(super) fn facet(sign: &str) -> &'static str {
    match sign {
        ">=" => "minInclusive",
        ">" => "minExclusive",
        "<=" => "maxInclusive",
        _ => "maxExclusive",
    }
}

pub(super) fn functional(axioms: &[Axiom]) -> String {
    let mut text = "Prefix(:=<http://e/#>)\nPrefix(xsd:=<http://www.w3.org/2001/XMLSchema#>)\n\
        # A comment (\nOntology(<http://e/>\n"
        .to_owned();
    for tree in trees(axioms) {
        text.push_str(&functional_of(&tree));
        text.push('\n');
    }
    text + ")\n"
}

fn functional_of(tree: &Tree) -> String {
    match tree {
        Node(name, parts) => {
            let parts: Vec<String> = parts.iter().map(functional_of).collect();
            format!("{name}({})", parts.join(" "))
        }
        Name(_, name) => name.clone(),
        Tree::Literal(Literal(text, datatype)) => {
            let text = text.replace('\\', "\\\\").replace('"', "\\\"");
            match *datatype {
                "" => format!("\"{text}\""),
                "en" => format!("\"{text}\"@en"),
                datatype => format!("\"{text}\"^^xsd:{datatype}"),
            }
        }
        Tree::Number(number) => number.to_string(),
        Tree::Facet(name, value) => {
            format!("xsd:{name} {}", functional_of(&Tree::Literal(value.clone())))
        }
    }
}

pub(super) fn xml(axioms: &[Axiom]) -> String {
    let mut text = "<?xml version=\"1.0\"?>\n\
        <!DOCTYPE Ontology [ <!ENTITY x 'http://www.w3.org/2001/XMLSchema#'> ]>\n\
        <Ontology xmlns=\"http://www.w3.org/2002/07/owl#\" xml:base=\"http://e/\"\n\
        ontologyIRI=\"http://e/\">\n\
        <Prefix name=\"\" IRI=\"http://e/#\"/><Prefix name=\"xsd\" IRI=\"&x;\"/>\n"
        .to_owned();
    for tree in trees(axioms) {
        text.push_str(&xml_of(&tree));
        text.push('\n');
    }
    text + "</Ontology>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

fn xml_of(tree: &Tree) -> String {
    match tree {
        Node(name, parts) => {
            let count = match parts.first() {
                Some(Tree::Number(number)) => format!(" cardinality=\"{number}\""),
                _ => String::new(),
            };
            let parts: Vec<String> = parts.iter().map(xml_of).collect();
            let declares =
                matches!(*name, "Class" | "ObjectProperty" | "DataProperty" | "NamedIndividual");
            if declares {
                parts.concat()
            } else {
                format!("<{name}{count}>{}</{name}>", parts.concat())
            }
        }
        Name("Anonymous", name) => format!("<AnonymousIndividual nodeID=\"{name}\"/>"),
        Name("IRI", name) => format!("<IRI>{}</IRI>", name.replace(':', "#")),
        // Both forms of a name.
        Name(kind, name) if name.len() % 2 == 0 && name.starts_with(':') => {
            format!("<{kind} IRI=\"{}\"/>", name.replace(':', "#"))
        }
        Name(kind, name) => format!("<{kind} abbreviatedIRI=\"{name}\"/>"),
        Tree::Literal(Literal(text, "")) => format!("<Literal>{}</Literal>", escaped(text)),
        Tree::Literal(Literal(text, "en")) => {
            format!("<Literal xml:lang=\"en\">{}</Literal>", escaped(text))
        }
        Tree::Literal(Literal(text, datatype)) => {
            format!("<Literal datatypeIRI=\"&x;{datatype}\">{}</Literal>", escaped(text))
        }
        Tree::Number(_) => String::new(),
        Tree::Facet(name, value) => format!(
            "<FacetRestriction facet=\"&x;{name}\">{}</FacetRestriction>",
            xml_of(&Tree::Literal(value.clone()))
        ),
    }
}

fn trees(axioms: &[Axiom]) -> Vec<Tree> {
    let kinds: [(&'static [&'static str], &'static str); 4] = [
        (&CLASSES, "Class"),
        (&ROLES, "ObjectProperty"),
        (&PROPERTIES, "DataProperty"),
        (&INDIVIDUALS, "NamedIndividual"),
    ];
    let mut trees = Vec::new();
    for (names, kind) in kinds {
        for name in names {
            trees.push(Node("Declaration", vec![Node(kind, vec![named(kind, name)])]));
        }
    }
    trees.extend(axioms.iter().map(tree));
    trees
}

fn named(kind: &'static str, name: &str) -> Tree {
    Name(kind, format!(":{name}"))
}

fn class_name(name: &str) -> Tree {
    named("Class", name)
}

fn role_name(name: &str) -> Tree {
    named("ObjectProperty", name)
}

fn property_name(name: &str) -> Tree {
    named("DataProperty", name)
}

fn individual(name: &str) -> Tree {
    if name == ANONYMOUS {
        Name("Anonymous", name.to_owned())
    } else {
        named("NamedIndividual", name)
    }
}

fn tree(axiom: &Axiom) -> Tree {
    match axiom {
        Axiom::SubClass(one, part) => Node("SubClassOf", vec![class_name(one), class(part)]),
        Axiom::Equivalent(one, part) => {
            Node("EquivalentClasses", vec![class_name(one), class(part)])
        }
        Axiom::Disjoint(names) => {
            Node("DisjointClasses", names.iter().map(|name| class_name(name)).collect())
        }
        Axiom::DisjointUnion(one, names) => {
            let names = std::iter::once(one).chain(names);
            Node("DisjointUnion", names.map(|name| class_name(name)).collect())
        }
        Axiom::SubRole(one, other) => {
            Node("SubObjectPropertyOf", vec![role_name(one), role_name(other)])
        }
        Axiom::Chain(steps, whole) => {
            let chain = Node("ObjectPropertyChain", steps.iter().map(role).collect());
            Node("SubObjectPropertyOf", vec![chain, role_name(whole)])
        }
        Axiom::Inverse(one, other) => {
            Node("InverseObjectProperties", vec![role_name(one), role_name(other)])
        }
        Axiom::Characteristic(kind, one) => {
            let kind = match *kind {
                "Transitive" => "TransitiveObjectProperty",
                "Symmetric" => "SymmetricObjectProperty",
                "Functional" => "FunctionalObjectProperty",
                "Reflexive" => "ReflexiveObjectProperty",
                _ => "AsymmetricObjectProperty",
            };
            Node(kind, vec![role_name(one)])
        }
        Axiom::Domain(one, part) => Node("ObjectPropertyDomain", vec![role_name(one), class(part)]),
        Axiom::Range(one, part) => Node("ObjectPropertyRange", vec![role_name(one), class(part)]),
        Axiom::SubProperty(one, other) => {
            Node("SubDataPropertyOf", vec![property_name(one), property_name(other)])
        }
        Axiom::PropertyDomain(one, part) => {
            Node("DataPropertyDomain", vec![property_name(one), class(part)])
        }
        Axiom::PropertyRange(one, part) => {
            Node("DataPropertyRange", vec![property_name(one), range(part)])
        }
        Axiom::Member(one, part) => Node("ClassAssertion", vec![class(part), individual(one)]),
        Axiom::Related(one, subject, object) => Node(
            "ObjectPropertyAssertion",
            vec![role_name(one), individual(subject), individual(object)],
        ),
        Axiom::Valued(one, subject, value) => Node(
            "DataPropertyAssertion",
            vec![property_name(one), individual(subject), Tree::Literal(value.clone())],
        ),
        Axiom::Same(one, other) => Node("SameIndividual", vec![individual(one), individual(other)]),
        Axiom::Different(names) => {
            Node("DifferentIndividuals", names.iter().map(|name| individual(name)).collect())
        }
        Axiom::Label(one, text) => Node(
            "AnnotationAssertion",
            vec![
                Name("AnnotationProperty", "rdfs:label".to_owned()),
                Name("IRI", format!(":{one}")),
                Tree::Literal(Literal(text, "en")),
            ],
        ),
    }
}

fn role(role: &Role) -> Tree {
    let name = role_name(role.name);
    if role.inverse { Node("ObjectInverseOf", vec![name]) } else { name }
}

fn counted(names: [&'static str; 3], word: &str, number: u32, mut parts: Vec<Tree>) -> Tree {
    let name = match word {
        "min" => names[0],
        "max" => names[1],
        _ => names[2],
    };
    parts.insert(0, Tree::Number(number));
    Node(name, parts)
}

fn class(part: &Class) -> Tree {
    match part {
        Class::Name(name) => class_name(name),
        Class::And(parts) => Node("ObjectIntersectionOf", parts.iter().map(class).collect()),
        Class::Or(parts) => Node("ObjectUnionOf", parts.iter().map(class).collect()),
        Class::Not(part) => Node("ObjectComplementOf", vec![class(part)]),
        Class::OneOf(names) => {
            Node("ObjectOneOf", names.iter().map(|name| individual(name)).collect())
        }
        Class::Some(one, part) => Node("ObjectSomeValuesFrom", vec![role(one), class(part)]),
        Class::Only(one, part) => Node("ObjectAllValuesFrom", vec![role(one), class(part)]),
        Class::Value(one, other) => Node("ObjectHasValue", vec![role(one), individual(other)]),
        Class::Itself(one) => Node("ObjectHasSelf", vec![role(one)]),
        Class::Count(word, number, one, part) => {
            let parts = std::iter::once(role(one)).chain(part.as_ref().map(|part| class(part)));
            let names = ["ObjectMinCardinality", "ObjectMaxCardinality", "ObjectExactCardinality"];
            counted(names, word, *number, parts.collect())
        }
        Class::DataSome(one, part) => {
            Node("DataSomeValuesFrom", vec![property_name(one), range(part)])
        }
        Class::DataOnly(one, part) => {
            Node("DataAllValuesFrom", vec![property_name(one), range(part)])
        }
        Class::DataValue(one, value) => {
            Node("DataHasValue", vec![property_name(one), Tree::Literal(value.clone())])
        }
        Class::DataCount(word, number, one, part) => {
            let parts = std::iter::once(property_name(one)).chain(part.as_ref().map(range));
            let names = ["DataMinCardinality", "DataMaxCardinality", "DataExactCardinality"];
            counted(names, word, *number, parts.collect())
        }
    }
}

fn range(part: &Range) -> Tree {
    let datatype = |name: &str| Name("Datatype", format!("xsd:{name}"));
    match part {
        Range::Name(name) => datatype(name),
        Range::Facets(name, facets) => {
            let facets = facets.iter().map(|(sign, bound)| {
                let bound: &'static str = Box::leak(bound.to_string().into_boxed_str());
                Tree::Facet(facet(sign), Literal(bound, name))
            });
            Node("DatatypeRestriction", std::iter::once(datatype(name)).chain(facets).collect())
        }
        Range::OneOf(values) => {
            Node("DataOneOf", values.iter().cloned().map(Tree::Literal).collect())
        }
        Range::Not(part) => Node("DataComplementOf", vec![range(part)]),
        Range::Or(parts) => Node("DataUnionOf", parts.iter().map(range).collect()),
    }
}
