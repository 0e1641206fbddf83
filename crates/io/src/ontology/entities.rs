//! The entities that the prolog of an XML document defines.

use rustc_hash::FxHashMap;

/// The maximum length of an entity.
const LONGEST: usize = 4096;

/// Returns the entities of a document. An entity that contains others is left out: it would need a
/// limit of its own, and names of OWL do not need it.
pub(super) fn of(text: &str) -> FxHashMap<String, String> {
    let mut entities = FxHashMap::default();
    let Some(start) = text.find("<!DOCTYPE") else { return entities };
    let before = text[..start].trim_start_matches('\u{feff}').trim_start();
    let Some(end) = text[start..].find("]>").filter(|_| !before.contains("<Ontology")) else {
        return entities;
    };
    for definition in text[start..start + end].split("<!ENTITY").skip(1) {
        let mut words = definition.trim_start().splitn(2, char::is_whitespace);
        let (Some(name), Some(value)) = (words.next(), words.next()) else { continue };
        let value = value.trim_start();
        let Some(quote) = value.chars().next().filter(|quote| matches!(quote, '"' | '\'')) else {
            continue;
        };
        if let Some((value, _)) = value[1..].split_once(quote)
            && value.len() <= LONGEST
            && !value.contains('&')
        {
            entities.insert(name.to_owned(), value.to_owned());
        }
    }
    entities
}

#[cfg(test)]
mod tests {
    #[test]
    fn entities_have_either_quotes() {
        let found = super::of(
            "<!DOCTYPE o [ <!ENTITY a 'u:a#' > <!ENTITY b \"u:b\" >\n<!ENTITY c \"&b;\">]><o/>",
        );
        assert_eq!(found.get("a").map(String::as_str), Some("u:a#"));
        assert_eq!(found.get("b").map(String::as_str), Some("u:b"));
        assert_eq!(found.len(), 2);
        assert!(super::of("<o/>").is_empty());
    }
}
