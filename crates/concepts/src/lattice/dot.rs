//! A lattice in the language of Graphviz, to be drawn by `dot`.

use super::Lattice;
use pellucid_data::{Context, Names, is_obeyed};
use std::io::{self, Write};

/// Writes the lattice of a context, with attributes told above the line in a node and objects below it, each once.
///
/// # Errors
/// When it cannot be written.
pub fn write(context: &Context, lattice: &Lattice, mut out: impl Write) -> io::Result<()> {
    writeln!(out, "graph \"{}\" {{", escaped(&context.name))?;
    writeln!(out, "  node [shape=ellipse];")?;
    for concept in lattice.concepts() {
        let attributes = told(&context.attributes, lattice.own_attributes(concept));
        let objects = told(&context.objects, lattice.own_objects(concept));
        let rule = if attributes.is_empty() || objects.is_empty() { "" } else { "———\\n" };
        let support = lattice.support(concept);
        writeln!(
            out,
            "  c{concept} [label=\"{attributes}{rule}{objects}\", tooltip=\"support {support}\"];"
        )?;
    }
    for concept in lattice.concepts() {
        for lower in lattice.lower(concept) {
            writeln!(out, "  c{concept} -- c{lower};")?;
        }
    }
    writeln!(out, "}}")
}

/// Names, one per line.
fn told(names: &Names, which: &[u32]) -> String {
    which.iter().map(|&index| escaped(&names.get(index as usize)) + "\\n").collect()
}

/// Text as it may stand between quotes: what Graphviz would read as an escape, what ends the line, and what cannot be seen is
/// escaped.
fn escaped(text: &str) -> String {
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
    fn no_name_ends_the_quotes() {
        assert_eq!(escaped("a\"b\\c\nd\te\u{202e}"), "a\\\"b\\\\c\\nd\\\\u0009e\\\\u202e");
    }
}
