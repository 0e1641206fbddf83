//! What must not happen, tried again and again: a reader that panics, hangs or fills the memory; a run that is killed and
//! resumed and ends otherwise; a file that is half written.
//!
//! Picture a workshop where things are dropped on purpose. [`Bench`] has every reader of the project with sound files for it
//! ([`Reader`]); [`Mutator`] damages a file, the same way for the same number; `cargo xtask torture` does that a million times and
//! kills runs in between. What was found becomes a file in `tests/corpus`, which the tests of this crate read for ever.

#![forbid(unsafe_code)]

mod bundled;
mod examples;
mod mutator;
mod parquets;
mod readers;
mod sound;
mod stored;

pub use mutator::Mutator;
pub use readers::{Bench, Outcome, Reader};
