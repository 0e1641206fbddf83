//! The concept lattice of a context.
//!
//! The top is the concept of all objects, the bottom the concept of all attributes. An edge leads
//! from a concept down to a lower neighbor: a concept with fewer objects and more attributes, with
//! no concept between them. Any two concepts have a meet and a join.
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
//! assert_eq!(lattice.lower(lattice.top()), [1, 2]); // the animals that swim, those that fly
//! assert_eq!(lattice.meet(1, 2), lattice.bottom()); // the animals that do both
//! assert_eq!(lattice.extent(1), [0, 2]);
//! assert_eq!(lattice.own_attributes(1), [0]); // labeled 'swims', as are all concepts below
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Concepts are numbered by descending support and then by intent. The numbers do not depend on the
//! search, and upper concepts have smaller numbers. With a minimum support (an *iceberg lattice*),
//! the lowest concepts have no lower neighbors and two of them may have no [`meet`](Lattice::meet);
//! joins always exist.
//!
//! [`json`] and [`dot`] export it, [`text`] summarizes it. Computing the covering relation of
//! hundreds of thousands of concepts takes about a second: see `covers.rs`.

mod build;
mod covers;
pub mod dot;
mod incidence;
pub mod json;
mod links;
mod navigate;
mod share;
mod table;
pub mod text;

pub use build::FoundConcepts;
pub(crate) use incidence::{Incidence, RowExtent};
pub(crate) use links::ConceptLinks;
pub(crate) use share::share;

use pellucid_bits::LevelError;
use table::IntentTable;
use thiserror::Error;

/// Why a lattice cannot be built.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LatticeError {
    /// There are more concepts than allowed.
    #[error("there are more than {0} concepts; raise the minimum support to reduce their number")]
    TooMany(u64),
    /// The search was stopped.
    #[error("stopped before the lattice was complete")]
    Stopped,
    /// The instruction set cannot be used.
    #[error(transparent)]
    Level(#[from] LevelError),
}

/// The concepts of a context, or those with a minimum support, and their covering relation.
#[derive(Clone, Debug)]
pub struct Lattice {
    /// The number of words per intent.
    width: usize,
    intents: Vec<u64>,
    sizes: Vec<u32>,
    supports: Vec<u64>,
    lower: ConceptLinks,
    upper: ConceptLinks,
    ranks: Vec<u32>,
    bottom: Option<u32>,
    incidence: Incidence,
    keys: Vec<u64>,
    table: IntentTable,
    object_concepts: Vec<Option<u32>>,
    attribute_concepts: Vec<Option<u32>>,
    own_objects: ConceptLinks,
    own_attributes: ConceptLinks,
}

impl Lattice {
    /// The number of concepts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.supports.len()
    }

    /// Whether there are no concepts: only if the context has fewer objects than the minimum
    /// support.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.supports.is_empty()
    }

    /// The number of objects in the context.
    #[must_use]
    pub fn objects(&self) -> usize {
        self.incidence.row_of.len()
    }

    /// The number of attributes in the context.
    #[must_use]
    pub fn attributes(&self) -> usize {
        self.incidence.attributes()
    }

    /// The number of edges: pairs of a concept and a lower neighbor.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.lower.total()
    }

    /// The top: the concept of all objects. Meaningless for an empty lattice.
    #[must_use]
    pub fn top(&self) -> u32 {
        0
    }

    /// The bottom: the concept of all attributes, unless its support is too small.
    #[must_use]
    pub fn bottom(&self) -> Option<u32> {
        self.bottom
    }

    /// The intent of a concept, as words.
    #[must_use]
    pub fn intent(&self, concept: u32) -> &[u64] {
        &self.intents[concept as usize * self.width..][..self.width]
    }

    /// The number of attributes of a concept.
    #[must_use]
    pub fn intent_size(&self, concept: u32) -> u32 {
        self.sizes[concept as usize]
    }

    /// The number of objects of a concept.
    #[must_use]
    pub fn support(&self, concept: u32) -> u64 {
        self.supports[concept as usize]
    }

    /// The lower neighbors of a concept, ascending.
    #[must_use]
    pub fn lower(&self, concept: u32) -> &[u32] {
        self.lower.of(concept as usize)
    }

    /// The upper neighbors of a concept, ascending.
    #[must_use]
    pub fn upper(&self, concept: u32) -> &[u32] {
        self.upper.of(concept as usize)
    }

    /// The length of the longest path from the top.
    #[must_use]
    pub fn rank(&self, concept: u32) -> u32 {
        self.ranks[concept as usize]
    }

    /// All concepts, from the top down.
    pub fn concepts(&self) -> impl ExactSizeIterator<Item = u32> + use<> {
        0..u32::try_from(self.len()).expect("concept numbers fit in 32 bits")
    }

    pub(crate) fn incidence(&self) -> &Incidence {
        &self.incidence
    }

    pub(crate) fn lower_links(&self) -> &ConceptLinks {
        &self.lower
    }

    pub(crate) fn upper_links(&self) -> &ConceptLinks {
        &self.upper
    }
}
