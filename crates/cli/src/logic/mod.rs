//! Ontologies: reading them, and their page.

pub(crate) mod files;
pub(crate) mod show;
