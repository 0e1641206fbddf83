use super::graph::{PREFIXES, RdfNode};
use super::owl::graph;
use super::term::{iri, text};
use crate::syntax::NameResolver;
use pellucid_program::Expr;

/// Returns an OWL 2 ontology in Turtle with one class that is equivalent to the expression, and
/// declarations of everything it refers to.
///
/// `class` is the IRI of that class, such as [`LEARNED`](super::LEARNED). Restrictions are blank
/// nodes, conditions on values are datatypes with facets, and containment is the facet
/// `xsd:pattern`. Literals have the datatypes of the values in the data, so that a reasoner finds
/// them.
#[must_use]
pub fn turtle(expr: &Expr, names: &dyn NameResolver, class: &str) -> String {
    let graph = graph(expr, names, class);
    let prefixes = PREFIXES.map(|(prefix, name)| format!("@prefix {prefix}: <{name}> .\n"));
    let mut out = format!("{}\n[] a owl:Ontology .\n", prefixes.concat());
    for (kind, name, label) in &graph.declarations {
        let label =
            label.as_ref().map_or(String::new(), |label| format!(" ; rdfs:label {}", text(label)));
        out += &format!("{} a {kind}{label} .\n", iri(name));
    }
    if let Some(definition) = &graph.definition {
        out += &format!(
            "\n{} a owl:Class ;\n    owl:equivalentClass {} .\n",
            iri(&graph.class),
            written(definition, 1)
        );
    }
    out
}

fn written(node: &RdfNode, level: usize) -> String {
    let indent = "    ".repeat(level + 1);
    let close = "    ".repeat(level);
    match node {
        RdfNode::Iri(name) => iri(name),
        RdfNode::Name(name) => name.clone(),
        RdfNode::Literal { text: content, datatype, language } => {
            let content = text(content);
            if !language.is_empty() {
                format!("{content}@{language}")
            } else if datatype.is_empty() {
                content
            } else if datatype.starts_with("xsd:") {
                format!("{content}^^{datatype}")
            } else {
                format!("{content}^^{}", iri(&super::graph::full(datatype)))
            }
        }
        RdfNode::Block(statements) => {
            let lines: Vec<String> = statements
                .iter()
                .map(|(word, object)| format!("{indent}{word} {}", written(object, level + 1)))
                .collect();
            format!("[\n{}\n{close}]", lines.join(" ;\n"))
        }
        RdfNode::Inline(statements) => {
            let statements: Vec<String> = statements
                .iter()
                .map(|(word, object)| format!("{word} {}", written(object, level + 1)))
                .collect();
            format!("[ {} ]", statements.join(" ; "))
        }
        RdfNode::List(members) => {
            let lines: String = members
                .iter()
                .map(|member| format!("{indent}{}\n", written(member, level + 1)))
                .collect();
            format!("(\n{lines}{close})")
        }
        RdfNode::Row(members) => {
            let members: Vec<String> =
                members.iter().map(|member| written(member, level + 1)).collect();
            format!("( {} )", members.join(" "))
        }
    }
}
