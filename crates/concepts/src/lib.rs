//! Formal concepts: every concept of an object-attribute table, their lattice, and what follows from what.
#![forbid(unsafe_code)]

pub mod enumerate;
pub mod index;
pub mod lattice;
