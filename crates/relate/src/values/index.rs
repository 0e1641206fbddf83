//! The index of the values of a data property.

use super::texts::Texts;
use crate::{Edges, Property};
use pellucid_bits::as_u32;
use pellucid_program::Domain;
use std::sync::OnceLock;

/// The index of a property. The larger parts are built on first use.
#[derive(Clone, Debug)]
pub(crate) struct ValueIndex {
    /// From values to the individuals that have them.
    pub(crate) owners: Edges,
    /// The positions of the texts in sorted order; `None` if the texts are already sorted.
    order: OnceLock<Option<Vec<u32>>>,
    texts: OnceLock<Texts>,
}

impl ValueIndex {
    pub(crate) fn new(property: &Property) -> ValueIndex {
        let owners = property.edges.inverse();
        ValueIndex { owners, order: OnceLock::new(), texts: OnceLock::new() }
    }

    /// Returns the index of a text among the distinct values.
    pub(super) fn place(&self, property: &Property, text: &str) -> Option<u32> {
        let Domain::Nominal(texts) = &property.values else { return None };
        let order = self.order.get_or_init(|| {
            if texts.is_sorted() {
                return None;
            }
            let mut order: Vec<u32> = (0..as_u32(texts.len())).collect();
            order.sort_unstable_by_key(|&place| &texts[place as usize]);
            Some(order)
        });
        match order {
            None => texts.binary_search_by(|other| other.as_str().cmp(text)).ok().map(as_u32),
            Some(order) => {
                let at = |&place: &u32| texts[place as usize].as_str().cmp(text);
                order.binary_search_by(at).ok().map(|found| order[found])
            }
        }
    }

    /// Returns the texts in one buffer.
    pub(super) fn texts(&self, texts: &[String]) -> &Texts {
        self.texts.get_or_init(|| Texts::new(texts))
    }
}
