//! What follows from an ontology.

mod hierarchy;
mod vocabulary;

pub use hierarchy::Hierarchy;
pub use pellucid_engine::data::Datatype;
pub use vocabulary::Vocabulary;

use pellucid_engine::world::World;
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
    /// By object property: the classes, by number, that its subjects are said to be in.
    pub role_domains: Vec<Vec<u32>>,
    /// By object property: the classes that its objects are said to be in.
    pub role_ranges: Vec<Vec<u32>>,
    /// By data property: the classes that its subjects are said to be in.
    pub property_domains: Vec<Vec<u32>>,
    /// Pairs of classes that are said to share nobody.
    pub disjoint: Vec<[u32; 2]>,
    /// What was concluded, assumed or passed over, as sentences.
    pub notes: Vec<String>,
}
