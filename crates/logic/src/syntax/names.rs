//! How things are called: IRIs in expressions, shorter names in text.

use pellucid_data::{Datatype, Register};
use pellucid_learn::suggest::nearest;

/// The sorts of things that have names. Two things of different sorts may share one.
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
    /// The sort with its article, for sentences.
    #[must_use]
    pub fn article(self) -> &'static str {
        match self {
            Sort::Class => "a class",
            Sort::Role => "an object property",
            Sort::Property => "a data property",
            Sort::Individual => "an individual",
        }
    }

    /// The sort without an article.
    #[must_use]
    pub fn noun(self) -> &'static str {
        self.article().split_once(' ').map_or("", |(_, noun)| noun)
    }
}

/// What parsers and printers ask about names.
pub trait Names {
    /// How an IRI is shown to people; nothing where there is no such thing of that sort.
    fn shown(&self, sort: Sort, iri: &str) -> Option<&str>;

    /// The IRI of what is shown so, or of what else people may write for it.
    fn by_shown(&self, sort: Sort, shown: &str) -> Option<&str>;

    /// All shown names of a sort, in no particular order.
    fn all_shown(&self, sort: Sort) -> Box<dyn Iterator<Item = &str> + '_>;

    /// What the values of a data property are, by its IRI.
    fn datatype(&self, property: &str) -> Option<Datatype>;

    /// What the part before the colon of a name such as `ex:Male` stands for.
    fn namespace(&self, prefix: &str) -> Option<&str> {
        let _ = prefix;
        None
    }

    /// Whether a role of an expression leads to values and not to individuals.
    ///
    /// Where a property is said to be both, the engine follows the object property.
    fn leads_to_values(&self, iri: &str) -> bool {
        self.shown(Sort::Role, iri).is_none() && self.datatype(iri).is_some()
    }

    /// The shown name that is closest to a name nobody knows.
    fn nearest(&self, sort: Sort, name: &str) -> Option<&str> {
        nearest(name, self.all_shown(sort))
    }
}

/// Names that were listed one by one, for texts about something that is not loaded.
///
/// ```
/// use pellucid_logic::syntax::{Lexicon, Names, Sort};
/// let names = Lexicon::default().class("http://ex.org/family#Male", "Male");
/// assert_eq!(names.by_shown(Sort::Class, "Male"), Some("http://ex.org/family#Male"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    classes: ShownNames,
    roles: ShownNames,
    properties: ShownNames,
    individuals: ShownNames,
    datatypes: Vec<Datatype>,
    namespaces: Vec<(String, String)>,
}

/// IRIs and what they are shown as, by the same number.
#[derive(Clone, Debug, Default)]
struct ShownNames {
    iris: Register,
    shown: Register,
}

impl ShownNames {
    /// Whether the pair is new; of two that share an IRI or a shown name the first stays.
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
    /// Adds a class: its IRI and how it is shown.
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

    /// Adds a data property and what its values are.
    #[must_use]
    pub fn property(mut self, iri: &str, shown: &str, datatype: Datatype) -> Lexicon {
        if self.properties.add(iri, shown) {
            self.datatypes.push(datatype);
        }
        self
    }

    /// Adds an individual.
    #[must_use]
    pub fn individual(mut self, iri: &str, shown: &str) -> Lexicon {
        self.individuals.add(iri, shown);
        self
    }

    /// Adds a prefix and what it stands for.
    #[must_use]
    pub fn prefix(mut self, prefix: &str, namespace: &str) -> Lexicon {
        self.namespaces.push((prefix.to_owned(), namespace.to_owned()));
        self
    }

    fn of(&self, sort: Sort) -> &ShownNames {
        match sort {
            Sort::Class => &self.classes,
            Sort::Role => &self.roles,
            Sort::Property => &self.properties,
            Sort::Individual => &self.individuals,
        }
    }
}

impl Names for Lexicon {
    fn shown(&self, sort: Sort, iri: &str) -> Option<&str> {
        let pairs = self.of(sort);
        pairs.iris.find(iri).map(|number| pairs.shown.get(number))
    }

    fn by_shown(&self, sort: Sort, shown: &str) -> Option<&str> {
        let pairs = self.of(sort);
        pairs.shown.find(shown).map(|number| pairs.iris.get(number))
    }

    fn all_shown(&self, sort: Sort) -> Box<dyn Iterator<Item = &str> + '_> {
        Box::new(self.of(sort).shown.iter())
    }

    fn datatype(&self, property: &str) -> Option<Datatype> {
        self.properties.iris.find(property).map(|number| self.datatypes[number as usize])
    }

    fn namespace(&self, prefix: &str) -> Option<&str> {
        let known = self.namespaces.iter().find(|(known, _)| known == prefix);
        known.map(|(_, namespace)| namespace.as_str())
    }
}
