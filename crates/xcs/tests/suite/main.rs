//! The tests of classifier systems.

mod environments;
mod export;
mod sizes;
mod storable;
