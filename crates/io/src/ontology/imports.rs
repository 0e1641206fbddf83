//! Imports of an ontology: found among local files, never fetched.

use std::fs;
use std::path::{Path, PathBuf};

use pellucid_data::{Message, message};
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::Event;

/// The file that maps the IRIs of imports to files, as Protégé writes it.
const CATALOG: &str = "catalog-v001.xml";

/// The endings of ontologies, each possibly followed by `.gz`.
const ENDINGS: [&str; 9] = ["", ".owl", ".ttl", ".rdf", ".ofn", ".owx", ".omn", ".obo", ".jsonld"];

/// Returns the file of an import: the one that the catalog beside the importing file names, or a
/// file in the same folder with the name of the last part of the IRI.
pub(super) fn locate(iri: &str, importer: &Path, notes: &mut Vec<Message>) -> Option<PathBuf> {
    let folder = importer.parent()?;
    in_catalog(iri, folder, notes).or_else(|| {
        let name = iri.trim_end_matches(['#', '/']).rsplit(['#', '/']).next()?;
        if name.is_empty() || name.starts_with('.') || name.contains(['\\', ':']) {
            return None;
        }
        let names = ENDINGS.iter().flat_map(|ending| {
            ["", ".gz"].map(|packed| folder.join(format!("{name}{ending}{packed}")))
        });
        names.into_iter().find(|path| path.is_file() && !is_same(path, importer))
    })
}

/// Whether two paths lead to the same file.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

/// Returns the file that a catalog names for an IRI.
fn in_catalog(iri: &str, folder: &Path, notes: &mut Vec<Message>) -> Option<PathBuf> {
    let path = folder.join(CATALOG);
    let text = fs::read_to_string(&path).ok()?;
    match entry(&text, iri) {
        Ok(uri) => {
            let uri = uri?;
            let local = uri.strip_prefix("file://").unwrap_or(&uri);
            // An address is not fetched.
            let file = (!local.contains("://")).then(|| folder.join(local))?;
            file.is_file().then_some(file)
        }
        Err(error) => {
            let file = path.display();
            let note = message!("did not use {file}: {error}");
            if !notes.contains(&note) {
                notes.push(note);
            }
            None
        }
    }
}

/// Returns the address that a catalog has for an IRI.
fn entry(text: &str, iri: &str) -> Result<Option<String>, String> {
    let mut reader = Reader::from_str(text);
    loop {
        let event = reader.read_event().map_err(|error| error.to_string())?;
        let (Event::Start(element) | Event::Empty(element)) = event else {
            if event == Event::Eof {
                return Ok(None);
            }
            continue;
        };
        let name = element.local_name();
        if name.as_ref() != "uri" {
            continue;
        }
        let value = |key: &str| {
            let found = element.attributes().flatten().find(|found| found.key.as_ref() == key)?;
            unescape(&found.value).ok().map(|value| value.into_owned())
        };
        if value("name").is_some_and(|name| name == iri) {
            return Ok(value("uri"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::entry;

    #[test]
    fn catalogs_map_iris_to_files() {
        let text = "<?xml version=\"1.0\"?><catalog><group><uri id=\"x\" name=\"http://a/b&amp;c\" \
                    uri=\"d.owl\"/></group></catalog>";
        assert_eq!(entry(text, "http://a/b&c"), Ok(Some("d.owl".to_owned())));
        assert_eq!(entry(text, "http://a/d"), Ok(None));
        assert!(entry("<catalog><uri name=\"a\"></catalog>", "b").is_err());
    }
}
