//! Reading ontologies.

mod expressions;
mod imports;
mod kinds;
mod malformed;
mod mutations;
mod shared_data;
mod syntaxes;
mod written;

use pellucid_data::{Axiom, RoleExpression};
use pellucid_io::{Ontology, read_ontology_from};

/// Reads an ontology from valid text.
fn sound(name: &str, text: &str) -> Ontology {
    read_ontology_from(text.as_bytes(), name).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// Reads Turtle with the prefixes that all examples need.
fn turtle(text: &str) -> Ontology {
    let prefixes = "@prefix : <u:> .\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\n\
                    @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n\
                    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\
                    @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n";
    sound("test.ttl", &format!("{prefixes}{text}"))
}

/// Returns an axiom as text, without numbers.
fn axiom_text(ontology: &Ontology, axiom: &Axiom) -> String {
    let role = |role: u32| ontology.roles.get(role);
    let property = |property: u32| ontology.properties.get(property);
    let step = |step: &RoleExpression| {
        format!("{}{}", if step.inverse { "inverse " } else { "" }, role(step.role))
    };
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
    ontology.axioms.iter().map(|axiom| axiom_text(ontology, axiom)).collect()
}

/// Returns all statements of an ontology as sorted texts, without numbers.
fn statements(ontology: &Ontology) -> Vec<String> {
    let who = |individual: u32| ontology.individuals.get(individual);
    let mut statements = axioms(ontology);
    statements.extend(ontology.classes.iter().map(|name| format!("class {name}")));
    statements.extend(ontology.roles.iter().map(|name| format!("role {name}")));
    statements.extend(ontology.properties.iter().map(|name| format!("property {name}")));
    statements.extend(ontology.individuals.iter().map(|name| format!("individual {name}")));
    statements.extend(ontology.texts.iter().map(|text| format!("text {text}")));
    let types = ontology.types.iter();
    statements.extend(
        types.map(|&[one, class]| format!("{} is {}", who(one), ontology.classes.get(class))),
    );
    statements
        .extend(ontology.described.iter().map(|(one, class)| format!("{} is {class}", who(*one))));
    for (role, edges) in ontology.roles.iter().zip(&ontology.edges) {
        statements.extend(
            edges.iter().map(|&[one, other]| format!("{} {role} {}", who(one), who(other))),
        );
    }
    for (property, values) in ontology.properties.iter().zip(&ontology.values) {
        statements.extend(values.iter().map(|datum| {
            let text = ontology.texts.get(datum.text);
            format!("{} {property} {text} {:?}", who(datum.subject), datum.datatype)
        }));
    }
    for (property, types) in ontology.properties.iter().zip(&ontology.value_types) {
        statements.extend(types.iter().map(|datatype| format!("values of {property} {datatype}")));
    }
    statements.extend(
        ontology
            .labels
            .iter()
            .map(|label| format!("label {} {}@{}", label.iri, label.text, label.language)),
    );
    statements
        .extend(ontology.same.iter().map(|&[one, other]| format!("{} = {}", who(one), who(other))));
    statements
        .extend(ontology.ignored.iter().map(|(name, count)| format!("ignored {name} {count}")));
    statements.extend(ontology.notes.iter().map(ToString::to_string));
    statements.sort();
    statements
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
    // This looks up every number in the axioms.
    statements(ontology);
    if sound { Ok(()) } else { Err(format!("{ontology:?}")) }
}
