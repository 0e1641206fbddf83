//! Formal concepts: every concept of an object-attribute table, their lattice, and what follows from what.
//!
//! Picture a table of crosses: which animal has which trait, which module of a program uses which. Objects that share
//! attributes, with *all* the attributes they share, make a concept; a table of a few dozen lines has hundreds. Ordered by
//! which contains which they form a lattice, the table's whole structure in one drawing, and every rule that the
//! table obeys without exception follows from a short list of them.
//!
//! - [`enumerate`]: all concepts, counted, shown or kept. [`write`](mod@write): as text, JSON or packed, as they are found.
//! - [`lattice`]: which lies right below which, labels, export. [`index`]: which of them matter.
//! - [`implications`]: the shortest list of what follows from what. [`association`]: what follows nearly always.
//!   [`consequences`]: either of them, written and summed up.
//! - [`cluster`]: the modules of a graph in clusters.
//! - [`clarify`], [`reduce`]: the same structure from a smaller table. [`scale`]: a table of values as a table of crosses.
//! - [`support`]: a minimum support as people say it. [`summary`]: what came of a search.
//!
//! ```
//! use pellucid_concepts::{enumerate::collect, implications::{BaseOptions, base}, lattice::Lattice};
//! use pellucid_close::Terms;
//! use pellucid_data::Relation;
//!
//! // Frog, reed, bream; 0 lives in water, 1 lives on land, 2 can move.
//! let relation = Relation::new(3, [vec![0, 1, 2], vec![0, 1], vec![0, 2]])?;
//! let (concepts, outcome) = collect(&relation, &Terms::default());
//! assert_eq!((concepts.len(), outcome.concepts), (4, 4));
//! let lattice = Lattice::build(&relation, &Terms::default(), 1)?;
//! assert_eq!(lattice.edges(), 4);
//! // Nothing lives out of water: from nothing at all follows attribute 0.
//! let base = base(&relation, &BaseOptions::default());
//! assert_eq!((&*base.implications[0].premise, &*base.implications[0].conclusion), (&[0][..], &[0b001][..]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod association;
mod bitmap;
pub mod clarify;
pub mod cluster;
pub mod consequences;
pub mod enumerate;
pub mod implications;
pub mod index;
pub mod lattice;
mod names;
pub mod reduce;
pub mod scale;
pub mod summary;
pub mod support;
pub mod write;
