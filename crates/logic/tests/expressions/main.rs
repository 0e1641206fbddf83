//! Class expressions: read and printed, exported, rewritten, explained.

mod dl;
mod generate;
mod manchester;
