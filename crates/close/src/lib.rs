//! The engine **close**: searches a formal context for its concepts.
//!
//! A formal context is a table of crosses with a row for every object and a column for every
//! attribute. A *formal concept* is a pair of an **extent** and an **intent**. The extent contains
//! exactly the objects that have all attributes of the intent. The intent contains exactly the
//! attributes that all objects of the extent share.
//!
//! # The contract
//!
//! A [`Relation`](pellucid_data::Relation) stores the crosses. [`search_on`] lists its concepts on
//! the devices of a machine, and [`search`] on threads of the CPU. A [`Visitor`] receives every
//! concept. [`Terms`] select the concepts to list and decide when to stop. The [`SearchOutcome`]
//! contains the number of concepts and a [`Digest`], which does not depend on the order, the device
//! or the number of threads. [`spec`] is the specification: it lists concepts one simple step at a
//! time, and `PELLUCID_SIMD=scalar` runs it.
//!
//! The loss of a device does not end a search. If no concept was listed yet, the search restarts on
//! the remaining devices. Otherwise the CPU lists the remaining concepts, each once.
//!
//! ```
//! use pellucid_close::{ConceptView, Terms, spec};
//! use pellucid_data::Relation;
//!
//! // Three animals; 0 swims, 1 flies, 2 lays eggs.
//! let relation = Relation::new(3, [[0, 2].as_slice(), &[1, 2], &[0, 1, 2]])?;
//! let mut intents = Vec::new();
//! let mut visitor = |concept: &ConceptView<'_>| intents.push(concept.intent[0]);
//! let outcome = spec::concepts(&relation, &Terms::default(), &mut visitor);
//! assert_eq!(outcome.concepts, 4);
//! intents.sort_unstable();
//! assert_eq!(intents, [0b100, 0b101, 0b110, 0b111]); // eggs; swims, eggs; flies, eggs; all three
//! # Ok::<(), pellucid_data::RelationError>(())
//! ```
//!
//! **Conventions.** Every concept is listed once, including the top (all objects) and the bottom
//! (all attributes), even if the bottom has no objects. A minimum support excludes every concept
//! with fewer objects, so a minimum of 1 excludes a bottom without objects. A context without
//! objects has one concept, `(no object, all attributes)`; a context without attributes has one
//! concept, `(all objects, no attribute)`.

#![deny(unsafe_code)]

mod cpu;
mod digest;
mod gpu;
mod ordered;
mod recovery;
mod search;
pub mod spec;
mod terms;

pub use cpu::{Tuning, search, search_with};
pub use digest::Digest;
pub use search::{search_on, search_on_with};
pub use terms::{ConceptView, SearchOutcome, SearchStop, Share, Terms, Visitor};
