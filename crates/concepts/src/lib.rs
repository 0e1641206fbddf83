//! Formal concept analysis: the formal concepts of a context, their lattice, and its implications.
//!
//! A formal context is a table of crosses: which object has which attribute. A *formal concept* is
//! a set of objects (its extent) with all attributes they share (its intent), such that no other
//! object has all of these attributes. Ordered by inclusion, the concepts form a lattice that
//! represents the whole table. Every implication that the table satisfies follows from a short
//! list, the stem base.
//!
//! - [`estimate`](mod@estimate): the number of concepts before a long run.
//! - [`enumerate`]: counts, visits or collects all concepts. [`write`](mod@write): writes them as
//!   text, JSON or binary while they are found.
//! - [`lattice`]: the covering relation, reduced labels, export. [`index`]: interestingness
//!   measures.
//! - [`implications`]: the stem base (Duquenne-Guigues basis). [`association`]: association rules.
//!   [`consequences`]: either of them, with writers and a summary.
//! - [`cluster`]: partitions the modules of a graph. [`exploration`]: asks experts for implications.
//! - [`intervals`]: closed interval patterns, the concepts of a table of numbers.
//! - [`clarify`], [`reduce`]: smaller contexts with an isomorphic lattice. [`scale`]: conceptual
//!   scaling of tables.
//! - [`support`]: parses a minimum support. [`summary`]: the summary of a run.
//!
//! ```
//! use pellucid_concepts::{enumerate::collect, lattice::Lattice};
//! use pellucid_concepts::implications::{BaseOptions, base};
//! use pellucid_close::Terms;
//! use pellucid_data::Relation;
//!
//! // Frog, reed, bream; 0 lives in water, 1 lives on land, 2 can move.
//! let relation = Relation::new(3, [vec![0, 1, 2], vec![0, 1], vec![0, 2]])?;
//! let (concepts, outcome) = collect(&relation, &Terms::default())?;
//! assert_eq!((concepts.len(), outcome.concepts), (4, 4));
//! let lattice = Lattice::build(&relation, &Terms::default(), 1)?;
//! assert_eq!(lattice.edges(), 4);
//! // Every object lives in water, so attribute 0 follows from the empty premise.
//! let base = base(&relation, &BaseOptions::default());
//! let first = &base.implications[0];
//! assert_eq!((&*first.premise, &*first.conclusion), (&[0][..], &[0b001][..]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod association;
mod bitmap;
pub mod clarify;
pub mod cluster;
pub mod consequences;
pub mod enumerate;
pub mod estimate;
pub mod exploration;
pub mod implications;
pub mod index;
pub mod intervals;
pub mod lattice;
mod names;
pub mod reduce;
pub mod scale;
pub mod summary;
pub mod support;
pub mod write;
