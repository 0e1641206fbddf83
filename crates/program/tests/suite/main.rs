//! The tests of programs and their simplification.

mod programs;
mod simplify;
