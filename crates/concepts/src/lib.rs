//! Formal concepts: every concept of an object-attribute table, their lattice, and what follows from what.
#![forbid(unsafe_code)]

pub mod association;
mod bitmap;
pub mod clarify;
pub mod enumerate;
pub mod implications;
mod names;
pub mod reduce;
pub mod scale;
