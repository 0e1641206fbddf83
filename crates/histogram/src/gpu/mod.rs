//! Sums on GPUs, by the kernels of `kernels/histogram.cu`.
//!
//! `resident` stores a table on a GPU; `argument` declares the kernels and their arguments.

#![forbid(unsafe_code)]

mod argument;
mod resident;

pub(crate) use resident::SendTable;
