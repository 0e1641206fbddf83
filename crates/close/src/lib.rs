//! The second shape of work, **close**: sets of objects against a context, and the attributes they all share.
//!
//! A formal context is a table of crosses with a row for every object and a column for every attribute. A
//! *formal concept* is a pair of an **extent**, which is exactly the objects that have all attributes of the
//! intent, and an **intent**, which is exactly the attributes that all objects of the extent have.
//!
//! # The contract
//!
//! A [`Relation`](pellucid_data::Relation) holds the crosses. [`search_on`] lists its concepts on the devices
//! of a machine, and [`search`] on threads of the CPU. A [`Visitor`] receives every concept; [`Terms`] say
//! which concepts are listed and when to stop. The [`SearchOutcome`] has the number of concepts and a [`Digest`],
//! which is the same for every order, device and number of threads. [`spec`] is the specification: it lists
//! concepts one plain step at a time, and `PELLUCID_SIMD=scalar` runs it.
//!
//! A device that is lost does not end a search: the others begin again or, after concepts were listed, the
//! CPU lists the remaining ones, each once.
//!
//! ```
//! use pellucid_close::{ConceptView, Terms, spec};
//! use pellucid_data::Relation;
//!
//! // Three animals; 0 swims, 1 flies, 2 lays eggs.
//! let relation = Relation::new(3, [[0, 2].as_slice(), &[1, 2], &[0, 1, 2]])?;
//! let mut intents = Vec::new();
//! let outcome = spec::concepts(&relation, &Terms::default(), &mut |concept: &ConceptView<'_>| intents.push(concept.intent[0]));
//! assert_eq!(outcome.concepts, 4);
//! intents.sort_unstable();
//! assert_eq!(intents, [0b100, 0b101, 0b110, 0b111]); // eggs; swims, eggs; flies, eggs; all three
//! # Ok::<(), pellucid_data::RelationError>(())
//! ```
//!
//! **Conventions.** Every concept is listed once, the top (all objects) and the bottom (all attributes)
//! included, also when the bottom has no object. A minimum support leaves out every concept with fewer
//! objects, so from 1 on a bottom without objects is not among them. Without objects there is one concept,
//! `(no object, all attributes)`; without attributes there is one too, `(all objects, no attribute)`.

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
