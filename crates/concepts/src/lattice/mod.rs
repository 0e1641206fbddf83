//! The concepts of a context in their order: a **lattice**.
//!
//! Picture a family tree that is wider in the middle. On top stands the concept of all objects; each line down leads to a
//! concept with fewer objects and more attributes, with nothing in between; at the bottom lies the concept of all attributes.
//! Any two concepts meet in exactly one below and join in exactly one above.
//!
//! ```
//! use pellucid_concepts::lattice::Lattice;
//! use pellucid_close::Terms;
//! use pellucid_data::Relation;
//!
//! // Three animals; 0 swims, 1 flies, 2 lays eggs.
//! let relation = Relation::new(3, [[0, 2].as_slice(), &[1, 2], &[0, 1, 2]])?;
//! let lattice = Lattice::build(&relation, &Terms::default(), 1)?;
//! assert_eq!(lattice.len(), 4);
//! assert_eq!(lattice.lower(lattice.top()), [1, 2]); // those that swim, those that fly
//! assert_eq!(lattice.meet(1, 2), lattice.bottom()); // those that do both
//! assert_eq!(lattice.extent(1), [0, 2]);
//! assert_eq!(lattice.own_attributes(1), [0]); // swimming is told here, and holds for all below
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Concepts are numbered by falling support and then by intent, so that the number of a concept says nothing of how it was
//! found, and whatever lies above has a smaller number. With a minimum support (an *iceberg*) the lowest concepts
//! simply have nothing below; two of them may then have no [`meet`](Lattice::meet), while joins always exist.
//!
//! [`json`] and [`dot`] write it for other programs, [`text`] sums it up. The covering relation of hundreds of thousands of concepts takes about
//! a second: see `covers.rs` for how it is found.

mod build;
mod covers;
pub mod dot;
pub mod json;
mod links;
mod navigate;
mod share;
mod sides;
mod table;
pub mod text;

pub(crate) use links::ConceptLinks;
pub(crate) use share::share;
pub(crate) use sides::{RowExtent, Sides};

use table::IntentTable;
use thiserror::Error;

/// Why there is no lattice.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LatticeError {
    /// There are more concepts than may be.
    #[error("there are more than {0} concepts; a larger minimum support leaves fewer")]
    TooMany(u64),
    /// It was told to stop.
    #[error("stopped before the lattice was finished")]
    Stopped,
}

/// The concepts of a context, or those with enough objects, and which lies right below which.
#[derive(Clone, Debug)]
pub struct Lattice {
    /// Words an intent takes.
    width: usize,
    intents: Vec<u64>,
    sizes: Vec<u32>,
    supports: Vec<u64>,
    lower: ConceptLinks,
    upper: ConceptLinks,
    ranks: Vec<u32>,
    bottom: Option<u32>,
    sides: Sides,
    keys: Vec<u64>,
    table: IntentTable,
    object_concepts: Vec<Option<u32>>,
    attribute_concepts: Vec<Option<u32>>,
    own_objects: ConceptLinks,
    own_attributes: ConceptLinks,
}

impl Lattice {
    /// How many concepts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.supports.len()
    }

    /// Whether there is none: only where even all objects together are too few.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.supports.is_empty()
    }

    /// How many objects the context has.
    #[must_use]
    pub fn objects(&self) -> usize {
        self.sides.row_of.len()
    }

    /// How many attributes the context has.
    #[must_use]
    pub fn attributes(&self) -> usize {
        self.sides.attributes()
    }

    /// How many lines the diagram has: pairs of a concept and one right below.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.lower.total()
    }

    /// The concept of all objects; meaningless where there is none at all.
    #[must_use]
    pub fn top(&self) -> u32 {
        0
    }

    /// The concept of all attributes, unless it has too few objects to be listed.
    #[must_use]
    pub fn bottom(&self) -> Option<u32> {
        self.bottom
    }

    /// The attributes of a concept, as words.
    #[must_use]
    pub fn intent(&self, concept: u32) -> &[u64] {
        &self.intents[concept as usize * self.width..][..self.width]
    }

    /// How many attributes a concept has.
    #[must_use]
    pub fn intent_size(&self, concept: u32) -> u32 {
        self.sizes[concept as usize]
    }

    /// How many objects a concept has.
    #[must_use]
    pub fn support(&self, concept: u32) -> u64 {
        self.supports[concept as usize]
    }

    /// The concepts right below one, ascending.
    #[must_use]
    pub fn lower(&self, concept: u32) -> &[u32] {
        self.lower.of(concept as usize)
    }

    /// The concepts right above one, ascending.
    #[must_use]
    pub fn upper(&self, concept: u32) -> &[u32] {
        self.upper.of(concept as usize)
    }

    /// How many steps the longest way from the top has.
    #[must_use]
    pub fn rank(&self, concept: u32) -> u32 {
        self.ranks[concept as usize]
    }

    /// All concepts, from the top down.
    pub fn concepts(&self) -> impl ExactSizeIterator<Item = u32> + use<> {
        0..u32::try_from(self.len()).expect("concepts are numbered by 32 bits")
    }

    pub(crate) fn sides(&self) -> &Sides {
        &self.sides
    }

    pub(crate) fn lower_links(&self) -> &ConceptLinks {
        &self.lower
    }

    pub(crate) fn upper_links(&self) -> &ConceptLinks {
        &self.upper
    }
}
