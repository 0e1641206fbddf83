//! The commands of the logic learner, and of ontologies.

pub(crate) mod files;
pub(crate) mod show;
