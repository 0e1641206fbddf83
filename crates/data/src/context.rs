//! Formal contexts: objects, attributes, and the incidence between them.

use crate::{Message, Relation};
use std::borrow::Cow;

/// The names of objects or attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Names {
    /// Consecutive numbers, for files without names.
    Numbered {
        /// The first number.
        first: usize,
        /// The number of names.
        count: usize,
    },
    /// A list of names.
    Listed(Vec<String>),
}

impl Names {
    /// Returns the number of names.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Names::Numbered { count, .. } => *count,
            Names::Listed(names) => names.len(),
        }
    }

    /// Whether there are no names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the name at an index.
    ///
    /// # Panics
    /// If the index is out of range.
    #[must_use]
    pub fn get(&self, index: usize) -> Cow<'_, str> {
        match self {
            Names::Numbered { first, count } => {
                assert!(index < *count, "name {index} of {count}");
                Cow::Owned((first + index).to_string())
            }
            Names::Listed(names) => Cow::Borrowed(&names[index]),
        }
    }

    /// Returns all names in order.
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, str>> {
        (0..self.len()).map(|index| self.get(index))
    }
}

impl<S: Into<String>> FromIterator<S> for Names {
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Names {
        Names::Listed(names.into_iter().map(Into::into).collect())
    }
}

/// A formal context: named objects, named attributes, and the crosses between them.
///
/// Readers return it; the crate `pellucid-close` finds its concepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// The name in the file, or the file name without its extension.
    pub name: String,
    /// The names of the objects.
    pub objects: Names,
    /// The names of the attributes.
    pub attributes: Names,
    /// Which object has which attribute.
    pub relation: Relation,
    /// The assumptions of the reader.
    pub notes: Vec<Message>,
}

impl Context {
    /// Creates a context.
    ///
    /// # Panics
    /// If the number of names differs from the number of objects or attributes.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        objects: Names,
        attributes: Names,
        relation: Relation,
    ) -> Context {
        assert_eq!(objects.len(), relation.objects(), "a name for every object");
        assert_eq!(attributes.len(), relation.attributes(), "a name for every attribute");
        Context { name: name.into(), objects, attributes, relation, notes: Vec::new() }
    }

    /// Returns the share of pairs that are crosses; 0 if there are no pairs.
    #[must_use]
    pub fn density(&self) -> f64 {
        let pairs = self.objects.len() as f64 * self.attributes.len() as f64;
        if pairs == 0.0 { 0.0 } else { self.relation.crosses() as f64 / pairs }
    }
}
