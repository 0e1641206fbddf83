//! The tests of classifier systems.

mod environments;
mod export;
mod groups;
mod sizes;
mod storable;
