//! The tests of the benchmarks.

mod errors;
mod support;
mod tables;
