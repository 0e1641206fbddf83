use super::graph::full;
use super::owl::graph;
use super::structure::{Structure, definition, kind};
use super::term::{iri, text};
use crate::syntax::NameResolver;
use pellucid_program::Expr;

/// Returns the ontology of [`turtle`](super::turtle) in OWL functional syntax.
#[must_use]
pub fn functional(expr: &Expr, names: &dyn NameResolver, class: &str) -> String {
    let graph = graph(expr, names, class);
    let mut out = "Ontology(\n".to_owned();
    for (declared, name, label) in &graph.declarations {
        out += &format!("Declaration({}({}))\n", kind(declared), iri(name));
        if let Some(label) = label {
            let property = iri(&full("rdfs:label"));
            out += &format!("AnnotationAssertion({property} {} {})\n", iri(name), text(label));
        }
    }
    out += &format!("Declaration(Class({}))\n", iri(class));
    if let Some(definition) = definition(&graph) {
        out += &format!("EquivalentClasses({}\n{}\n)\n", iri(class), written(&definition, 1));
    }
    out + ")\n"
}

/// Writes a structure; its operands are on lines of their own if one of them has operands.
fn written(structure: &Structure, level: usize) -> String {
    let indent = "    ".repeat(level);
    indent + &inline(structure, level)
}

fn inline(structure: &Structure, level: usize) -> String {
    match structure {
        Structure::Entity(_, name) => iri(name),
        Structure::Of(word, operands) => constructor(word, None, operands, level),
        Structure::Count(word, count, operands) => constructor(word, Some(count), operands, level),
        Structure::Literal { text: content, datatype, language } => {
            let content = text(content);
            match (datatype.as_str(), language.as_str()) {
                ("", "") => content,
                ("", language) => format!("{content}@{language}"),
                (datatype, _) => format!("{content}^^{}", iri(datatype)),
            }
        }
        Structure::Facet(name, bound) => format!("{} {}", iri(name), inline(bound, level)),
    }
}

fn constructor(word: &str, count: Option<&String>, operands: &[Structure], level: usize) -> String {
    let is_nested =
        |operand: &Structure| matches!(operand, Structure::Of(..) | Structure::Count(..));
    let count = count.map(|count| format!("{count} ")).unwrap_or_default();
    if !operands.iter().any(is_nested) {
        let operands: Vec<String> = operands.iter().map(|operand| inline(operand, level)).collect();
        return format!("{word}({count}{})", operands.join(" "));
    }
    let lines: Vec<String> = operands.iter().map(|operand| written(operand, level + 1)).collect();
    format!("{word}({count}\n{}\n{})", lines.join("\n"), "    ".repeat(level))
}
