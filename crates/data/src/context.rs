//! A formal context: objects, attributes, and which has which.

use crate::Relation;
use std::borrow::Cow;

/// What objects or attributes are called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Names {
    /// By numbers that count up, as a file without names has them.
    Numbered {
        /// The first number.
        first: usize,
        /// How many there are.
        count: usize,
    },
    /// By the names given.
    Listed(Vec<String>),
}

impl Names {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Names::Numbered { count, .. } => *count,
            Names::Listed(names) => names.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name at a position.
    ///
    /// # Panics
    /// When there is none.
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

    /// All names in order.
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, str>> {
        (0..self.len()).map(|index| self.get(index))
    }
}

impl<S: Into<String>> FromIterator<S> for Names {
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Names {
        Names::Listed(names.into_iter().map(Into::into).collect())
    }
}

/// Named objects, named attributes, and the crosses between them.
///
/// Readers return it; the concepts of it are found by the crate `pellucid-close`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// What the file says it is called, or the file's stem.
    pub name: String,
    /// The objects' names.
    pub objects: Names,
    /// The attributes' names.
    pub attributes: Names,
    /// Which object has which attribute.
    pub relation: Relation,
    /// Everything the reader assumed without being told.
    pub notes: Vec<String>,
}

impl Context {
    /// A context whose parts fit together.
    ///
    /// # Panics
    /// When there are not as many names as objects and attributes.
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

    /// The share of all pairs that are crosses; 0 where there is no pair.
    #[must_use]
    pub fn density(&self) -> f64 {
        let pairs = self.objects.len() as f64 * self.attributes.len() as f64;
        if pairs == 0.0 { 0.0 } else { self.relation.crosses() as f64 / pairs }
    }
}
