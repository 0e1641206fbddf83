//! The IRIs of identifiers.

use super::super::structural::Problem;
use super::OboReader;
use super::clause::{Stanza, unescape};

/// The IRI before identifiers with a prefix.
pub(super) const OBO: &str = "http://purl.obolibrary.org/obo/";

impl OboReader<'_> {
    /// Finds the short names of relations, such as `part_of` for `BFO:0000050`: the stanza of the
    /// relation refers to the identifier.
    pub(super) fn find_shorthands(&mut self, stanzas: &[Stanza<'_>]) {
        for stanza in stanzas.iter().filter(|stanza| stanza.kind == "Typedef") {
            let id = stanza.clauses.iter().find(|clause| clause.tag == "id");
            let Some(id) = id.map(|clause| clause.value()).filter(|id| !id.contains(':')) else {
                continue;
            };
            let mut references = stanza
                .clauses
                .iter()
                .filter(|clause| clause.tag == "xref")
                .filter_map(|clause| clause.value().split_whitespace().next());
            let of_relations = |name: &&str| name.starts_with("RO:") || name.starts_with("BFO:");
            if let Some(other) = references.find(of_relations) {
                self.shorthands.insert(id.to_owned(), other.to_owned());
            }
        }
    }

    /// Returns the node of an identifier.
    pub(super) fn identifier(&mut self, id: &str) -> u32 {
        if let Some(label) = id.strip_prefix("_:") {
            return self.writer.collector.blank(label);
        }
        let iri = self.iri(&unescape(id));
        self.writer.collector.name(&iri)
    }

    fn iri(&self, id: &str) -> String {
        let id = self.shorthands.get(id).map_or(id, String::as_str);
        if id.contains("://") || id.starts_with("urn:") {
            return id.to_owned();
        }
        let Some((prefix, local)) = id.split_once(':') else {
            return format!("{}{id}", self.home);
        };
        if let Some(space) = self.spaces.get(prefix) {
            return format!("{space}{local}");
        }
        if let Some(iri) = self.prefixes.has(prefix).then(|| self.prefixes.expand(id)) {
            return iri.unwrap_or_default();
        }
        let canonical = !local.is_empty() && local.bytes().all(|byte| byte.is_ascii_digit());
        let between = if canonical { "_" } else { "#_" };
        format!("{OBO}{prefix}{between}{local}")
    }

    /// Returns the node of the identifier that names a stanza.
    pub(super) fn subject(&mut self, stanza: &Stanza<'_>) -> Result<u32, Problem> {
        let id = Self::required(stanza, "id")?.identifier()?;
        Ok(self.identifier(id))
    }
}
