//! Writes axioms in Manchester syntax.

use super::axioms::*;

pub(super) fn document(axioms: &[Axiom]) -> String {
    let mut text = "Prefix: : <http://e/#>\nPrefix: xsd: <http://www.w3.org/2001/XMLSchema#>\n\
        # A comment (\nOntology: <http://e/>\n"
        .to_owned();
    let kinds: [(&[&str], &str); 4] = [
        (&CLASSES, "Class"),
        (&ROLES, "ObjectProperty"),
        (&PROPERTIES, "DataProperty"),
        (&INDIVIDUALS, "Individual"),
    ];
    for (names, kind) in kinds {
        for name in names {
            text.push_str(&format!("{kind}: {name}\n"));
        }
    }
    for axiom in axioms {
        text.push_str(&written(axiom));
        text.push('\n');
    }
    text
}

fn node(name: &str) -> String {
    if name == ANONYMOUS { name.to_owned() } else { format!(":{name}") }
}

fn nodes(names: &[&'static str]) -> String {
    names.iter().map(|name| node(name)).collect::<Vec<_>>().join(", ")
}

/// Returns the frame of an individual; an anonymous one has a frame, too.
fn individual(name: &str, section: &str) -> String {
    format!("Individual: {} {section}", node(name))
}

fn written(axiom: &Axiom) -> String {
    match axiom {
        Axiom::SubClass(one, part) => format!("Class: {one} SubClassOf: {}", class(part)),
        Axiom::Equivalent(one, part) => format!("Class: :{one} EquivalentTo: {}", class(part)),
        Axiom::Disjoint(names) => format!("DisjointClasses: {}", nodes(names)),
        Axiom::DisjointUnion(one, names) => {
            format!("Class: {one} DisjointUnionOf: {}", nodes(names))
        }
        Axiom::SubRole(one, other) => format!("ObjectProperty: {one} SubPropertyOf: {other}"),
        Axiom::Chain(steps, whole) => {
            let steps: Vec<String> = steps.iter().map(role).collect();
            format!("ObjectProperty: {whole} SubPropertyChain: {}", steps.join(" o "))
        }
        Axiom::Inverse(one, other) => format!("ObjectProperty: {one} InverseOf: {other}"),
        Axiom::Characteristic(kind, one) => {
            format!("ObjectProperty: {one} Characteristics: {kind}")
        }
        Axiom::Domain(one, part) => format!("ObjectProperty: {one} Domain: {}", class(part)),
        Axiom::Range(one, part) => format!("ObjectProperty: {one} Range: {}", class(part)),
        Axiom::SubProperty(one, other) => format!("DataProperty: {one} SubPropertyOf: {other}"),
        Axiom::PropertyDomain(one, part) => format!("DataProperty: {one} Domain: {}", class(part)),
        Axiom::PropertyRange(one, part) => format!("DataProperty: {one} Range: {}", range(part)),
        Axiom::Member(one, part) => individual(one, &format!("Types: {}", class(part))),
        Axiom::Related(role, one, other) => {
            individual(one, &format!("Facts: {role} {}", node(other)))
        }
        Axiom::Valued(property, one, value) => {
            individual(one, &format!("Facts: {property} {}", literal(value)))
        }
        Axiom::Same(one, other) => format!("Individual: {one} SameAs: {other}"),
        Axiom::Different(names) => format!("DifferentIndividuals: {}", nodes(names)),
        Axiom::Label(one, text) => format!("Class: {one} Annotations: rdfs:label \"{text}\"@en"),
    }
}

fn role(role: &Role) -> String {
    if role.inverse { format!("inverse (:{})", role.name) } else { role.name.to_owned() }
}

fn literal(literal: &Literal) -> String {
    let text = literal.0.replace('\\', "\\\\").replace('"', "\\\"");
    match literal.1 {
        "" => format!("\"{text}\""),
        "integer" | "boolean" => text,
        datatype => format!("\"{text}\"^^xsd:{datatype}"),
    }
}

fn joined<T>(parts: &[T], word: &str, written: impl Fn(&T) -> String) -> String {
    format!("({})", parts.iter().map(written).collect::<Vec<_>>().join(word))
}

fn class(part: &Class) -> String {
    match part {
        Class::Name(name) => (*name).to_owned(),
        Class::And(parts) => joined(parts, " and ", class),
        Class::Or(parts) => joined(parts, " or ", class),
        Class::Not(part) => format!("not {}", class(part)),
        Class::OneOf(names) => format!("{{{}}}", nodes(names)),
        Class::Some(one, part) => format!("({} some {})", role(one), class(part)),
        Class::Only(one, part) => format!("({} only {})", role(one), class(part)),
        Class::Value(one, other) => format!("({} value {other})", role(one)),
        Class::Itself(one) => format!("({} Self)", role(one)),
        Class::Count(word, number, one, part) => {
            let part = part.as_ref().map_or(String::new(), |part| class(part));
            format!("({} {word} {number} {part})", role(one))
        }
        Class::DataSome(one, part) => format!("({one} some {})", range(part)),
        Class::DataOnly(one, part) => format!("({one} only {})", range(part)),
        Class::DataValue(one, value) => format!("({one} value {})", literal(value)),
        Class::DataCount(word, number, one, part) => {
            let part = part.as_ref().map_or(String::new(), range);
            format!("({one} {word} {number} {part})")
        }
    }
}

fn range(part: &Range) -> String {
    match part {
        Range::Name(name) => format!("xsd:{name}"),
        Range::Facets(name, facets) => {
            let facets: Vec<String> = facets
                .iter()
                .map(|(sign, bound)| format!("{sign} \"{bound}\"^^xsd:{name}"))
                .collect();
            format!("xsd:{name}[{}]", facets.join(", "))
        }
        Range::OneOf(values) => {
            format!("{{{}}}", values.iter().map(literal).collect::<Vec<_>>().join(", "))
        }
        Range::Not(part) => format!("not {}", range(part)),
        Range::Or(parts) => joined(parts, " or ", range),
    }
}
