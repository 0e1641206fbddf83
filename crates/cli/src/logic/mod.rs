//! Commands on ontologies.

pub(crate) mod files;
pub(crate) mod show;
