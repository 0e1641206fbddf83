//! The tests of classifier systems.

mod environments;
mod export;
mod storable;
