//! Temporary.
#![forbid(unsafe_code)]
pub mod error;
mod gradient;
pub mod prepare;
#[doc(hidden)]
pub mod experiment;
