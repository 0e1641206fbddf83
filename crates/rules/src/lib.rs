//! Rules.
#![forbid(unsafe_code)]
pub mod breed;
pub mod evolve;
pub mod genome;
pub mod grammar;
