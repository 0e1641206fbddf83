//! Names: IRIs in expressions, short names in text.

use pellucid_data::{Datatype, Register};
use pellucid_learn::suggest::nearest;
use std::collections::BTreeMap;

/// The kinds of named entities. Entities of different kinds may share a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// A class.
    Class,
    /// An object property.
    Role,
    /// A data property.
    Property,
    /// An individual.
    Individual,
}

impl Sort {
    /// Returns the kind with an article.
    #[must_use]
    pub fn article(self) -> &'static str {
        match self {
            Sort::Class => "a class",
            Sort::Role => "an object property",
            Sort::Property => "a data property",
            Sort::Individual => "an individual",
        }
    }

    /// Returns the kind without an article.
    #[must_use]
    pub fn noun(self) -> &'static str {
        self.article().split_once(' ').map_or("", |(_, noun)| noun)
    }
}

/// The names that parsers and printers need.
pub trait NameResolver {
    /// Returns the short name of an IRI; `None` if there is no such entity.
    fn short_name(&self, sort: Sort, iri: &str) -> Option<&str>;

    /// Returns the short name of an IRI where a label is shown in its place.
    fn code(&self, sort: Sort, iri: &str) -> Option<&str> {
        self.short_name(sort, iri)
    }

    /// Returns the datatypes of the values of a data property as the file has them, such as
    /// `xsd:decimal`, and `@en` for texts in a language; empty if they are unknown.
    fn value_types(&self, property: &str) -> &[String] {
        let _ = property;
        &[]
    }

    /// Returns the IRI of a short name or an alias.
    fn find_iri(&self, sort: Sort, shown: &str) -> Option<&str>;

    /// All short names of a kind, in no particular order.
    fn short_names(&self, sort: Sort) -> Box<dyn Iterator<Item = &str> + '_>;

    /// Returns the datatype of a data property, given its IRI.
    fn datatype(&self, property: &str) -> Option<Datatype>;

    /// Returns the namespace of a prefix, such as `ex` in `ex:Male`.
    fn namespace(&self, prefix: &str) -> Option<&str> {
        let _ = prefix;
        None
    }

    /// Whether a property leads to values, not to individuals.
    ///
    /// A property that is declared as both is an object property.
    fn leads_to_values(&self, iri: &str) -> bool {
        self.short_name(Sort::Role, iri).is_none() && self.datatype(iri).is_some()
    }

    /// Returns the most similar short name.
    fn nearest(&self, sort: Sort, name: &str) -> Option<&str> {
        nearest(name, self.short_names(sort))
    }
}

/// A list of names, for texts about an ontology that is not loaded.
///
/// ```
/// use pellucid_logic::syntax::{Lexicon, NameResolver, Sort};
/// let names = Lexicon::default().class("http://ex.org/family#Male", "Male");
/// assert_eq!(names.find_iri(Sort::Class, "Male"), Some("http://ex.org/family#Male"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    classes: NameTable,
    roles: NameTable,
    properties: NameTable,
    individuals: NameTable,
    datatypes: Vec<Datatype>,
    /// The datatypes of values by data property.
    value_types: BTreeMap<String, Vec<String>>,
    /// The short names of IRIs with labels.
    codes: BTreeMap<String, String>,
    namespaces: Vec<(String, String)>,
}

/// IRIs and short names with the same numbers.
#[derive(Clone, Debug, Default)]
struct NameTable {
    iris: Register,
    shown: Register,
}

impl NameTable {
    /// Adds a pair. Returns false if the IRI or the short name is already present.
    fn add(&mut self, iri: &str, shown: &str) -> bool {
        let new = self.iris.find(iri).is_none() && self.shown.find(shown).is_none();
        if new {
            self.iris.add(iri);
            self.shown.add(shown);
        }
        new
    }
}

impl Lexicon {
    /// Adds a class with its IRI and short name.
    #[must_use]
    pub fn class(mut self, iri: &str, shown: &str) -> Lexicon {
        self.classes.add(iri, shown);
        self
    }

    /// Adds an object property.
    #[must_use]
    pub fn role(mut self, iri: &str, shown: &str) -> Lexicon {
        self.roles.add(iri, shown);
        self
    }

    /// Adds a data property and its datatype.
    #[must_use]
    pub fn property(mut self, iri: &str, shown: &str, datatype: Datatype) -> Lexicon {
        if self.properties.add(iri, shown) {
            self.datatypes.push(datatype);
        }
        self
    }

    /// Adds the datatypes of the values of a data property.
    #[must_use]
    pub fn value_types(mut self, iri: &str, types: Vec<String>) -> Lexicon {
        self.value_types.insert(iri.to_owned(), types);
        self
    }

    /// Adds the short name of an IRI that is shown by its label.
    #[must_use]
    pub fn code(mut self, iri: &str, code: &str) -> Lexicon {
        self.codes.insert(iri.to_owned(), code.to_owned());
        self
    }

    /// Adds an individual.
    #[must_use]
    pub fn individual(mut self, iri: &str, shown: &str) -> Lexicon {
        self.individuals.add(iri, shown);
        self
    }

    /// Adds a prefix and its namespace.
    #[must_use]
    pub fn prefix(mut self, prefix: &str, namespace: &str) -> Lexicon {
        self.namespaces.push((prefix.to_owned(), namespace.to_owned()));
        self
    }

    fn of(&self, sort: Sort) -> &NameTable {
        match sort {
            Sort::Class => &self.classes,
            Sort::Role => &self.roles,
            Sort::Property => &self.properties,
            Sort::Individual => &self.individuals,
        }
    }
}

impl NameResolver for Lexicon {
    fn short_name(&self, sort: Sort, iri: &str) -> Option<&str> {
        let pairs = self.of(sort);
        pairs.iris.find(iri).map(|number| pairs.shown.get(number))
    }

    fn find_iri(&self, sort: Sort, shown: &str) -> Option<&str> {
        let pairs = self.of(sort);
        pairs.shown.find(shown).map(|number| pairs.iris.get(number))
    }

    fn short_names(&self, sort: Sort) -> Box<dyn Iterator<Item = &str> + '_> {
        Box::new(self.of(sort).shown.iter())
    }

    fn datatype(&self, property: &str) -> Option<Datatype> {
        self.properties.iris.find(property).map(|number| self.datatypes[number as usize])
    }

    fn code(&self, sort: Sort, iri: &str) -> Option<&str> {
        self.codes.get(iri).map(String::as_str).or_else(|| self.short_name(sort, iri))
    }

    fn value_types(&self, property: &str) -> &[String] {
        self.value_types.get(property).map_or(&[], Vec::as_slice)
    }

    fn namespace(&self, prefix: &str) -> Option<&str> {
        let known = self.namespaces.iter().find(|(known, _)| known == prefix);
        known.map(|(_, namespace)| namespace.as_str())
    }
}
