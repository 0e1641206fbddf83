//! Class expressions: read and printed, exported, rewritten, explained.

#![allow(clippy::cast_possible_truncation, reason = "generated sizes are small")]

mod dl;
mod explain;
mod export;
mod files;
mod generate;
mod manchester;
mod semantics;
