use super::graph::{PREFIXES, RdfNode, full};
use super::owl::graph;
use crate::syntax::NameResolver;
use pellucid_program::Expr;

/// Returns the ontology of [`turtle`](super::turtle) in RDF/XML.
#[must_use]
pub fn rdfxml(expr: &Expr, names: &dyn NameResolver, class: &str) -> String {
    let graph = graph(expr, names, class);
    let prefixes = PREFIXES.map(|(prefix, name)| format!("\n    xmlns:{prefix}=\"{name}\""));
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rdf:RDF{}>\n<owl:Ontology/>\n",
        prefixes.concat()
    );
    for (kind, name, label) in &graph.declarations {
        let name = attribute(name);
        out += &match label {
            None => format!("<{kind} rdf:about=\"{name}\"/>\n"),
            Some(label) => format!(
                "<{kind} rdf:about=\"{name}\"><rdfs:label>{}</rdfs:label></{kind}>\n",
                escaped(label)
            ),
        };
    }
    if let Some(definition) = &graph.definition {
        out += &format!("<owl:Class rdf:about=\"{}\">\n", attribute(&graph.class));
        statement("owl:equivalentClass", definition, 1, &mut out);
        out += "</owl:Class>\n";
    }
    out + "</rdf:RDF>\n"
}

/// Returns an IRI as an attribute. Characters that XML does not allow are percent-encoded.
pub(super) fn attribute(iri: &str) -> String {
    let encoded: String = iri
        .chars()
        .map(|letter| match letter.is_control() {
            true => letter.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect(),
            false => letter.to_string(),
        })
        .collect();
    escaped(&encoded)
}

/// Returns the attribute that refers to a node with a name.
fn reference(name: &str, of: &str) -> String {
    match name.strip_prefix("_:") {
        Some(label) => {
            let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
            format!("rdf:nodeID=\"n{}\"", label.chars().map(plain).collect::<String>())
        }
        None => format!("rdf:{of}=\"{}\"", attribute(&full(name))),
    }
}

/// Writes a statement as an element.
fn statement(word: &str, object: &RdfNode, level: usize, out: &mut String) {
    let indent = "    ".repeat(level);
    match object {
        RdfNode::Iri(name) | RdfNode::Name(name) => {
            *out += &format!("{indent}<{word} {}/>\n", reference(name, "resource"));
        }
        RdfNode::Literal { text, datatype, language } => {
            let kind = if !language.is_empty() {
                format!(" xml:lang=\"{}\"", escaped(language))
            } else if datatype.is_empty() {
                String::new()
            } else {
                format!(" rdf:datatype=\"{}\"", attribute(&full(datatype)))
            };
            *out += &format!("{indent}<{word}{kind}>{}</{word}>\n", escaped(text));
        }
        RdfNode::Block(_) | RdfNode::Inline(_) => {
            *out += &format!("{indent}<{word}>\n");
            node(object, level + 1, out);
            *out += &format!("{indent}</{word}>\n");
        }
        RdfNode::List(members) | RdfNode::Row(members) => list(word, members, level, out),
    }
}

/// Writes a node as an element.
fn node(object: &RdfNode, level: usize, out: &mut String) {
    let indent = "    ".repeat(level);
    match object {
        RdfNode::Iri(name) | RdfNode::Name(name) => {
            *out += &format!("{indent}<rdf:Description {}/>\n", reference(name, "about"));
        }
        RdfNode::Block(statements) | RdfNode::Inline(statements) => {
            let (kind, rest) = match statements.split_first() {
                Some((("a", RdfNode::Name(kind)), rest)) => (kind.as_str(), rest),
                _ => ("rdf:Description", &statements[..]),
            };
            *out += &format!("{indent}<{kind}>\n");
            for (word, object) in rest {
                statement(word, object, level + 1, out);
            }
            *out += &format!("{indent}</{kind}>\n");
        }
        // Members of lists are nodes.
        RdfNode::Literal { .. } | RdfNode::List(_) | RdfNode::Row(_) => {}
    }
}

/// Writes a list: a collection of nodes, or nested lists of literals.
fn list(word: &str, members: &[RdfNode], level: usize, out: &mut String) {
    let indent = "    ".repeat(level);
    if !members.iter().any(|member| matches!(member, RdfNode::Literal { .. })) {
        *out += &format!("{indent}<{word} rdf:parseType=\"Collection\">\n");
        members.iter().for_each(|member| node(member, level + 1, out));
        *out += &format!("{indent}</{word}>\n");
        return;
    }
    let Some((first, rest)) = members.split_first() else { return };
    *out += &format!("{indent}<{word}>\n{indent}    <rdf:List>\n");
    statement("rdf:first", first, level + 2, out);
    match rest {
        [] => {
            let nil = RdfNode::Name("rdf:nil".to_owned());
            statement("rdf:rest", &nil, level + 2, out);
        }
        rest => list("rdf:rest", rest, level + 2, out),
    }
    *out += &format!("{indent}    </rdf:List>\n{indent}</{word}>\n");
}

/// Returns a text as XML has it; characters that XML does not allow are replaced.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '"' => out += "&quot;",
            '\n' | '\r' | '\t' => out += &format!("&#{};", u32::from(letter)),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            letter if letter.is_control() => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}
