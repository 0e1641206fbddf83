//! The second shape of work, **close**: sets of objects against a context, and the attributes they all share.
//!
//! Picture a table of crosses: a line for every object, a column for every attribute. Objects chosen at will share some
//! attributes; all objects that have those make the choice larger, and then nothing changes any more. Such a pair, a
//! rectangle of crosses that cannot be made larger, is a *formal concept*: its **extent** is exactly the objects that have all
//! of its **intent**, and its intent exactly the attributes that all of its extent have.
//!
//! A [`Relation`](pellucid_data::Relation) holds the crosses. [`spec`] lists its concepts one plain step at a time and says what is right;
//! `PELLUCID_SIMD=scalar` runs it. Whoever
//! wants concepts is a [`Visitor`]; what is asked for are [`Terms`]; what came of it is an [`Outcome`], with a [`Digest`] that
//! is the same for every order, device and number of threads.
//!
//! ```
//! use pellucid_close::{Found, Terms, spec};
//! use pellucid_data::Relation;
//!
//! // Three animals; 0 swims, 1 flies, 2 lays eggs.
//! let relation = Relation::new(3, [[0, 2].as_slice(), &[1, 2], &[0, 1, 2]])?;
//! let mut intents = Vec::new();
//! let outcome = spec::concepts(&relation, &Terms::default(), &mut |found: &Found<'_>| intents.push(found.intent[0]));
//! assert_eq!(outcome.concepts, 4);
//! intents.sort_unstable();
//! assert_eq!(intents, [0b100, 0b101, 0b110, 0b111]); // eggs; swims, eggs; flies, eggs; all three
//! # Ok::<(), pellucid_data::RelationError>(())
//! ```
//!
//! **Conventions.** Every concept is listed once, the top (all objects) and the bottom (all attributes) included, also when the
//! bottom has no object. A minimum support leaves out every concept with fewer objects, so from 1 on a bottom without objects
//! is not among them. Without objects there is one concept, `(no object, all attributes)`; without attributes there is
//! one too, `(all objects, no attribute)`.

#![deny(unsafe_code)]

mod cpu;
mod digest;
mod found;
mod gpu;
mod ordered;
mod recovery;
mod search;
pub mod spec;

pub use cpu::{Tuning, search, search_with};
pub use digest::Digest;
pub use found::{Found, Outcome, Share, Stop, Terms, Visitor};
pub use search::{search_on, search_on_with};
