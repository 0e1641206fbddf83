//! Knowledge bases: ontologies with their inferences.
//!
//! If a file says that Anna is a mother and that mothers are parents, then the [`KnowledgeBase`]
//! lists Anna among the parents. The world is closed: what cannot be inferred is false.
//!
//! [`KnowledgeBase::new`] computes the inferences in these steps:
//!
//! 1. Merge individuals that are declared to be the same.
//! 2. Convert data properties to columns of one datatype each, including the values of
//!    sub-properties.
//! 3. Complete object properties: sub-properties, inverses, symmetry, reflexivity, transitivity,
//!    chains.
//! 4. Complete classes: subclasses, domains and ranges, definitions.
//!
//! [`Closure`] selects the inferences, [`KbSummary`] summarizes the result.

mod axioms;
mod bounds;
mod build;
mod classes;
mod closure;
mod columns;
mod dense;
mod disjoint;
mod error;
mod evaluate;
mod examples;
mod find;
mod graph;
mod grow;
mod hierarchy;
mod labels;
mod page;
mod problem;
mod relation;
mod roles;
mod same;
mod short_names;
mod summary;
mod transitive;

pub use closure::Closure;
pub use error::KbError;
pub use examples::ExampleSource;
pub use hierarchy::Hierarchy;
pub use labels::LabelChoice;
pub use pellucid_data::{Datatype, literal};
pub use problem::ResolvedProblem;
pub use short_names::ShortNames;
pub(crate) use short_names::{is_name, local};
pub use summary::{ClassSummary, KbSummary, PropertySummary, RoleSummary};

use pellucid_data::Message;
use pellucid_relate::World;
use std::sync::Arc;

/// An ontology with its inferences: a world for evaluating expressions, and metadata for learners
/// and output.
#[derive(Clone, Debug)]
pub struct KnowledgeBase {
    /// The name of the ontology.
    pub name: String,
    /// Individuals, classes, roles and values.
    pub world: Arc<World>,
    /// Short names, and lookup by name.
    pub short_names: ShortNames,
    /// The class hierarchy.
    pub classes: Hierarchy,
    /// The object property hierarchy.
    pub roles: Hierarchy,
    /// The data property hierarchy.
    pub properties: Hierarchy,
    /// For each object property, the classes of its domain, including those inherited from
    /// super-properties and inverses.
    pub role_domains: Vec<Vec<u32>>,
    /// For each object property, the classes of its range.
    pub role_ranges: Vec<Vec<u32>>,
    /// For each data property, the classes of its domain.
    pub property_domains: Vec<Vec<u32>>,
    /// Functional object properties, ascending.
    pub functional_roles: Vec<u32>,
    /// Functional data properties, ascending.
    pub functional_properties: Vec<u32>,
    /// Pairs of disjoint classes, the smaller number first.
    pub disjoint: Vec<[u32; 2]>,
    /// The number of asserted facts, before inference.
    pub asserted: AssertedCounts,
    /// Constructs of the file that were ignored, by name, and how often each occurs.
    pub ignored: Vec<(String, u64)>,
    /// Notes about inferences, assumptions and ignored statements.
    pub notes: Vec<Message>,
}

/// The number of asserted facts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AssertedCounts {
    /// The number of statements in the file.
    pub statements: u64,
    /// For each class, the number of asserted instances.
    pub classes: Vec<u64>,
    /// For each object property, the number of asserted edges.
    pub roles: Vec<u64>,
    /// For each data property, the number of asserted values.
    pub properties: Vec<u64>,
}
