//! The tests of the network learner.

mod learning;
mod outputs;
mod parts;
