//! Writes a lattice in the DOT language of Graphviz.

use super::Lattice;
use pellucid_data::{Context, Names, is_obeyed};
use std::io::{self, Write};

/// Writes the lattice of a context with reduced labels: attributes above the line in a node,
/// objects below it.
///
/// # Errors
/// If writing fails.
pub fn write(context: &Context, lattice: &Lattice, mut out: impl Write) -> io::Result<()> {
    writeln!(out, "graph \"{}\" {{", escaped(&context.name))?;
    writeln!(out, "  node [shape=ellipse];")?;
    for concept in lattice.concepts() {
        let attributes = label_of(&context.attributes, lattice.own_attributes(concept));
        let objects = label_of(&context.objects, lattice.own_objects(concept));
        let separator =
            if attributes.is_empty() || objects.is_empty() { "" } else { "———\\n" };
        let support = lattice.support(concept);
        writeln!(
            out,
            "  c{concept} [label=\"{attributes}{separator}{objects}\", tooltip=\"support {support}\"];"
        )?;
    }
    for concept in lattice.concepts() {
        for lower in lattice.lower(concept) {
            writeln!(out, "  c{concept} -- c{lower};")?;
        }
    }
    writeln!(out, "}}")
}

/// Returns names, one per line.
fn label_of(names: &Names, which: &[u32]) -> String {
    which.iter().map(|&index| escaped(&names.get(index as usize)) + "\\n").collect()
}

/// Escapes text for a quoted DOT string, including control and invisible characters.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\n' => out.push_str("\\n"),
            letter if is_obeyed(letter) => out += &format!("\\\\u{:04x}", u32::from(letter)),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        assert_eq!(escaped("a\"b\\c\nd\te\u{202e}"), "a\\\"b\\\\c\\nd\\\\u0009e\\\\u202e");
    }
}
