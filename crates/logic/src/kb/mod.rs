//! What follows from an ontology.
//!
//! A file says that Anna is a mother, that mothers are parents and that having a child is the inverse of being one. The
//! [`KnowledgeBase`] has all that follows: Anna is among the parents, and her child is a child of hers, whichever way the file
//! puts it. From then on the world is closed: what does not follow is not so.
//!
//! [`KnowledgeBase::new`] draws the conclusions in this order. Each step is a file of its own.
//!
//! 1. Individuals that are said to be the same become one.
//! 2. Data properties become columns of one kind each, with what their sub-properties say.
//! 3. Object properties are completed: sub-properties, inverses, symmetry, reflexivity, transitivity, chains.
//! 4. Classes are completed: subclasses, domains and ranges, definitions.
//!
//! [`Closure`] says which of the conclusions are drawn, [`KbSummary`] what came of it.

mod axioms;
mod build;
mod classes;
mod closure;
mod columns;
mod disjoint;
mod error;
mod evaluate;
mod find;
mod graph;
mod grow;
mod hierarchy;
mod page;
mod problem;
mod relation;
mod roles;
mod same;
mod summary;
mod transitive;
mod vocabulary;

pub use closure::Closure;
pub use error::KbError;
pub use hierarchy::Hierarchy;
pub use pellucid_data::{Datatype, literal};
pub use problem::Resolved;
pub use summary::{ClassSummary, KbSummary, PropertySummary, RoleSummary};
pub use vocabulary::Vocabulary;
pub(crate) use vocabulary::{is_name, local};

use pellucid_relate::World;
use std::sync::Arc;

/// An ontology with its conclusions drawn: a world to evaluate in, and what learners and people need to know beside it.
#[derive(Clone, Debug)]
pub struct KnowledgeBase {
    /// What the ontology is called.
    pub name: String,
    /// Individuals, classes, roles, values.
    pub world: Arc<World>,
    /// How things are shown and found again.
    pub vocabulary: Vocabulary,
    /// Which class lies below which.
    pub classes: Hierarchy,
    /// Which object property lies below which.
    pub roles: Hierarchy,
    /// Which data property lies below which.
    pub properties: Hierarchy,
    /// By object property: the classes, by number, that its subjects are said to be in, also through a property above it or
    /// an inverse one.
    pub role_domains: Vec<Vec<u32>>,
    /// By object property: the classes that its objects are said to be in.
    pub role_ranges: Vec<Vec<u32>>,
    /// By data property: the classes that its subjects are said to be in.
    pub property_domains: Vec<Vec<u32>>,
    /// Object properties with at most one object each, ascending.
    pub functional_roles: Vec<u32>,
    /// Data properties with at most one value each, ascending.
    pub functional_properties: Vec<u32>,
    /// Pairs of classes that are said to share nobody, the smaller number first.
    pub disjoint: Vec<[u32; 2]>,
    /// What the file says, counted before anything was concluded.
    pub asserted: Asserted,
    /// What was met in the file and not made use of, by name, and how often.
    pub ignored: Vec<(String, u64)>,
    /// What was concluded, assumed or passed over, as sentences.
    pub notes: Vec<String>,
}

/// How much a file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asserted {
    /// Statements read.
    pub statements: u64,
    /// By class: its individuals.
    pub classes: Vec<u64>,
    /// By object property: its edges.
    pub roles: Vec<u64>,
    /// By data property: its values, one individual's after the other's.
    pub properties: Vec<u64>,
}
