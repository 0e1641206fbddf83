//! Tests of class expressions: parsing, printing, export, rewriting, explanation.

#![allow(clippy::cast_possible_truncation, reason = "generated sizes are small")]

mod dl;
mod explain;
mod export;
mod files;
mod generate;
mod manchester;
mod semantics;
