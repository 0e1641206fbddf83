use super::graph::full;
use super::owl::graph;
use super::rdfxml::{attribute, escaped};
use super::structure::{Structure, definition, kind};
use crate::syntax::NameResolver;
use pellucid_program::Expr;

/// Returns the ontology of [`turtle`](super::turtle) in OWL/XML.
#[must_use]
pub fn owlxml(expr: &Expr, names: &dyn NameResolver, class: &str) -> String {
    let graph = graph(expr, names, class);
    let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <Ontology xmlns=\"http://www.w3.org/2002/07/owl#\">\n"
        .to_owned();
    for (declared, name, label) in &graph.declarations {
        let name = attribute(name);
        out += &format!("<Declaration><{} IRI=\"{name}\"/></Declaration>\n", kind(declared));
        if let Some(label) = label {
            out += &format!(
                "<AnnotationAssertion><AnnotationProperty IRI=\"{}\"/><IRI>{name}</IRI>\
                 <Literal>{}</Literal></AnnotationAssertion>\n",
                full("rdfs:label"),
                escaped(label)
            );
        }
    }
    let class = attribute(class);
    out += &format!("<Declaration><Class IRI=\"{class}\"/></Declaration>\n");
    if let Some(definition) = definition(&graph) {
        out += &format!("<EquivalentClasses>\n    <Class IRI=\"{class}\"/>\n");
        element(&definition, 1, &mut out);
        out += "</EquivalentClasses>\n";
    }
    out + "</Ontology>\n"
}

/// Writes a structure as an element.
fn element(structure: &Structure, level: usize, out: &mut String) {
    let indent = "    ".repeat(level);
    match structure {
        Structure::Entity(kind, name) => {
            *out += &match name.strip_prefix("_:") {
                Some(label) => {
                    let plain =
                        |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
                    let label: String = label.chars().map(plain).collect();
                    format!("{indent}<AnonymousIndividual nodeID=\"_:n{label}\"/>\n")
                }
                None => format!("{indent}<{kind} IRI=\"{}\"/>\n", attribute(name)),
            };
        }
        Structure::Of(word, operands) => nested(word, "", operands, level, out),
        Structure::Count(word, count, operands) => {
            nested(word, &format!(" cardinality=\"{count}\""), operands, level, out);
        }
        Structure::Literal { text, datatype, language } => {
            let kind = match (datatype.as_str(), language.as_str()) {
                ("", "") => String::new(),
                ("", language) => format!(" xml:lang=\"{}\"", escaped(language)),
                (datatype, _) => format!(" datatypeIRI=\"{}\"", attribute(datatype)),
            };
            *out += &format!("{indent}<Literal{kind}>{}</Literal>\n", escaped(text));
        }
        Structure::Facet(name, bound) => {
            let facet = format!(" facet=\"{}\"", attribute(name));
            nested("FacetRestriction", &facet, std::slice::from_ref(bound), level, out);
        }
    }
}

fn nested(word: &str, attributes: &str, operands: &[Structure], level: usize, out: &mut String) {
    let indent = "    ".repeat(level);
    *out += &format!("{indent}<{word}{attributes}>\n");
    operands.iter().for_each(|operand| element(operand, level + 1, out));
    *out += &format!("{indent}</{word}>\n");
}
