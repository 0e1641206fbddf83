//! GPUs: conditions against rows, by the kernels of `kernels/survey.cu`.
//!
//! `resident` holds examples on a card; `argument` declares the kernels and what they take.

#![forbid(unsafe_code)]

mod argument;
mod resident;

pub(crate) use resident::SendExamples;
