//! Writes axioms as Turtle, by the mapping of OWL 2 to RDF.

use super::axioms::*;

pub(super) fn document(axioms: &[Axiom]) -> String {
    let mut text = "@prefix : <http://e/#> .\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\n\
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\
        @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
        .to_owned();
    let kinds: [(&[&str], &str); 4] = [
        (&CLASSES, "owl:Class"),
        (&ROLES, "owl:ObjectProperty"),
        (&PROPERTIES, "owl:DatatypeProperty"),
        (&INDIVIDUALS, "owl:NamedIndividual"),
    ];
    for (names, kind) in kinds {
        for name in names {
            text.push_str(&format!(":{name} a {kind} .\n"));
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
    names.iter().map(|name| node(name)).collect::<Vec<_>>().join(" ")
}

fn written(axiom: &Axiom) -> String {
    match axiom {
        Axiom::SubClass(one, class_) => format!(":{one} rdfs:subClassOf {} .", class(class_)),
        Axiom::Equivalent(one, class_) => format!(":{one} owl:equivalentClass {} .", class(class_)),
        Axiom::Disjoint(names) => match names[..] {
            [one, other] => format!(":{one} owl:disjointWith :{other} ."),
            _ => format!("[] a owl:AllDisjointClasses ; owl:members ( {} ) .", nodes(names)),
        },
        Axiom::DisjointUnion(one, names) => {
            format!(":{one} owl:disjointUnionOf ( {} ) .", nodes(names))
        }
        Axiom::SubRole(one, other) | Axiom::SubProperty(one, other) => {
            format!(":{one} rdfs:subPropertyOf :{other} .")
        }
        Axiom::Chain(steps, whole) => {
            let steps: Vec<String> = steps.iter().map(role).collect();
            format!(":{whole} owl:propertyChainAxiom ( {} ) .", steps.join(" "))
        }
        Axiom::Inverse(one, other) => format!(":{one} owl:inverseOf :{other} ."),
        Axiom::Characteristic(kind, role) => format!(":{role} a owl:{kind}Property ."),
        Axiom::Domain(one, class_) | Axiom::PropertyDomain(one, class_) => {
            format!(":{one} rdfs:domain {} .", class(class_))
        }
        Axiom::Range(one, class_) => format!(":{one} rdfs:range {} .", class(class_)),
        Axiom::PropertyRange(one, range_) => format!(":{one} rdfs:range {} .", range(range_)),
        Axiom::Member(one, class_) => format!("{} a {} .", node(one), class(class_)),
        Axiom::Related(role, one, other) => format!("{} :{role} {} .", node(one), node(other)),
        Axiom::Valued(property, one, value) => {
            format!("{} :{property} {} .", node(one), literal(value))
        }
        Axiom::Same(one, other) => format!(":{one} owl:sameAs :{other} ."),
        Axiom::Different(names) => match names[..] {
            [one, other] => format!(":{one} owl:differentFrom :{other} ."),
            _ => format!("[] a owl:AllDifferent ; owl:distinctMembers ( {} ) .", nodes(names)),
        },
        Axiom::Label(one, text) => format!(":{one} rdfs:label \"{text}\"@en ."),
    }
}

fn role(role: &Role) -> String {
    if role.inverse {
        format!("[ owl:inverseOf :{} ]", role.name)
    } else {
        format!(":{}", role.name)
    }
}

fn literal(literal: &Literal) -> String {
    let text = literal.0.replace('\\', "\\\\").replace('"', "\\\"");
    if literal.1.is_empty() {
        format!("\"{text}\"")
    } else {
        format!("\"{text}\"^^xsd:{}", literal.1)
    }
}

fn restriction(property: &str, condition: &str) -> String {
    format!("[ a owl:Restriction ; owl:onProperty {property} ; {condition} ]")
}

/// Returns a condition on the number of fillers.
fn counted(word: &str, number: u32, filler: Option<(&str, String)>) -> String {
    let word = match (word, filler.is_some()) {
        ("exactly", false) => "cardinality".to_owned(),
        ("exactly", true) => "qualifiedCardinality".to_owned(),
        (word, false) => format!("{word}Cardinality"),
        (word, true) => format!("{word}QualifiedCardinality"),
    };
    let filler = filler.map_or(String::new(), |(word, filler)| format!(" ; owl:{word} {filler}"));
    format!("owl:{word} \"{number}\"^^xsd:nonNegativeInteger{filler}")
}

fn class(class_: &Class) -> String {
    let all = |classes: &[Class]| classes.iter().map(class).collect::<Vec<_>>().join(" ");
    match class_ {
        Class::Name(name) => format!(":{name}"),
        Class::And(parts) => format!("[ a owl:Class ; owl:intersectionOf ( {} ) ]", all(parts)),
        Class::Or(parts) => format!("[ a owl:Class ; owl:unionOf ( {} ) ]", all(parts)),
        Class::Not(part) => format!("[ a owl:Class ; owl:complementOf {} ]", class(part)),
        Class::OneOf(names) => format!("[ a owl:Class ; owl:oneOf ( {} ) ]", nodes(names)),
        Class::Some(one, part) => {
            restriction(&role(one), &format!("owl:someValuesFrom {}", class(part)))
        }
        Class::Only(one, part) => {
            restriction(&role(one), &format!("owl:allValuesFrom {}", class(part)))
        }
        Class::Value(one, other) => restriction(&role(one), &format!("owl:hasValue :{other}")),
        Class::Itself(one) => restriction(&role(one), "owl:hasSelf true"),
        Class::Count(word, number, one, part) => {
            let part = part.as_ref().map(|part| ("onClass", class(part)));
            restriction(&role(one), &counted(word, *number, part))
        }
        Class::DataSome(one, range_) => {
            restriction(&format!(":{one}"), &format!("owl:someValuesFrom {}", range(range_)))
        }
        Class::DataOnly(one, range_) => {
            restriction(&format!(":{one}"), &format!("owl:allValuesFrom {}", range(range_)))
        }
        Class::DataValue(one, value) => {
            restriction(&format!(":{one}"), &format!("owl:hasValue {}", literal(value)))
        }
        Class::DataCount(word, number, one, range_) => {
            let range = range_.as_ref().map(|part| ("onDataRange", range(part)));
            restriction(&format!(":{one}"), &counted(word, *number, range))
        }
    }
}

fn range(range_: &Range) -> String {
    match range_ {
        Range::Name(name) => format!("xsd:{name}"),
        Range::Facets(name, facets) => {
            let facets: Vec<String> = facets
                .iter()
                .map(|(sign, bound)| {
                    format!("[ xsd:{} \"{bound}\"^^xsd:{name} ]", super::tree::facet(sign))
                })
                .collect();
            format!(
                "[ a rdfs:Datatype ; owl:onDatatype xsd:{name} ; owl:withRestrictions ( {} ) ]",
                facets.join(" ")
            )
        }
        Range::OneOf(values) => {
            let values: Vec<String> = values.iter().map(literal).collect();
            format!("[ a rdfs:Datatype ; owl:oneOf ( {} ) ]", values.join(" "))
        }
        Range::Not(part) => {
            format!("[ a rdfs:Datatype ; owl:datatypeComplementOf {} ]", range(part))
        }
        Range::Or(parts) => {
            let parts: Vec<String> = parts.iter().map(range).collect();
            format!("[ a rdfs:Datatype ; owl:unionOf ( {} ) ]", parts.join(" "))
        }
    }
}
