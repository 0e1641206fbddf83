//! Ontologies in.

mod expressions;
mod kinds;
mod malformed;
mod mutations;
mod shared_data;
mod syntaxes;

use pellucid_data::{Axiom, Step};
use pellucid_io::{Ontology, read_ontology_from};

/// An ontology from text that is sound.
fn sound(name: &str, text: &str) -> Ontology {
    read_ontology_from(text.as_bytes(), name).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// Turtle with the prefixes that all examples need.
fn turtle(text: &str) -> Ontology {
    let prefixes = "@prefix : <u:> .\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\n\
                    @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n\
                    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\
                    @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n";
    sound("test.ttl", &format!("{prefixes}{text}"))
}

/// An axiom as text, without numbers.
fn said(ontology: &Ontology, axiom: &Axiom) -> String {
    let role = |role: u32| ontology.roles.get(role);
    let property = |property: u32| ontology.properties.get(property);
    let step =
        |step: &Step| format!("{}{}", if step.inverse { "inverse " } else { "" }, role(step.role));
    let list = |classes: &[pellucid_program::Expr]| {
        classes.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    };
    match axiom {
        Axiom::SubClass(one, other) => format!("{one} => {other}"),
        Axiom::Equivalent(classes) => format!("equivalent {}", list(classes)),
        Axiom::Disjoint(classes) => format!("disjoint {}", list(classes)),
        Axiom::SubRole(steps, whole) => {
            let steps: Vec<String> = steps.iter().map(step).collect();
            format!("{} => {}", steps.join(" o "), step(whole))
        }
        Axiom::SameRole(one, other) => format!("{} = {}", step(one), step(other)),
        Axiom::Symmetric(one) => format!("symmetric {}", role(*one)),
        Axiom::Transitive(one) => format!("transitive {}", role(*one)),
        Axiom::Reflexive(one) => format!("reflexive {}", role(*one)),
        Axiom::RoleDomain(one, class) => format!("domain {} {class}", role(*one)),
        Axiom::RoleRange(one, class) => format!("range {} {class}", role(*one)),
        Axiom::SubProperty(one, other) => format!("{} => {}", property(*one), property(*other)),
        Axiom::PropertyDomain(one, class) => format!("domain {} {class}", property(*one)),
        Axiom::FunctionalRole(one) => format!("functional {}", role(*one)),
        Axiom::FunctionalProperty(one) => format!("functional {}", property(*one)),
    }
}

fn axioms(ontology: &Ontology) -> Vec<String> {
    ontology.axioms.iter().map(|axiom| said(ontology, axiom)).collect()
}

/// All that an ontology says, in an order of its own and without numbers.
fn told(ontology: &Ontology) -> Vec<String> {
    let who = |individual: u32| ontology.individuals.get(individual);
    let mut told = axioms(ontology);
    told.extend(ontology.classes.iter().map(|name| format!("class {name}")));
    told.extend(ontology.roles.iter().map(|name| format!("role {name}")));
    told.extend(ontology.properties.iter().map(|name| format!("property {name}")));
    told.extend(ontology.individuals.iter().map(|name| format!("individual {name}")));
    told.extend(ontology.texts.iter().map(|text| format!("text {text}")));
    let types = ontology.types.iter();
    told.extend(
        types.map(|&[one, class]| format!("{} is {}", who(one), ontology.classes.get(class))),
    );
    told.extend(ontology.described.iter().map(|(one, class)| format!("{} is {class}", who(*one))));
    for (role, edges) in ontology.roles.iter().zip(&ontology.edges) {
        told.extend(
            edges.iter().map(|&[one, other]| format!("{} {role} {}", who(one), who(other))),
        );
    }
    for (property, values) in ontology.properties.iter().zip(&ontology.values) {
        told.extend(values.iter().map(|datum| {
            let text = ontology.texts.get(datum.text);
            format!("{} {property} {text} {:?}", who(datum.subject), datum.datatype)
        }));
    }
    told.extend(ontology.same.iter().map(|&[one, other]| format!("{} = {}", who(one), who(other))));
    told.extend(ontology.ignored.iter().map(|(name, count)| format!("ignored {name} {count}")));
    told.extend(ontology.notes.iter().cloned());
    told.sort();
    told
}

/// Whether all numbers are within their bounds.
fn check(ontology: &Ontology) -> Result<(), String> {
    let individual = |&number: &u32| (number as usize) < ontology.individuals.len();
    let sound = ontology.edges.len() == ontology.roles.len()
        && ontology.values.len() == ontology.properties.len()
        && ontology.edges.iter().flatten().flatten().all(individual)
        && ontology.same.iter().flatten().all(individual)
        && ontology.described.iter().all(|(one, _)| individual(one))
        && ontology
            .types
            .iter()
            .all(|[one, class]| individual(one) && (*class as usize) < ontology.classes.len())
        && ontology.values.iter().flatten().all(|datum| {
            individual(&datum.subject) && (datum.text as usize) < ontology.texts.len()
        });
    // Telling looks up every number in the axioms.
    told(ontology);
    if sound { Ok(()) } else { Err(format!("{ontology:?}")) }
}
