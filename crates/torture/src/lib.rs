//! Robustness tests: readers must not panic, hang or exhaust memory; runs that are killed and
//! resumed must end with the same result; files must be written completely or not at all.
//!
//! [`ReaderSet`] contains every [`Reader`] of the project with valid sample files. [`Mutator`]
//! damages a file, in the same way for the same number. `cargo xtask torture` does that a million
//! times and also kills runs. Files that broke a reader are added to `tests/corpus`, which the
//! tests of this crate read.

#![forbid(unsafe_code)]

mod bundled;
mod examples;
mod graphs;
mod mutator;
mod parquets;
mod readers;
mod samples;
mod spreadsheets;
mod stored;

pub use mutator::Mutator;
pub use readers::{ReadOutcome, Reader, ReaderSet};
