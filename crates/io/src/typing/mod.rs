//! Decides the types of columns, and finds bags and identifiers.

pub(crate) mod identify;
pub(crate) mod retype;
pub(crate) mod types;
pub(crate) mod unusual;
