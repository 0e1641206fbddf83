//! The tests of formal concepts, lattices and implications.

mod association;
mod cluster;
mod estimate;
mod exploration;
mod implications;
mod index;
mod intervals;
mod lattice;
mod scale;
mod smaller;
mod support;
