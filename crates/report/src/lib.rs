//! Pictures and pages a person understands.
#![forbid(unsafe_code)]

pub mod lattice;
mod xml;
