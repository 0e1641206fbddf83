//! The commands of the logic learner, and of ontologies.

pub(crate) mod cv;
pub(crate) mod files;
pub(crate) mod learn;
pub(crate) mod predict;
pub(crate) mod show;
