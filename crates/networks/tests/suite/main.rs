//! The tests of the network learner.

mod learning;
mod parts;
