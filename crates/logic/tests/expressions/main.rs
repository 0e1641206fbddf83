//! Class expressions: read and printed, exported, rewritten, explained.

mod generate;
mod manchester;
