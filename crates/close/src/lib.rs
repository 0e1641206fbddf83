//! The engine **close**: searches a formal context for its concepts.
//!
//! A formal context is a table of crosses with a row for every object and a column for every
//! attribute. A *formal concept* is a pair of an **extent** and an **intent**. The extent contains
//! exactly the objects that have all attributes of the intent. The intent contains exactly the
//! attributes that all objects of the extent share.
//!
//! # The contract
//!
//! A [`Relation`] stores the crosses. [`open`] returns a [`Session`], which lists its concepts on
//! the devices of a machine; [`search`] lists them on threads of the CPU. A [`Visitor`] receives
//! every concept. [`Terms`] select the concepts to list and decide when to stop. The
//! [`SearchOutcome`] contains the number of concepts and a [`Digest`], which does not depend on the
//! order, the device or the number of threads. [`spec`] is the specification: it lists concepts one
//! simple step at a time, and `PELLUCID_SIMD=scalar` runs it. `cpu` searches on the threads of the
//! machine, and `gpu` with the kernels in `gpu/kernels`.
//!
//! The loss of a device does not end a search. If no concept was listed yet, the search restarts on
//! the remaining devices. Otherwise the CPU lists the remaining concepts, each once.
//!
//! ```
//! use pellucid_close::{ConceptView, Terms, open, spec};
//! use pellucid_data::Relation;
//! use pellucid_device::Machine;
//!
//! // Three animals; 0 swims, 1 flies, 2 lays eggs.
//! let relation = Relation::new(3, [[0, 2].as_slice(), &[1, 2], &[0, 1, 2]])?;
//! let mut intents = Vec::new();
//! let mut visitor = |concept: &ConceptView<'_>| intents.push(concept.intent[0]);
//! let machine = Machine::processor(None)?;
//! let outcome = open(&machine, &relation).search(&Terms::default(), &mut [&mut visitor])?;
//! assert_eq!(outcome.concepts, 4);
//! assert_eq!(outcome, spec::concepts(&relation, &Terms::default(), &mut ()));
//! intents.sort_unstable();
//! assert_eq!(intents, [0b100, 0b101, 0b110, 0b111]); // eggs; swims, eggs; flies, eggs; all three
//! # Ok::<(), Box<dyn std::error::Error>>(())
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
mod session;
pub mod spec;
mod terms;

pub use cpu::Tuning;
pub use digest::Digest;
pub use session::Session;
pub use terms::{ConceptView, SearchOutcome, SearchStop, Share, Terms, Visitor};

use pellucid_bits::{Level, LevelError};
use pellucid_data::Relation;
use pellucid_device::{Machine, Threads};

/// Opens a relation on the devices of a machine. GPUs receive it when a search starts, because its
/// layout depends on the minimum support.
#[must_use]
pub fn open<'a>(machine: &'a Machine, relation: &'a Relation) -> Session<'a> {
    Session::new(machine, relation)
}

/// Lists all concepts that the terms select on threads of the CPU, one per visitor.
///
/// The concepts, their number and digest equal those of [`spec::concepts`]; the order differs. At
/// the scalar level (`PELLUCID_SIMD=scalar`) the specification itself searches, for the first
/// visitor. If the system refuses to start a thread, fewer threads search.
///
/// # Errors
/// If the value of `PELLUCID_SIMD` is not an instruction level, or the CPU does not support the
/// level.
///
/// # Panics
/// If there is no visitor, or if a visitor panics.
pub fn search<V: Visitor>(
    relation: &Relation,
    terms: &Terms<'_>,
    visitors: &mut [V],
) -> Result<SearchOutcome, LevelError> {
    search_with(relation, terms, visitors, Level::chosen()?, Tuning::default())
}

/// [`search`] with the given instruction level and tuning.
///
/// # Errors
/// As [`search`].
#[doc(hidden)]
pub fn search_with<V: Visitor>(
    relation: &Relation,
    terms: &Terms<'_>,
    visitors: &mut [V],
    level: Level,
    tuning: Tuning,
) -> Result<SearchOutcome, LevelError> {
    let threads = Threads::up_to(visitors.len().min(tuning.threads.saturating_add(1)))?;
    Ok(cpu::search(&threads, relation, terms, visitors, level, tuning))
}
