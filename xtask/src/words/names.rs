//! Public names: those that contain a word to avoid, and those with several meanings.

use std::collections::BTreeMap;

/// A public item and where it is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) line: usize,
    pub(super) name: String,
    /// Whether it names a type or a trait.
    pub(super) is_type: bool,
}

/// Returns the public items that a Rust file declares at the start of a line, as library code does.
pub(super) fn public(source: &str) -> Vec<Name> {
    let mut names = Vec::new();
    for (line, text) in (1..).zip(source.lines()) {
        let Some(rest) = text.trim_start().strip_prefix("pub ") else { continue };
        let rest = ["const ", "async ", "unsafe "]
            .iter()
            .fold(rest, |rest, word| rest.strip_prefix(word).unwrap_or(rest));
        let declared =
            [("struct ", true), ("enum ", true), ("trait ", true), ("type ", true), ("fn ", false)]
                .into_iter()
                .find_map(|(keyword, is_type)| Some((rest.strip_prefix(keyword)?, is_type)));
        if let Some((rest, is_type)) = declared {
            let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
            let name = rest[..end.unwrap_or(rest.len())].to_owned();
            // A macro declares `$name`.
            if !name.is_empty() {
                names.push(Name { line, name, is_type });
            }
        }
    }
    names
}

/// Splits a name into its words, in lower case: `ToldAbove` and `told_above` are `told above`.
pub(super) fn words(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter == '_' {
            text.push(' ');
            continue;
        }
        if letter.is_uppercase() && !text.is_empty() {
            text.push(' ');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

/// Returns the types that several crates declare, each with its declarations.
pub(super) fn repeated(types: &[(String, String)]) -> BTreeMap<&str, Vec<&str>> {
    let mut places: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, place) in types {
        places.entry(name).or_default().push(place);
    }
    places.retain(|_, places| places.len() > 1);
    places
}

#[test]
fn names_are_found_and_split() {
    let found =
        public("pub struct ToldAbove;\n    pub const fn was_told() {}\npub(crate) fn no() {}\n");
    let expected = [(1, "ToldAbove", true), (2, "was_told", false)];
    let expected =
        expected.map(|(line, name, is_type)| Name { line, name: name.to_owned(), is_type });
    assert_eq!(found, expected);
    assert_eq!(
        (words("ToldAbove").as_str(), words("was_told").as_str()),
        ("told above", "was told")
    );
}
