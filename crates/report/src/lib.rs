//! Drawings of concept lattices, each as one SVG file.
#![forbid(unsafe_code)]

pub mod lattice;
mod xml;
