//! Recognizes ontologies by the extension or by the first line.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::syntax::is_recognized;
use crate::source::path::stem_and_extension;

/// The extensions of ontologies.
const ENDINGS: [&str; 12] =
    ["owl", "rdf", "xml", "ttl", "nt", "nq", "trig", "ofn", "omn", "owx", "obo", "jsonld"];

/// Whether a file is an ontology, by its extension or else by its first line.
#[must_use]
pub fn is_ontology(path: &Path) -> bool {
    let (_, ending) = stem_and_extension(&path.display().to_string());
    ENDINGS.contains(&ending.as_str()) || begins_as_one(path).unwrap_or(false)
}

/// Whether the first line is XML, a Turtle prefix, or the start of another ontology syntax.
fn begins_as_one(path: &Path) -> io::Result<bool> {
    let mut bytes = Vec::new();
    // A pipe can be read only once, so it is not checked.
    if path.metadata()?.is_file() {
        File::open(path)?.take(4096).read_to_end(&mut bytes)?;
    }
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default();
    let turtle = ["@prefix ", "@base ", "PREFIX "];
    Ok(is_recognized(&text) || turtle.iter().any(|beginning| first.starts_with(beginning)))
}
