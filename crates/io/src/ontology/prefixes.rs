//! Prefixes of names, and relative IRIs.

use oxiri::Iri;
use rustc_hash::FxHashMap;

use super::vocabulary::Namespace;
use crate::source::error::shorten;

/// The base for relative IRIs of files without a base.
pub(super) const BASE: &str = "file:///ontology";

/// The prefixes of a file.
#[derive(Debug)]
pub(super) struct Prefixes {
    expansions: FxHashMap<String, String>,
    /// The base for relative IRIs; `None` if the file has none that is valid.
    base: Option<Iri<String>>,
}

impl Default for Prefixes {
    /// The prefixes that every file has.
    fn default() -> Prefixes {
        let all = Namespace::all().iter();
        let expansions =
            all.map(|namespace| (namespace.prefix().to_owned(), namespace.iri().to_owned()));
        let mut prefixes = Prefixes { expansions: expansions.collect(), base: None };
        prefixes.set_base(BASE);
        prefixes
    }
}

impl Prefixes {
    pub(super) fn add(&mut self, prefix: &str, iri: &str) {
        let iri = self.resolve(iri);
        self.expansions.insert(prefix.to_owned(), iri);
    }

    pub(super) fn has(&self, prefix: &str) -> bool {
        self.expansions.contains_key(prefix)
    }

    /// Sets the base for relative IRIs, unless it is itself relative.
    pub(super) fn set_base(&mut self, base: &str) {
        if let Ok(base) = Iri::parse(base.to_owned()) {
            self.base = Some(base);
        }
    }

    /// Returns an IRI relative to the base; other IRIs stay as they are.
    pub(super) fn resolve(&self, iri: &str) -> String {
        if is_absolute(iri) {
            return iri.to_owned();
        }
        // The OWL API cuts the base off, even where that is not how IRIs are resolved.
        if let Some(base) = self.base.as_ref().filter(|base| base.as_str().ends_with('#'))
            && !iri.starts_with('#')
        {
            return format!("{}{iri}", base.as_str());
        }
        let resolved = self.base.as_ref().and_then(|base| base.resolve(iri).ok());
        resolved.map_or_else(|| iri.to_owned(), Iri::into_inner)
    }

    /// Returns the IRI of a name with a prefix, `a:b`.
    pub(super) fn expand(&self, name: &str) -> Result<String, String> {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        match self.expansions.get(prefix) {
            Some(expansion) => Ok(format!("{expansion}{local}")),
            None if prefix.is_empty() => {
                Err(format!("found '{}', but the file declares no default prefix", shorten(name)))
            }
            None => Err(format!(
                "found '{}'; the prefix '{}:' has not been declared",
                shorten(name),
                shorten(prefix)
            )),
        }
    }
}

/// Whether an IRI has a scheme.
fn is_absolute(iri: &str) -> bool {
    let scheme = iri.split_once(':').map_or("", |(scheme, _)| scheme);
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

#[cfg(test)]
mod tests {
    use super::Prefixes;

    #[test]
    fn names_are_expanded_and_resolved() {
        let mut prefixes = Prefixes::default();
        prefixes.add("", "http://x/#");
        assert_eq!(prefixes.expand(":a"), Ok("http://x/#a".to_owned()));
        assert_eq!(prefixes.expand("a"), Ok("http://x/#a".to_owned()));
        assert_eq!(
            prefixes.expand("owl:Thing"),
            Ok("http://www.w3.org/2002/07/owl#Thing".to_owned())
        );
        assert!(prefixes.expand("y:a").is_err_and(|error| error.contains("'y:'")));
        assert_eq!(prefixes.resolve("#a"), "file:///ontology#a");
        prefixes.set_base("http://y/z/");
        assert_eq!(prefixes.resolve("#a"), "http://y/z/#a");
        assert_eq!(prefixes.resolve("../a"), "http://y/a");
        assert_eq!(prefixes.resolve("urn:a"), "urn:a");
        prefixes.set_base("http://y/z#");
        assert_eq!(prefixes.resolve("a"), "http://y/z#a");
        assert_eq!(prefixes.resolve("#a"), "http://y/z#a");
    }
}
