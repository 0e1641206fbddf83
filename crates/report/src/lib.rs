//! Pictures that a person understands: a concept lattice as one SVG file.
#![forbid(unsafe_code)]

pub mod lattice;
mod xml;
