//! Matching of conditions with rows on GPUs, by the kernels of `kernels/survey.cu`.
//!
//! `resident` stores examples on a GPU; `argument` declares the kernels and their arguments.

#![forbid(unsafe_code)]

mod argument;
mod resident;

pub(crate) use resident::SendExamples;
